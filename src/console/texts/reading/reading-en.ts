import { plural } from "../../../texts/plural.ts";

/** What is said of a line of a change. */
export const LINE_EN = {
  added: "added",
  removed: "removed",
  at: (number: number) => `line ${number}`,
  openEnd: "no end of line",
  more: (count: number) =>
    `Show more (${plural("en", count, { one: "character", many: "characters" })} left)`,
  copied: "The link to the line is copied",
  copiedLines: (count: number, hidden: number) =>
    `Copied: ${plural("en", count, { one: "line", many: "lines" })}${hidden > 0 ? `; ${plural("en", hidden, { one: "folded line is", many: "folded lines are" })} not among them` : ""}`,
  printed:
    "Printed is what was drawn on the screen: where ⋯ stands, and in files that are closed, lines are left out.",
  findHint: "The browser finds the lines that are drawn; / looks into all of them",
  oneSided: "This line has no other side",
} as const;

/** The keys and what they do. */
export const HELP_EN = {
  title: "Keys",
  open: "Keys",
  keys: {
    next: "To the next entry or file",
    previous: "To the previous entry or file",
    open: "Open",
    unfold: "Show or hide the changes",
    approve: "Approve",
    reject: "Reject",
    nextChange: "Next change",
    previousChange: "Previous change",
    nextLine: "Next line",
    previousLine: "Previous line",
    otherSide: "The same line on its other side, before or after",
    search: "Search",
    tree: "File tree",
    split: "Unified or side by side",
    blanks: "Ignore whitespace",
    reading: "Reading mode for screen readers",
    copyLink: "Copy the link to the line",
    comment: "Comment on the line or lines",
    extendDown: "One line further down: the lines to comment on, or those of a comment",
    extendUp: "One line further up: the lines to comment on, or those of a comment",
    seen: "Tick the file as seen, or not",
    inbox: "To the inbox",
    help: "Keys",
    close: "Close",
  },
} as const;
