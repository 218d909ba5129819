import type { FileEntry } from "../../client/client.ts";
import type { Line, Row } from "../../diff/diff.ts";

/** How high a row of one line is; `.row` of the style sheet says the same. */
export const ROW_PX = 20;
/** A fold. */
export const FOLD_PX = 32;
/** The head of a file: on a narrow screen its name has a line of its own; the style sheet says the same. */
export const headPx = (): number => (NARROW?.matches ? 68 : 40);
const NARROW = windowOf(globalThis).matchMedia?.("(max-width: 560px)");
/** Between two files, edges with it. */
export const SECTION_GAP_PX = 14;
/** What is said of a line. */
const COMMENT_PX = 166;
/** Letters of the numbers of lines, the signs and the edges. */
const EDGE_COLUMNS = { unified: 15, split: 9 } as const;
const TAB_COLUMNS = 4;

/** How high a row will be; what it is, is measured as soon as it is drawn. */
export function guessHeight(row: Row | undefined, columns: number, isSplit: boolean): number {
  if (row?.kind === "fold" || row?.kind === "hunk") return FOLD_PX;
  if (row?.kind === "comment") return COMMENT_PX;
  const width = isSplit
    ? Math.floor(columns / 2) - EDGE_COLUMNS.split
    : columns - EDGE_COLUMNS.unified;
  const lines = row?.kind === "line" ? [row.line] : [row?.pair.left, row?.pair.right];
  return ROW_PX * Math.max(...lines.map((line) => linesOf(line, Math.max(8, width))));
}

function linesOf(line: Line | undefined, width: number): number {
  if (!line) return 1;
  const shown = Math.min(line.text.length, 2000);
  const tabs = line.text.includes("\t") ? line.text.split("\t").length - 1 : 0;
  return Math.max(1, Math.ceil((shown + tabs * (TAB_COLUMNS - 1)) / width));
}

/** Above so many changed lines a file is closed at first. */
const MOST_OPEN_LINES = 2000;

/** Whether somebody will want to see the lines of a file, before they have said so. */
export function isOpenAtFirst({ binary, generated, added, removed }: FileEntry): boolean {
  return !generated && !binary && added + removed <= MOST_OPEN_LINES;
}

/** Tests of what is laid have no window. */
function windowOf(world: object): {
  matchMedia?(query: string): { readonly matches: boolean };
} {
  return world;
}
