import { lineEnd, lineStart, type SourceText } from "./source-text.ts";

/** Take `remove` lines away before line `at` (from 0) and put `add` there. */
export interface LineEdit {
  readonly at: number;
  readonly remove: number;
  readonly add: readonly string[];
}

/** Whether the new text ends in a line end; "keep": as the source does. */
export type FinalEol = "keep" | "add" | "drop";

/**
 * The source with the edits made; they are ascending and do not overlap.
 *
 * Untouched lines are slices of the source, so their bytes cannot change. An added line takes the
 * line end of the line it replaces, else of its neighbour. `finalEol` counts only where an edit
 * reaches the end of the text.
 */
export function spliceEdits(
  text: SourceText,
  edits: readonly LineEdit[],
  finalEol: FinalEol = "keep",
): string {
  const head = text.source.slice(0, lineStart(text, 0));
  let out = head;
  let eol = "";
  let done = 0;
  for (const edit of edits) {
    if (edit.at > done) eol = lineEnd(text, edit.at - 1);
    out += text.source.slice(lineStart(text, done), lineStart(text, edit.at));
    if (edit.add.length > 0 && out !== head && !out.endsWith("\n")) out += eolFor(text, edit, 0);
    for (const [k, line] of edit.add.entries()) {
      eol = eolFor(text, edit, k);
      out += line + eol;
    }
    done = edit.at + edit.remove;
  }
  if (edits.length === 0 || done < text.lines.length) {
    return out + text.source.slice(lineStart(text, done));
  }
  return out === head ? out : endWith(text, out, eol, finalEol);
}

function eolFor(text: SourceText, edit: LineEdit, k: number): string {
  const twin = edit.at + Math.min(k, edit.remove - 1);
  for (const near of [twin, edit.at - 1, edit.at, 0]) {
    const eol = lineEnd(text, near);
    if (eol !== "") return eol;
  }
  return "\n";
}

/** `eol` is the line end that the text has now, if any: a CR before it may be the line's own. */
function endWith(text: SourceText, out: string, eol: string, finalEol: FinalEol): string {
  const sourceTerminated = text.lines.length === 0 || text.source.endsWith("\n");
  const terminated = finalEol === "keep" ? sourceTerminated : finalEol === "add";
  if (out.endsWith("\n") === terminated) return out;
  if (terminated) return out + (lineEnd(text, 0) || "\n");
  return out.slice(0, out.length - eol.length);
}
