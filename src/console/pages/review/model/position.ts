import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Row } from "../../../diff/diff.ts";
import { isAt, type LineOf, linesIn } from "./line-of.ts";
import type { Opening } from "./opening.ts";
import type { ReviewFile } from "./review-file.ts";

/** Where a person is in a review, and what they look for in it. */
export interface Position {
  /** The row in which that is now: the line is the same one, however rows are laid. */
  readonly cursor: () => Cursor | undefined;
  /** Opens what hides the place, whoever leads there. */
  goTo(cursor: Cursor): void;
  readonly query: Signal<string>;
}

/** Where somebody is in a review; row -1 is the head of the file. */
export interface Cursor {
  readonly file: number;
  readonly row: number;
}

/** What a place is while rows come and go: a line of a file, or its head. */
interface Spot {
  readonly path: string;
  readonly line: LineOf | undefined;
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
    goTo({ file: at, row }) {
      const file = files()[at];
      if (!file) return;
      const [line] = linesIn(file.laid.rows[row]);
      spot.value = { path: file.entry.path, line };
      if (row < 0) return;
      if (!file.isOpen) opening.toggle(at, true);
      if (file.isPicture) opening.showPicture(at, false);
    },
  };
}
