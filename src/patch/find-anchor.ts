import {
  type FlatText,
  findCutSpans,
  findSpans,
  flattenSource,
  lineAt,
  type Span,
} from "./flat-text.ts";
import { foldLine } from "./fold-line.ts";

/**
 * Where an anchor stands: as quoted; else the lines that hold it up to layout; else as quoted with
 * its ends inside of words, since long anchors are cut off anywhere.
 */
export function findAnchor(text: FlatText, anchor: string): readonly Span[] {
  const exact = findSpans(text, anchor, 0, text.flat.length);
  if (exact.length > 0) return exact;
  const folded = findFolded(text, anchor.trim().split("\n"));
  return folded.length > 0 ? folded : findCutSpans(text, anchor);
}

function findFolded({ origin, starts }: FlatText, anchor: readonly string[]): readonly Span[] {
  const folded = flattenSource(origin.lines.map(foldLine).join("\n"));
  const found = findSpans(folded, anchor.map(foldLine).join("\n"), 0, folded.flat.length);
  // Twice in one line says no more than once.
  const lines = new Set(found.map(({ start }) => lineAt(folded, start)));
  return Array.from(lines, (line) => ({
    start: starts[line] ?? 0,
    end: starts[line + anchor.length] ?? 0,
  }));
}
