import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Row } from "../../../diff/diff.ts";
import { isAt, type LineOf, linesIn } from "./line-of.ts";
import type { Opening } from "./opening.ts";
import type { ReviewFile } from "./review-file.ts";

/** Where a person is in a review, and what they look for in it. */
export interface Position {
  /** The row in which that is now: the line is the same one, however rows are laid. */
  readonly cursor: () => Cursor | undefined;
  /** The line that is, and the one to which they have gone on from there: the same at first. */
  readonly stretch: () => Stretch | undefined;
  /** Opens what hides the place, whoever leads there; without a line it is that which the row has. */
  goTo(cursor: Cursor, line?: LineOf): void;
  /** Goes on to another line of the same side, or, without one, back to the one. */
  reach(end: number | undefined): void;
  readonly query: Signal<string>;
}

/** Where somebody is in a review; row -1 is the head of the file. */
export interface Cursor {
  readonly file: number;
  readonly row: number;
}

/** Lines from the one on which somebody is to another, above or below. */
export interface Stretch extends LineOf {
  readonly end: number;
}

/** What a place is while rows come and go: a line of a file, or its head. */
interface Spot {
  readonly path: string;
  readonly line: LineOf | undefined;
  readonly end?: number | undefined;
}

/** Nowhere yet, in the files that there are at each time. */
export function createPosition(
  files: () => readonly ReviewFile[],
  version: ReadonlySignal<number>,
  opening: Pick<Opening, "toggle" | "showPicture">,
): Position {
  const spot = signal<Spot | undefined>(undefined);
  /** Where it was found last: rows are many, and it is asked for at each look. */
  let found: { rows: readonly Row[]; line: LineOf; row: number } | undefined;

  function rowOf(rows: readonly Row[], line: LineOf): number {
    if (found?.rows !== rows || found.line !== line) {
      found = { rows, line, row: rows.findIndex((row) => isAt(row, line)) };
    }
    return found.row;
  }

  return {
    query: signal(""),
    cursor() {
      void version.value; // whoever asks is told when rows are others
      if (!spot.value) return undefined;
      const { path, line } = spot.value;
      const file = files().findIndex(({ entry }) => entry.path === path);
      const rows = files()[file]?.laid.rows;
      return rows && { file, row: line ? rowOf(rows, line) : -1 };
    },
    stretch() {
      const { line, end = line?.line } = spot.value ?? { line: undefined };
      return line && end !== undefined ? { ...line, end } : undefined;
    },
    reach(end) {
      if (spot.value?.line) spot.value = { ...spot.value, end };
    },
    goTo({ file: at, row }, line) {
      const file = files()[at];
      if (!file) return;
      const { path } = file.entry;
      const there = file.laid.rows[row];
      const was = spot.value?.path === path ? spot.value.line : undefined;
      // Whoever is led to the row in which they are is at the same line of it.
      const isThere = !line && was && there && isAt(there, was);
      if (!isThere) spot.value = { path, line: line ?? linesIn(there)[0] };
      if (row < 0) return;
      if (!file.isOpen) opening.toggle(at, true);
      if (file.isPicture) opening.showPicture(at, false);
    },
  };
}
