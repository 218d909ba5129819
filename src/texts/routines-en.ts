import { plural } from "./plural.ts";

/** Routines, their schedules and `routine add`, in English. */
export const ROUTINES_EN = {
  routines: {
    result: (name: string, output: string) => `Routine "${name}"\n${output}`,
    shown: (name: string) => `Routine "${name}"`,
    failed: (name: string, error: string) =>
      `Routine "${name}" failed: ${error}\npapayu routine logs ${name} shows its runs`,
    worksAgain: (name: string, output: string) => `Routine "${name}" works again\n${output}`,
    switchedOff: (name: string, count: number, error: string) =>
      `Routine "${name}" is switched off: it failed ${count} times in a row, last: ${error}\npapayu routine enable ${name} switches it on again`,
    capped: (name: string, reason: string) => `Routine "${name}" did not run: ${reason}`,
    away: "Routines missed while papa-yu was not running:",
    missed: (name: string, count: number, last: string) =>
      `- ${name}: ${count} missed, the last at ${last}`,
    madeUp: (count: number) => `; ${count} run now`,
    unknown: (name: string, at: string) =>
      `- ${name}: papa-yu stopped while it ran at ${at}; check what it did, it is not run again`,
    autoUsed: (query: string) => `Auto-used ✓ what the web says on: ${query}`,
    planKept: (planId: string) => `plan ${planId}: papayu preview ${planId} shows the change set`,
    waits: (count: number, planId: string) =>
      `${plural("en", count, { one: "change waits", many: "changes wait" })} for your approval: papayu apply ${planId}`,
    sidePlan: (planId: string) =>
      `Another question still waits for your answer here. This plan has its own buttons; without them: papayu apply ${planId}`,
    /** Of /routines. */
    none: "No routines.",
    head: "Routines:",
    how: "/routines run NAME runs one now; /routines on NAME, off NAME and logs NAME",
    states: {
      due: "due",
      running: "running",
      ok: "ok",
      failed: "failed",
      skipped: "skipped",
      missed: "missed",
      unknown: "interrupted",
    },
    last: (time: string) => `last ${time}`,
    moreRuns: (count: number, all: number, name: string) =>
      `Only the newest ${count} of ${all}: papayu routine logs "${name}" --last ${all} lists all.`,
    moreButtons: (count: number, all: number) =>
      `Only the first ${count} of ${all} have buttons: /routines run NAME, /routines on NAME, /routines off NAME.`,
    noRuns: (name: string) => `Routine "${name}" has not run yet.`,
    runsAlready: (name: string) => `Routine "${name}" is already running.`,
    dryDone: (tokens: number) => `Nothing was applied or kept; it took ${tokens} tokens.`,
    dryFailed: (tokens: number) => `It would fail. Nothing was kept; it took ${tokens} tokens.`,
    stopping: (name: string) => `Routine "${name}" is told to stop.`,
    setAside: (name: string) =>
      `The failed run of "${name}" is set aside; it stays among its runs.`,
    runsNot: (name: string) => `Routine "${name}" does not run now.`,
    /** To a model, for who wrote the words. */
    makeOf: (words: string) =>
      `Make a routine of the following with the tool "routine"; ask back only where it does not say when or what:\n\n${words}`,
    changeOf: (words: string, name: string) =>
      `Change the routine "${name}" with the tool "routine", action "change", so that it is as follows; leave out what does not change:\n\n${words}`,
    wordsHow:
      'Say when, a colon, and what: "every weekday at 8 in notes: what changed since yesterday?"; when may be "every day at 8", "every monday at 9:30", "every 2 hours" or cron',
    wordsOffline:
      'Without a model a time and a task are understood, best with a colon between them, as in "every weekday at 8 in notes: what changed since yesterday?"; the time may be "every day at 8", "every monday at 9:30", "every 2 hours" or cron. Other words take a model: papayu doctor says how to get one',
    ranSince: (name: string) =>
      `Routine "${name}" has run since you asked, so it is not run again:`,
    /** Of `routine add`. */
    means: (words: string, schedule: string, timezone: string) =>
      `"${words}" is ${schedule} in ${timezone}; next:`,
    keep: "Keep this routine?",
    added: (name: string, next: string) => `added "${name}", next ${next}`,
    never: "never",
    notAdded: "not added",
  },
  /** Why a schedule in words is not taken. */
  schedule: {
    examples: '; say e.g. "every day at 8", "every weekday at 9:30", "every 2 hours"',
    unknown: (words: string) => `"${words}" is not understood`,
    refused: {
      seconds: "at most once a minute is possible",
      vague: "it names no time",
      stride: "cron cannot express every few days, weeks or months; name the days",
      no_time: "the time of day is missing",
      no_day: "it does not say on which days",
      impossible_time: "there is no such time",
      uneven_interval:
        "the interval must divide an hour or a day evenly: 5, 10, 15, 20, 30 minutes or 1, 2, 3, 4, 6, 8, 12 hours",
      missing_date: 'not every month has that day; "on the last day of each month" works',
      mixed: "it can be understood in several ways; make two routines of it",
      mixed_minutes:
        "one schedule cannot have times with different minutes; make two routines of it",
    },
  },
} as const;
