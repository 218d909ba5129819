import { spliceEdits, splitSource } from "./lines/lines.ts";
import type { PatchResult } from "./patch-result.ts";

/** Lines from 1, both ends included; `endLine = startLine - 1` inserts before `startLine`. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
  /** The new lines; a line end after the last one is optional; "" deletes. */
  readonly content: string;
}

/** Replaces a range of lines; line ends and the state of the last line stay the source's. */
export function replaceRange(source: string, range: LineRange): PatchResult {
  const { startLine, endLine, content } = range;
  const text = splitSource(source);
  const count = text.lines.length;
  const inside = startLine >= 1 && endLine >= startLine - 1 && endLine <= count;
  if (!inside || !Number.isInteger(startLine) || !Number.isInteger(endLine)) {
    return {
      ok: false,
      code: "ERR_RANGE_OUT_OF_BOUNDS",
      message: `Cannot replace lines "${startLine}-${endLine}": the file has ${count} lines; give a range inside them`,
    };
  }
  const add = splitSource(content).lines;
  const edit = { at: startLine - 1, remove: endLine - startLine + 1, add };
  const touched = edit.remove > 0 || add.length > 0;
  return {
    ok: true,
    text: touched ? spliceEdits(text, [edit]) : source,
    hunks: [{ line: startLine, matched: "exact" }],
  };
}
