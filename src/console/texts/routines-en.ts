import { plural } from "../../texts/plural.ts";

/** Routines, in English. */
export const ROUTINES_EN = {
  title: "Routines",
  none: "There are no routines yet",
  noneText: "Say below when something is to be done, and what.",
  states: {
    waiting: "On",
    running: "Runs now",
    disabled: "Off",
    invalid: "Cannot run",
    other: "Unknown",
  },
  runs: {
    due: "due",
    running: "running",
    ok: "went well",
    failed: "failed",
    skipped: "left out",
    missed: "missed",
    unknown: "cut off",
    other: "ended",
  },
  deliveries: {
    none: "no message",
    pending: "message on its way",
    queued: "message waits",
    delivered: "message delivered",
    nobody: "nobody to tell",
    failed: "message failed",
    unknown: "message uncertain",
    other: "message",
  },
  causes: {
    schedule: "by schedule",
    manual: "by hand",
    webhook: "by a webhook",
    files: "by changed files",
    other: "by something else",
  },
  next: (times: string) => `Next: ${times}`,
  there: (time: string, zone: string) => `${time} in ${zone}`,
  last: (state: string, time: string) => `Last: ${state} ${time}`,
  neverRan: "Never ran",
  history: "The newest runs",
  strip: (shown: number, all: number) =>
    shown >= all
      ? `all ${plural("en", all, { one: "run", many: "runs" })}`
      : `the newest ${shown} of ${all} runs`,
  showRuns: "Show what they came to",
  hideRuns: "Hide what they came to",
  older: "Show older runs",
  nothingSaid: "It said nothing.",
  why: (reason: string) => `Why: ${reason}`,
  toInbox: "In the inbox",
  failedHere: "Its newest run failed:",
  week: "The coming week",
  weekOf: (zone: string) =>
    `Times are yours (${zone}); those of a routine in another zone stand beside them.`,
  nothingAhead: "Nothing is due in the coming week.",
  more: (name: string, count: number) => `${name}: the next ${count} of more`,
  task: "What it does",
  add: "A new routine",
  words: "When, a colon, and what",
  example: "every weekday at 8 in notes: what changed since yesterday?",
  propose: "Show what it would be",
  proposed: "It would be this. Nothing is kept until you approve.",
} as const;
