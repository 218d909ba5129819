import { json } from "../../../client/client.ts";
import { isAt, type LineOf, linesIn, type ReviewFile } from "../model/model.ts";
import { offsetOf, rowAtTop, rowsOffset } from "./sections.ts";

/** What somebody sees first of a review: a line of a file, or its head, and how far below the edge it is. */
export interface Standing {
  readonly path: string;
  readonly line?: LineOf | undefined;
  readonly px: number;
}

type Files = readonly ReviewFile[];

/** What is at the upper edge of the pane, which is so far below the beginning of the files. */
export function standingAt(files: Files, top: number): Standing | undefined {
  const first = rowAtTop(files, top);
  const file = first && files[first.file];
  if (!file) return undefined;
  const { path } = file.entry;
  const { rows, heights } = file.laid;
  for (let row = Math.max(0, first.row); first.row >= 0 && row < rows.length; row++) {
    const [line] = linesIn(rows[row]);
    if (!line) continue;
    return { path, line, px: rowsOffset(files, first.file) + heights.offsetOf(row) - top };
  }
  return { path, px: offsetOf(files, first.file) - top };
}

/** Where the upper edge has to be so that it is there again; undefined: it is not shown any more. */
export function topFor(files: Files, { path, line, px }: Standing): number | undefined {
  const at = files.findIndex(({ entry }) => entry.path === path);
  const file = files[at];
  if (!file) return undefined;
  if (!line) return offsetOf(files, at) - px;
  const row = file.laid.rows.findIndex((each) => isAt(each, line));
  return row < 0 ? undefined : rowsOffset(files, at) + file.laid.heights.offsetOf(row) - px;
}

/** Reads what an entry of the history has of it. */
export function readStanding(value: unknown): Standing | undefined {
  const { path, line, px } = json.fields(value);
  if (typeof path !== "string" || typeof px !== "number") return undefined;
  const { side, line: number } = json.fields(line);
  const isLine = (side === "L" || side === "R") && typeof number === "number";
  return { path, px, ...(isLine && { line: { side, line: number } }) };
}
