import type { HunkNote } from "../../texts/notes/notes.ts";
import { foldLine } from "../lines/lines.ts";
import type { EditView } from "./edit-view.ts";
import { findCutSpans, findSpans, lineAt, type Span } from "./flat-text.ts";

/** What is tolerated of an anchor. */
export const FOLDED = "anchor layout";
export const CUT = "anchor cut";

/** Where an anchor is, and what was tolerated to find it there. */
export interface FoundAnchor {
  readonly spans: readonly Span[];
  readonly note?: HunkNote;
}

/**
 * Where an anchor is: as quoted; else the lines that hold it up to layout; else as quoted with its
 * ends inside of words, since long anchors are cut off anywhere.
 */
export function findAnchor(view: EditView, anchor: string): FoundAnchor {
  const exact = findSpans(view.text, anchor, 0, view.text.flat.length);
  if (exact.length > 0) return { spans: exact };
  const folded = findFolded(view, anchor.trim().split("\n"));
  if (folded.length > 0) return { spans: folded, note: FOLDED };
  return { spans: findCutSpans(view.text, anchor), note: CUT };
}

function findFolded(view: EditView, anchor: readonly string[]): readonly Span[] {
  const { starts } = view.text;
  const folded = view.folded();
  const found = findSpans(folded, anchor.map(foldLine).join("\n"), 0, folded.flat.length);
  // Twice in one line says no more than once.
  const lines = new Set(found.map(({ start }) => lineAt(folded, start)));
  return Array.from(lines, (line) => ({
    start: starts[line] ?? 0,
    end: starts[line + anchor.length] ?? 0,
  }));
}
