import { plural } from "../../../texts/plural.ts";

const files = (count: number) => plural("en", count, { one: "file", many: "files" });

/** What a person says of a change set and leaves out of it, in English. */
export const REVISING_EN = {
  comment: {
    onLine: (line: number) => `Comment on line ${line}`,
    onOldLine: (line: number) => `Comment on removed line ${line}`,
    onFile: (path: string) => `Comment on ${path}`,
    onLines: (from: number, to: number) => `Comment on lines ${from}–${to}`,
    onOldLines: (from: number, to: number) => `Comment on old lines ${from}–${to}`,
    lines: (from: number, to: number) => (from === to ? `Line ${from}` : `Lines ${from}–${to}`),
    oldLines: (from: number, to: number) =>
      from === to ? `Old line ${from}` : `Old lines ${from}–${to}`,
    toLine: "to line",
    writeLine: "Write the line yourself",
    writeLines: "Write the lines yourself",
    instead: (line: number) => `What line ${line} is to be`,
    insteadOf: (from: number, to: number) => `What lines ${from}–${to} are to be`,
    onAll: "Comment on the whole",
    drop: "Discard",
    dropOf: (label: string) => `Discard: ${label}`,
    said: "You said of the version before",
    saidAt: (line: number) =>
      `You said of line ${line} of the version before, which is not there any more`,
    waiting: (count: number) =>
      `${plural("en", count, { one: "comment", many: "comments" })} to send with Change…`,
    failed: (reason: string) => `What you write could not be kept: ${reason}`,
    passOver: (label: string, count: number) =>
      `${label} without sending ${plural("en", count, { one: "comment", many: "comments" })}`,
    passWords: (label: string) => `${label} without sending what you typed`,
    notSent: (count: number) =>
      `${plural("en", count, { one: "comment was", many: "comments were" })} not sent`,
    elsewhere: "Another window has other words here.",
    takeThose: "Show those",
    full: (most: number) =>
      `A comment has at most ${most} characters: what goes beyond that is not taken.`,
  },
  leave: {
    word: "Include",
    take: (path: string) => `Include ${path}`,
    takeHunk: (number: number, path: string) => `Include change ${number} of ${path}`,
    hunk: (number: number) => `Change ${number}`,
    asBefore: (number: number) => `Change ${number}: as in the previous version`,
    asLooked: (number: number) => `Change ${number}: as when you looked`,
    out: (files_: number, hunks: number) =>
      `Leave out ${[
        ...(files_ > 0 ? [files(files_)] : []),
        ...(hunks > 0 ? [plural("en", hunks, { one: "change", many: "changes" })] : []),
      ].join(", ")}`,
    noYes: (label: string) =>
      `A yes to the whole does not count while something is left out: press “${label}”, or include all again.`,
    all: "Include all again",
    failed: (reason: string) => `What you leave out could not be kept: ${reason}`,
    before: (parts: string) => `You left out of the version before: ${parts}`,
    some: (hunks: number, path: string) =>
      `${plural("en", hunks, { one: "change", many: "changes" })} of ${path}`,
  },
} as const;
