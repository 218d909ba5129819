import { type FlatText, findSpans, flattenSource, lineAt, type Span } from "./flat-text.ts";
import { foldLine } from "./fold-line.ts";

/** Where an anchor stands: as quoted anywhere, else the lines that hold it up to layout. */
export function findAnchor(text: FlatText, anchor: string): readonly Span[] {
  const exact = findSpans(text, anchor, 0, text.flat.length);
  return exact.length > 0 ? exact : findFolded(text, anchor.trim().split("\n"));
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
