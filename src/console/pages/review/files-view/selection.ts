import { type Signal, signal } from "@preact/signals";
import type { Row } from "../../../diff/diff.ts";
import { type Cursor, isAt, type LineOf, linesIn, type Review } from "../model/model.ts";

type Side = LineOf["side"];
type Rows = readonly Row[];

/** Lines that somebody selects, as the model has them: those that are not drawn any more are not lost. */
export interface Selection {
  /** Grows when others are selected. */
  readonly version: Signal<number>;
  /** Side by side the side of all that is selected. */
  readonly side: () => Side | undefined;
  /** Begins at a row; nothing is selected by that. */
  begin(at: Cursor, side: Side | undefined): void;
  /** Selects up to a row; false: it was begun nowhere, or on the other side. */
  reach(at: Cursor, side?: Side): boolean;
  /** Selects all lines of a file. */
  all(file: number, side: Side | undefined): void;
  clear(): void;
  /** The first and the last row of a file that are selected. */
  rowsIn(file: number): readonly [from: number, to: number] | undefined;
  /** What is copied, without numbers and signs, how many lines that are, and how many folds hide between. */
  copy(): { readonly text: string; readonly lines: number; readonly hidden: number } | undefined;
}

/** One end: a line, wherever rows are laid; its row is known as long as they are these. */
interface End {
  readonly path: string;
  readonly line: LineOf;
  readonly rows: Rows;
  readonly row: number;
}

/** Nothing is selected in the files that there are at each time. */
export function createSelection({ files }: Pick<Review, "files">): Selection {
  const version = signal(0);
  let side: Side | undefined;
  let first: End | undefined;
  let last: End | undefined;
  const changed = () => void (version.value += 1);

  function endAt({ file, row }: Cursor): End | undefined {
    const it = files()[file];
    const lines = linesIn(it?.laid.rows[row]);
    const line = lines.find((each) => each.side === side) ?? lines[0];
    return it && line && { path: it.entry.path, line, rows: it.laid.rows, row };
  }

  function placeOf(end: End | undefined): Cursor | undefined {
    const file = end ? files().findIndex(({ entry }) => entry.path === end.path) : -1;
    const rows = files()[file]?.laid.rows;
    if (!end || !rows) return undefined;
    const row = rows === end.rows ? end.row : rows.findIndex((each) => isAt(each, end.line));
    return row < 0 ? undefined : { file, row };
  }

  function ends(): readonly [Cursor, Cursor] | undefined {
    const [one, other] = [placeOf(first), placeOf(last)];
    if (!one || !other) return undefined;
    const isUp = other.file < one.file || (other.file === one.file && other.row < one.row);
    return isUp ? [other, one] : [one, other];
  }

  function rowsIn(file: number): readonly [number, number] | undefined {
    const [from, to] = ends() ?? [];
    if (!from || !to || file < from.file || file > to.file) return undefined;
    const count = files()[file]?.laid.rows.length ?? 0;
    return [file === from.file ? from.row : 0, file === to.file ? to.row : count - 1];
  }

  return {
    version,
    side: () => side,
    rowsIn,
    begin(at, of) {
      side = of;
      [first, last] = [endAt(at), undefined];
      changed();
    },
    reach(at, of = side) {
      const next = first && of === side ? endAt(at) : undefined;
      if (!next) return false;
      // A part of one line is for the browser to select.
      const isOne = next.rows === first?.rows && next.row === first.row;
      if (isOne && last === undefined) return true;
      last = isOne ? undefined : next;
      changed();
      return true;
    },
    all(file, of) {
      side = of;
      const stops = [...(files()[file]?.laid.rows ?? []).entries()].flatMap(([row, each]) =>
        linesIn(each).length > 0 ? [row] : [],
      );
      [first, last] = [stops[0], stops.at(-1)].map((row = -1) => endAt({ file, row }));
      changed();
    },
    clear() {
      if (first === undefined) return;
      [first, last] = [undefined, undefined];
      changed();
    },
    copy() {
      const [from, to] = ends() ?? [];
      if (!from || !to) return undefined;
      const lines: string[] = [];
      let hidden = 0;
      for (let file = from.file; file <= to.file; file++) {
        const [top, bottom] = rowsIn(file) ?? [0, -1];
        for (const row of files()[file]?.laid.rows.slice(top, bottom + 1) ?? []) {
          if (row.kind === "fold") hidden += row.hidden;
          const line = lineIn(row, side);
          if (line !== undefined) lines.push(line);
        }
      }
      return { text: lines.join("\n"), lines: lines.length, hidden };
    },
  };
}

function lineIn(row: Row, side: Side | undefined): string | undefined {
  if (row.kind === "line") return row.line.text;
  if (row.kind !== "pair") return undefined;
  return (side === "L" ? row.pair.left : row.pair.right)?.text;
}
