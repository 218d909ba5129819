import { lineStart } from "../lines/lines.ts";
import type { AppliedHunk, PatchResult } from "../patch-result.ts";
import type { Edit } from "./edit.ts";
import { type FlatText, type Span, toFlat } from "./flat-text.ts";
import { areApart, type Part, partEdits } from "./part-edits.ts";

type Apply = (source: string, edits: readonly Edit[]) => PatchResult;

/** A part with its edits made. */
interface MadePart extends Part {
  readonly text: string;
  /** One for each of its edits, with lines of the part. */
  readonly hunks: readonly AppliedHunk[];
}

/** With fewer edits there is nothing to gain. */
const FEW = 3;

/**
 * Makes edits that are quoted as the text is, each in the part of it that it is about, so that all
 * of them together take time in proportion to the text and the edits. Undefined where they may have
 * to do with each other: then they are made one after the other in the whole text.
 */
export function applyApart(
  text: FlatText,
  edits: readonly Edit[],
  apply: Apply,
): PatchResult | undefined {
  if (edits.length < FEW) return undefined;
  const parts = partEdits(text, edits);
  if (parts === undefined || parts.length === 1) return undefined;
  const made: MadePart[] = [];
  for (const part of parts) {
    const own = part.edits.flatMap((i) => edits[i] ?? []);
    const result = apply(sliceLines(text, part.from, part.to), own);
    // What was tolerated may have been found elsewhere as well.
    if (!result.ok || result.hunks.some(({ matched }) => matched !== "exact")) return undefined;
    made.push({ ...part, text: result.text, hunks: result.hunks });
  }
  const { source, ranges } = join(text, made, edits.length);
  if (!areApart(source, edits, ranges)) return undefined;
  return { ok: true, text: source, hunks: describe(made, edits) };
}

/** Lines with their ends; the first one with the byte order mark before it. */
function sliceLines({ origin }: FlatText, from: number, to: number): string {
  return origin.source.slice(from === 0 ? 0 : lineStart(origin, from), lineStart(origin, to));
}

/** The text with all parts in their places, and where in it, as flat text, the part of each edit is. */
function join(text: FlatText, made: readonly MadePart[], count: number) {
  const pieces: string[] = [];
  const ranges = Array.from({ length: count }, (): Span => ({ start: 0, end: 0 }));
  let [done, at] = [0, 0];
  const put = (piece: string) => {
    pieces.push(piece);
    at += toFlat(piece).length;
  };
  for (const part of made) {
    if (part.from > done) put(sliceLines(text, done, part.from));
    const start = at;
    put(part.text);
    for (const edit of part.edits) ranges[edit] = { start, end: at };
    done = part.to;
  }
  put(text.origin.source.slice(lineStart(text.origin, done)));
  return { source: pieces.join(""), ranges };
}

/** What was done, in the order of the edits; lines are those of the text that each one met. */
function describe(made: readonly MadePart[], edits: readonly Edit[]): readonly AppliedHunk[] {
  const hunks = made
    .flatMap((part, at) =>
      part.edits.flatMap((edit, i) => {
        const hunk = part.hunks[i];
        return hunk === undefined ? [] : [{ edit, at, from: part.from, hunk }];
      }),
    )
    .toSorted((a, b) => a.edit - b.edit);
  const grown = new Int32Array(made.length);
  return hunks.map(({ edit, at, from, hunk }) => {
    const above = grown.subarray(0, at).reduce((sum, more) => sum + more, 0);
    // With a note nothing was changed.
    if (hunk.note === undefined) grown[at] = (grown[at] ?? 0) + growthOf(edits[edit]);
    return Object.assign({}, hunk, { line: hunk.line + from + above });
  });
}

/** How many more lines a text has after an edit. */
function growthOf(edit: Edit | undefined): number {
  const count = (text = "") => text.split("\n").length;
  return count(edit?.after) - count(edit?.before);
}
