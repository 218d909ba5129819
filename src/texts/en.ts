import type { ErrorCode } from "../core/error-codes.ts";
import { APPROVING_EN } from "./approving.ts";
import { COMMANDS_EN } from "./commands-en.ts";
import { CUT_EN, OF_TOOLS_EN, UNSENT_EN } from "./failures/failures.ts";
import { NOTES_EN } from "./notes/en.ts";
import { OFFLINE_EN } from "./offline.ts";
import { PLANS_EN } from "./plans.ts";
import { CHANGES_EN, plural } from "./plural.ts";
import { ROUTINES_EN } from "./routines.ts";
import { FAILED_START_EN } from "./state-troubles.ts";
import { TRIES_EN } from "./tries.ts";

const { list } = COMMANDS_EN.joins;
const changes = (count: number) => plural("en", count, CHANGES_EN);

/**
 * Everything the interface says, in English; the other languages have the same shape. Texts are
 * plain: what they are given may be marked up already, they themselves hold nothing to escape.
 */
export const EN = {
  ...APPROVING_EN,
  tries: TRIES_EN,
  ...COMMANDS_EN,
  ...FAILED_START_EN,
  ...OFFLINE_EN,
  notes: NOTES_EN,
  ...ROUTINES_EN,
  /** What happened, in front of an exact message that is always English; here that says it all. */
  failure: (_code: ErrorCode) => "",
  /** The exact message below it: paths, numbers and reasons of programs, in English. */
  exactly: (message: string) => message,
  plan: {
    head: (workspace: string) => `Plan for ${workspace}`,
    goOn: "Type ok to see the change set.",
    whatElse: "What should be different? Write it, and I plan again.",
  },
  approval: {
    head: (workspace: string) => `Changes for ${workspace}`,
    count: (count: number, workspace: string) => `${changes(count)} in ${workspace}`,
    checks: "Checks that will run:",
    noChecks: "No checks will run.",
    note: "note",
    created: "new",
    deleted: "deleted",
    folderCreated: "new folder",
    folderRemoved: "folder removed",
    wholeDiff: "The whole diff",
  },
  call: {
    /** Why a call asks, by {@link AskReason}. */
    reasons: {
      person: "this is a person's decision at every autonomy level",
      outside: "after reading text from outside this needs a person's approval",
      workspace: "after reading files or notes this needs a person's approval",
      unnamed: "neither you nor your configuration named this address",
      composed: "the model composed what would be sent",
      many: "after reading, the model sent eight things unasked, and which it chose may tell",
      supervised: "security.autonomy is supervised",
    },
    leaves: (characters: number) =>
      `${plural("en", characters, { one: "character leaves", many: "characters leave" })} this machine`,
    holds: (whose: string) => `with words of: ${whose}`,
    whose: { user: "yours", workspace: "files or notes", outside: "what was read outside" },
    asks: (tool: string, reason: string) => `${tool} needs your approval (${reason}):`,
    whole: "The whole call",
    blanks: (count: number) => `${count} blanks`,
    emptyLines: (count: number) => `${count} empty lines`,
    ends: (length: number, head: string, between: number, tail: string) =>
      `${length} characters; it begins:\n${head}\n⟨${between} characters between⟩\nand ends:\n${tail}`,
  },
  outcome: {
    committed: (where: string, count: number) => `Applied in ${where}: ${changes(count)}`,
    rolledBack: (where: string) => `Rolled back in ${where}: every file of the change is as it was`,
    rolledBackExcept: (at: string, but: readonly string[]) =>
      `Rolled back in ${at}, except ${list(but)}`,
    notPutBack: (where: string, paths: readonly string[]) =>
      `Not all of it could be put back in ${where}: ${list(paths)} still to do`,
    nothingWritten: (where: string) => `Nothing was written in ${where}: a check failed`,
    rejected: (where: string) => `Rejected: nothing was changed in ${where}`,
    noChanges: (where: string) => `Nothing to change in ${where}`,
    undone: (where: string, count: number) => `Undone in ${where}: ${changes(count)}`,
    redone: (where: string, count: number) => `Redone in ${where}: ${changes(count)}`,
    undoneAlready: (where: string) =>
      `Nothing to take back in ${where}: its files are without this change already (on another branch?); the next undo takes the one before`,
    redoneAlready: (at: string) => `Nothing to bring back in ${at}: its files have this change`,
    conflict: (where: string, isPart: boolean) =>
      `${isPart ? "Not everything" : "Nothing"} was done in ${where}: files edited since were left as they are`,
    undoHint: (workspace: string) => `undo takes it back (workspace ${workspace})`,
  },
  check: {
    /** A remark that is not here stays as it is. */
    notes: {
      "no network": "no network",
      "no network, which a check seems to ask for":
        "no network, which a check seems to ask for: check_network = true in [[workspaces]] gives it",
      "with network": "with network",
      "switched off": "switched off",
    },
    passed: (commands: readonly string[]) => `Checks passed: ${list(commands)}`,
    noneRan: "No checks ran.",
    failed: (command: string, exit: string) => `Check ${command} ended with ${exit}`,
    excess: (command: string, what: string) => `Check ${command} was ended: ${what}`,
    /** By the limit that was exceeded; a count, or megabytes. */
    excesses: {
      processes: (limit: number) => `more than ${limit} processes ([sandbox] max_processes)`,
      threads: (limit: number) => `more than ${limit} threads ([sandbox] max_processes)`,
      memory: (mb: number) => `more than ${mb} MB of memory ([sandbox] max_memory_mb)`,
      disk: (mb: number) => `more than ${mb} MB of disk ([sandbox] max_disk_mb)`,
      file: (mb: number) => `a file of more than ${mb} MB ([sandbox] max_disk_mb)`,
      machine: (mb: number) => `the machine had less than ${mb} MB of memory left`,
    },
    /** What the sandbox does not keep on this machine; one that is not here stays as it is. */
    gaps: {
      "system calls are not filtered": "system calls are not filtered",
      "settings of the machine can be written": "settings of the machine can be written",
      "there is a network": "there is a network",
      "other processes can be seen": "other processes can be seen",
      "new namespaces can be made": "new namespaces can be made",
      "capabilities are not dropped": "capabilities are not dropped",
    },
    outOfTime: (command: string, seconds: string) =>
      `Check ${command} timed out after ${seconds} s; check_timeout_s of the workspace allows more`,
    signal: "a signal",
    sandbox: (kind: string) => `Sandbox: ${kind}`,
    stage: {
      passed: "passed",
      timedOut: (seconds: string) => `timed out after ${seconds} s (check_timeout_s)`,
      exit: (code: string) => `exit ${code}`,
    },
    took: (verdict: string, seconds: string) => `${verdict} in ${seconds} s`,
    wholeOutput: "What the checks printed",
  },
  answer: { wholeAnswer: "The whole answer" },
  file: {
    liesIn: (where: string, path: string, size: string) => `File in ${where}: ${path} (${size})`,
    notSent: (path: string) =>
      `"${path}" could not be sent: it changed or is gone, or the connection could not carry it. Ask again.`,
  },
  /** Why something that was asked for is not done; exact, for these are shown alone. */
  refusals: {
    goesOnLater: "papa-yu is stopping; your message is saved and goes on at the next start",
    cutOff:
      "papa-yu stopped before this was done, and does not resume it by itself; no plan was applied, send it again",
    cutOffBehind:
      "papa-yu stopped before this was done, and does not resume it by itself; what it applied is shown above, and /undo takes it back",
    cutOffInCall: (tools: string) =>
      `papa-yu stopped before this was done, and does not resume it by itself; ${tools} was running, and whether it took effect is not known: look before you send it again`,
    nothingKnown: "What this button was for is not known here any more",
    notAsked: "Only the person who was asked can answer this",
    notYourPlan: "Only the person who asked for this plan can decide on it",
    notYourApply: "Only the person who applied this can press this",
    ...TRIES_EN.refusals,
    ...PLANS_EN.refusals,
    callApproved: "This call was approved already; it is not run twice",
    callDone: "This call was approved and has run; it is not run twice. Ask for its result",
    callInterrupted:
      "This call was approved, but papa-yu stopped while it ran: check whether it took effect. It is not run again",
    callRejected: "This call was rejected; nothing was run",
    callReplaced: "This call was dropped, or a newer question took its place; nothing was run",
    callExpired: "This approval has expired; nothing was run. Ask for it again",
    callChanged: "What this call is about changed since it was shown; nothing was run",
    toolGone: (tool: string) => `There is no tool "${tool}" any more; nothing was run`,
    callDenied: "security.autonomy is readonly; nothing was run",
    filesLocked: "Files are not saved while security.autonomy is readonly",
    answered: "This was pressed a moment ago; it works once",
    answerFirst: "Another question waits for your answer here; answer it, then press this again",
    putBack: "This was approved, but every file was put back; send ok to see the change set again",
    putBackExcept: (kept: string) =>
      `This was approved, but everything was put back except what somebody changed since: ${kept}; check these, then make a new plan`,
    notNewest: "There is nothing to undo: it was taken back, or is not the newest change now",
    notNewestUndo: "There is nothing to redo: it was redone, or something was changed since",
    outputGone: "Other checks have run since; this output is gone",
    noPlan: "No plan is stored here; make one with /plan GOAL",
    noResearch: "Nothing was found on the web here; plan something first",
    tooMany: "Too many messages wait already; let them finish or end the first by /cancel",
    workspaceGone: (root: string) =>
      `The workspace of this, "${root}", is configured no more, or under another name; nothing was done. Make a new plan; what was done there, papayu undo -w "${root}" takes back on that machine`,
    workspaceUnknown: (name: string, all: readonly string[]) =>
      `There is no workspace "${name}"; there are: ${list(all)}`,
    providerUnknown: (name: string, all: readonly string[]) =>
      `There is no provider "${name}"; configured are: ${list(all)}`,
    modeUnknown: (name: string) => `There is no mode "${name}": use readonly, supervised, full`,
    locked:
      "Autonomy is readonly, and no message changes that; on the machine: papayu config set security.autonomy supervised",
  },
  telegram: {
    forwarded: "A forwarded message is not taken as yours. Copy its text to send it in your name.",
    cancelling: "Stopping what runs here.",
    nothingRuns: "Nothing is running here.",
    notYours: "Only the person who asked can press this.",
    unknownButton: "I do not know this button any more.",
    /** Before a message; at most 21 UTF-16 units. */
    maybeTwice: "(may be a duplicate) ",
    sentAgain:
      "This message was sent again below, as it was unclear whether it had arrived. Please use the buttons there.",
    diskFull:
      "My disk is full: I cannot store anything. Please free some space. What you write meanwhile waits at Telegram, and I answer it then.",
    storeRefuses: (reason: string) =>
      `I cannot write to my database: ${reason}. What you write meanwhile waits at Telegram, and I answer it when I can.`,
    ...UNSENT_EN,
    setAside: (tries: number, start: string) =>
      `I tried ${tries} times to work on this, in vain, and set it aside: "${start}". Please say it another way, or look into the log.`,
    unreadable: "I can take text, files, photos and voice messages; this is none of them.",
    paired: "You are in. Write what you want, or /help.",
    editTooLate: "I had already started, so the edit has no effect. Send it as a new message.",
    queued: (count: number) =>
      `Queued${count === 1 ? "" : ` (${count} messages)`}: I am still working. /cancel stops it.`,
    voiceOff:
      "I cannot transcribe voice messages: transcription.base_url and model are not configured. Please write instead.",
    nothingHeard: "I heard no words in this voice message.",
    voiceTooLong: "This voice message is too long: at most 10 minutes and 20 MB.",
    saved: "Saved as",
    tooLarge: "over 20 MB, and Telegram gives bots no larger files",
    notGiven: "Telegram does not give this file",
    incomplete: "Telegram gave only a part of it, three times; please send it again",
    /** Followed by the command. */
    stranger:
      "I work only for people my owner lets in. To let you in, the owner types this on their machine within an hour:",
  },
  agent: {
    ...OF_TOOLS_EN,
    serverStarts: (name: string) => `MCP server "${name}" still starts; its tools come later`,
    serverFailed: (name: string, reason: string) =>
      `The tools of MCP server "${name}" are missing: ${reason}`,
    checking: (check: string) => `check ${check}`,
    lookingOnWeb: (code: string) => `No plan yet (${code}). Looking on the web …`,
    noPlanYet: (reason: string) => `No plan yet: ${reason}`,
    queued: "Queued behind the running work.",
    cancelling: "Cancelling.",
    nothingRuns: "Nothing is running.",
    cameLater:
      "This was sent before the question above was asked, so it does not count as an answer. Read the question, then answer again or use its buttons.",
    notSure:
      "I was not sure that my question had arrived, and sent it again; so this does not count as an answer. Answer the newer one, or use its buttons.",
    planDropped: "Plan dropped.",
    changeRejected: "Rejected. Nothing was changed.",
    callRejected: "Rejected. Nothing was run.",
    foundSoFar: "Found so far:",
    ...CUT_EN,
    noAnswer: "The model gave no answer; ask again, or rephrase it",
    cancelled: "Cancelled",
    tookTooLong: "The turn took longer than agent.turn_timeout_s allows",
    doneBefore: (tools: readonly string[]) => `; done before: ${list(tools)}`,
    waits: (tool: string, seconds: number) => `${tool} was asked to wait ${seconds} s`,
    misused: (tool: string, faults: string) =>
      `The model called ${tool} twice without what it needs: ${faults}; say it in your message, or ask again`,
    limitReached: (rounds: number) =>
      `The limit of ${rounds} tool rounds for one message is reached (agent.max_tool_iterations); send another to go on`,
  },
  autoUse: PLANS_EN.autoUse,
  terminal: {
    apply: "Apply?",
    undoIt: "Undo it?",
    undoAnyway: "Undo anyway?",
    applyAnyway: "Apply anyway?",
    ...TRIES_EN.terminal,
    ...PLANS_EN.terminal,
    modeNotSet: (path: string, mode: string) => `${path}: the mode ${mode} of the patch is not set`,
    applyAll: (count: number) =>
      count === 1 ? "Apply this change?" : `Apply these ${count} changes?`,
    run: "Run it?",
    lost: "(the daemon is gone; waiting until it is back)",
    cut: "(the daemon stopped before it answered; waiting until it is back)",
    back: "(the daemon is back)",
    notSent: "(not sent: there is no daemon right now)",
    leaves: "(Ctrl-C again leaves)",
    newSession: (id: string) => `(nothing is kept of a conversation "${id}": a new one begins)`,
    resume: "Continue later with:",
    works: "s, Ctrl-C cancels",
  },
  defects: {
    goesOn: "papa-yu had an internal error and goes on. The log has the details:",
    stops: "papa-yu keeps failing and stops. See the log; papayu start starts it again.",
  },
  /** What a start tells the owner. */
  start: {
    putBack: (summary: string) => `"${summary}"; every file of it was put back`,
    putBackExcept: (summary: string, kept: string) =>
      `"${summary}"; everything was put back except what somebody changed since: ${kept}`,
    notPutBack: (summary: string, state: string) => `"${summary}"; ${state}`,
    recovered: "It was cut off in the middle of a change. What became of it:",
    unreported: "It stopped before it could report this:",
    interrupted:
      "It stopped while these ran. Whether they took effect is not known; check, they are not run again:",
    cutOff: "Routines that were interrupted:",
    answering: "Messages being answered now:",
    missed: "Routines that were missed:",
    madeUp: "Missed routines that run now:",
    waiting: "Still waiting for your answer:",
    back: "papa-yu is back.",
    wasStopped: (from: string, to: string) => `It was stopped from ${from} to ${to}.`,
    wasCut: (from: string, to: string) =>
      `It ended unexpectedly and was down from about ${from} to ${to}.`,
  },
} as const;
