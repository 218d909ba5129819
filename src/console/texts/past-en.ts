import { plural } from "../../texts/plural.ts";

/** Workspaces and their past, in English. */
export const PAST_EN = {
  title: "Workspaces",
  none: "No folder is configured yet",
  noneText: "papayu init adds one.",
  states: {
    ready: "Ready",
    unfinished: "A change is under way, or was cut off and goes back with the next one",
    uncertain: "A change was cut off here, and it is not certain that this is still that folder",
    gone: "The folder is not there",
    other: "Unknown",
  },
  waits: (count: number) => plural("en", count, { one: "waits for you", many: "wait for you" }),
  changes: (count: number, isMore: boolean) =>
    `${isMore ? "more than " : ""}${plural("en", count, { one: "change", many: "changes" })}`,
  newest: (time: string) => `the newest ${time}`,
  goneText: (file: string) =>
    `This folder is not there. Make it, or change its path or remove its entry in ${file}.`,
  untouched: "Nothing was changed here yet",
  past: "What was changed",
  shown: (shown: number, all: number, isMore: boolean) =>
    shown >= all && !isMore
      ? plural("en", shown, { one: "change", many: "changes" })
      : `the newest ${shown} of ${isMore ? "more than " : ""}${all}`,
  older: (count: number) => `Show ${count} older`,
  show: "Show changes",
  kinds: { apply: "Change", undo: "Undo", redo: "Redo", other: "Change" },
  of: (kind: string, summary: string) => `${kind}: ${summary}`,
  channels: {
    telegram: "asked on Telegram",
    terminal: "asked in a terminal",
    http: "asked by a program",
    console: "asked on this page",
    routine: "asked by a routine",
    other: "asked elsewhere",
  },
  byRoutine: (name: string) => `asked by the routine ${name}`,
  figures: {
    created: (count: number) => `${count} new`,
    updated: (count: number) => `${count} changed`,
    deleted: (count: number) => `${count} deleted`,
  },
  part: (number: number, all: number) => `part ${number} of ${all}`,
  trace: (id: string) => `trace ${id}`,
  kept: (paths: string) => `Not put back: ${paths}`,
  gone: "What it changed is not kept any more.",
  someGone: "Of some files what they were is not kept any more.",
  checks: "Checks",
  noChecks: "No checks were found for this folder.",
  took: (time: string) => `took ${time} the last time`,
  neverRun: "never ran here",
  found: (place: string) => `from ${place}`,
  preferences: "Preferences",
  noPreferences: "None are kept.",
  ask: "Ask for a change",
  undo: "Undo…",
  redo: "Redo…",
  undoTitle: (summary: string) => `Undo: ${summary}`,
  redoTitle: (summary: string) => `Redo: ${summary}`,
  nothing: { undo: "Nothing can be undone", redo: "Nothing can be redone" },
  goesBack: (files: string) => `${files} change by it`,
  merged: "Changed since, and merged: later edits stay",
  conflicts: "Stays as it is, for it was changed since in the same places",
  onePart: "This is one part of a goal; its other parts stay as they are.",
  next: "What comes next",
  back: "Back to the workspace",
} as const;
