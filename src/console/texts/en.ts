import { plural } from "../../texts/plural.ts";
import { CHAT_EN } from "./chat-en.ts";
import { PAST_EN } from "./past-en.ts";
import { HELP_EN, LINE_EN } from "./reading/reading.ts";
import { REVISING_EN } from "./revising/revising.ts";
import { ROUTINES_EN } from "./routines-en.ts";
import { CARE_EN, SETTINGS_EN } from "./settings/settings.ts";
import { TRACES_EN } from "./traces-en.ts";

const files = (count: number) => plural("en", count, { one: "file", many: "files" });

/** The page in English; the other languages have the same shape. */
export const EN = {
  language: "en",
  inbox: "Inbox",
  skip: "Skip to the content",
  loading: "Loading…",
  again: "Try again",
  close: "Close",
  part: {
    failed: "This part of the page could not be loaded.",
    severalFailed: (count: number) => `${count} parts of the page could not be loaded.`,
    otherVersion: "Another version of papa-yu runs by now: this page is of the one before.",
    reload: "Reload the page",
  },
  link: {
    connecting: "Connecting…",
    live: "Live",
    offline: "Offline: nothing can be pressed until papa-yu answers again",
    broken: "The connection broke: papa-yu did not answer",
  },
  theme: { label: "Colours", auto: "As the system", light: "Light", dark: "Dark" },
  signedOut: {
    title: "This browser is not signed in",
    text: "Open the console from a terminal on this machine; the link works once and for a minute.",
    failed: "That link was used already or is too old. Ask for another one:",
  },
  signedOutApp: {
    title: "Open this page from Telegram",
    text: "It keeps nothing. Write this to the bot in your private chat, and open it again:",
    failed:
      "What Telegram gave was used already or is too old. Write this to the bot in your private chat, and open it again:",
  },
  sentFile: "Sent to your chat with the bot",
  unknown: { title: "There is no such page", back: "To the inbox" },
  empty: {
    title: "Nothing waits for you",
    text: "What needs a yes or a no appears here by itself.",
  },
  notices: {
    word: "Notify me",
    long: "The browser tells you of what newly waits, while nobody looks at this page",
    refused: "The browser does not allow this page any; its settings can.",
    many: (count: number) => `${count} new things wait for you`,
  },
  kinds: {
    change_set: "Changes",
    call: "Tool call",
    plan: "Plan",
    rejected: "Rejected changes",
    failed_routine: "Failed routine",
    pairing: "Wants to speak to the bot",
    finding: "Finding",
    other: "Waiting",
  },
  check: { passed: "Checks passed", failed: "Checks failed", not_run: "Not checked yet" },
  states: {
    waiting: "Waits for you",
    approved: "Approved",
    rejected: "Rejected",
    expired: "Expired",
    superseded: "A newer version took its place",
    other: "Over",
  },
  outcomes: {
    open: "Not settled yet",
    committed: "Applied",
    rolled_back: "Rolled back",
    rejected: "Rejected",
    no_changes: "Nothing to change",
    undone: "Undone",
    redone: "Redone",
    conflict: "Conflict",
    incomplete: "Incomplete",
    other: "Ended",
  },
  review: "Review",
  atWork: "papa-yu is at it…",
  failed: (code: string, time: string) =>
    `The last attempt failed ${time}${code === "" ? "." : ` (${code}).`}`,
  showChanges: "Show changes",
  hideChanges: "Hide changes",
  files,
  folder: (count: number) => `folder, ${files(count)}`,
  added: (count: number) => `${count} added`,
  removed: (count: number) => `${count} removed`,
  expires: (time: string) => `expires ${time}`,
  asked: (time: string) => `asked ${time}`,
  notes: "Notes",
  checks: "Checks",
  outdated:
    "The files in the folder are others by now than those that were shown: this can only be rejected.",
  willRun: "These run after your yes:",
  afterYes: {
    before:
      "The checks run after your yes, before anything is written: nobody has seen their commands yet.",
    after:
      "The checks run after your yes, and nothing stays of what fails them: nobody has seen their commands yet.",
    other: "The checks run after your yes, and nothing stays of what fails them.",
  },
  locked:
    'Nothing can be changed while papa-yu may only read: security.autonomy = "supervised" under Settings, or /mode supervised in a chat, allows it.',
  noChecks: "No checks run for this folder.",
  sideEffects: "The checks also changed:",
  printed: "What it printed",
  seconds: (count: string) => `${count} s`,
  tree: "Files",
  treeToggle: "File tree",
  layout: { label: "Layout", unified: "Unified", split: "Side by side" },
  blanks: "Ignore whitespace",
  reading: {
    word: "Reading",
    long: "Reading mode: as a text, the number of a line at its end",
    blank: "blank",
    more: (count: number) =>
      `Show ${plural("en", count, { one: "more line", many: "more lines" })}`,
  },
  search: {
    label: "Search in the changes",
    count: (at: number, of: number) => `${at} of ${of}`,
    none: "not found",
    reading: (left: number) => `reading ${files(left)}…`,
    next: "Next match",
    previous: "Previous match",
  },
  change: { next: "Next change", previous: "Previous change" },
  file: {
    create: "new",
    mkdir: "new folder",
    update: "changed",
    delete: "deleted",
    rmdir: "folder removed",
    rename: "renamed",
    becomes: "becomes",
    before: "Before",
    after: "After",
    asPicture: "Picture",
    picture: (path: string) => `Show ${path} as a picture`,
    noImage: "it is no picture that this browser knows",
    generated: "generated",
    binary: (before: string, after: string) => `Binary: ${before} → ${after}`,
    nothing: "none",
    mode: (before: string, after: string) => `Mode ${before} → ${after}`,
    open: (path: string) => `Show ${path}`,
    shut: (path: string) => `Hide ${path}`,
    closed: (lines: number) => `${plural("en", lines, { one: "line", many: "lines" })}, closed`,
    failed: (reason: string) => `Could not be read: ${reason}`,
    noLines: "No line differs.",
    onlyBlanks: "Only whitespace differs.",
  },
  fold: {
    lines: (count: number) =>
      plural("en", count, { one: "unchanged line", many: "unchanged lines" }),
    up: "Show 20 more above",
    down: "Show 20 more below",
    all: "Show all",
  },
  line: LINE_EN,
  comment: REVISING_EN.comment,
  leave: REVISING_EN.leave,
  since: {
    toggle: "Since the previous version",
    looked: "Since you looked",
    lookedAt: "The version you looked at",
    same: "as before",
    changed: "changed since",
    new: "new since",
    gone: (paths: string) => `No longer changed: ${paths}`,
    next: "A newer version took its place: show it",
    previous: "The previous version",
  },
  seen: {
    word: "Seen",
    take: (path: string) => `Seen: ${path}`,
    changed: "changed since you looked",
    count: (seen: number, of: number) => `${seen} of ${files(of)} seen`,
    failed: (reason: string) => `What you have seen could not be kept: ${reason}`,
  },
  whole: "The whole request",
  revise: "Change…",
  actions: "What you can do",
  more: { acts: "More…", tools: "Search and more ways to show it" },
  press: {
    sent: (label: string) => `${label}: sent…`,
    taken: (label: string) => `${label}: papa-yu is at it…`,
    ended: (label: string) => `${label}: finished`,
    failed: (label: string) => `${label}: failed`,
    unread: (count: number) =>
      `${plural("en", count, { one: "file", many: "files" })} could not be read. A yes counts when all could be.`,
    unknown: (label: string) =>
      `${label}: the connection broke, and nobody here knows yet whether it counted. What came of it is looked up as soon as papa-yu is back.`,
    lost: (label: string) =>
      `${label}: the answer was cut off, and no change came of it. What is so now is shown here.`,
    open: (label: string) =>
      `${label}: cut off while something ran, and nobody knows whether that took effect. Look before you press again.`,
    tooSoon: "That was too soon to be meant: press again.",
    unfoldFirst: "Look at the changes first; then press again.",
    newQuestion: "It is asked anew: show it",
    whatIsSaid: "What came of it",
  },
  pages: "Pages",
  past: PAST_EN,
  routines: ROUTINES_EN,
  chat: CHAT_EN,
  traces: TRACES_EN,
  settings: SETTINGS_EN,
  care: CARE_EN,
  help: HELP_EN,
} as const;
