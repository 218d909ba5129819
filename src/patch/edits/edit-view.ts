import type { LineEdit } from "../lines/lines.ts";
import { foldLine } from "../lines/lines.ts";
import { createFinder, type Finder } from "../places/places.ts";
import type { Edit } from "./edit.ts";
import { toHunk } from "./edit-hunk.ts";
import { type FlatText, flattenSource, reflatten } from "./flat-text.ts";

/** A text that edits are made in, and what looks places up in it. */
export interface EditView {
  readonly text: FlatText;
  readonly finder: Finder;
  /** Its lines up to layout, one for one; built at the first question. */
  folded(): FlatText;
  /** The view of `source`, which differs in the lines from `from` up to `to` only. */
  after(source: string, from: number, to: number): EditView;
}

/**
 * A view of a source. What was built for it serves the views after it as well, so that an edit of
 * a large file takes less time than to read the file.
 */
export function createView(source: string, edits: readonly Edit[] = []): EditView {
  const text = flattenSource(source);
  const changes = () => edits.map((edit, i) => toHunk(edit, i + 1).lines);
  return viewOf(text, createFinder(text.origin.lines, undefined, changes));
}

function viewOf(text: FlatText, finder: Finder, known?: FlatText): EditView {
  const { lines } = text.origin;
  let folded = known;
  return {
    text,
    finder,
    folded: () => (folded ??= flattenSource(foldAll(lines))),
    after(source, from, to) {
      // At the end of a text a change may touch the line end above it.
      const at = Math.max(0, from - 1);
      const next = reflatten(text, source, at, to);
      const renewed = next.origin.lines;
      const add = renewed.slice(at, renewed.length - (lines.length - to));
      const edit = { at, remove: to - at, add };
      return viewOf(next, finder.after(edit, renewed), folded && refold(folded, edit));
    },
  };
}

function refold(folded: FlatText, { at, remove, add }: LineEdit): FlatText {
  const [head, tail] = [folded.starts[at], folded.starts[at + remove]];
  const source = folded.flat.slice(0, head) + foldAll(add) + folded.flat.slice(tail);
  return reflatten(folded, source, at, at + remove);
}

function foldAll(lines: readonly string[]): string {
  return lines.map((line) => `${foldLine(line)}\n`).join("");
}
