import type { HunkNote } from "../../texts/notes/notes.ts";
import { unescapeText } from "../hunks/hunks.ts";
import { findDecoding, findRetab } from "../places/places.ts";
import type { Edit } from "./edit.ts";
import type { EditView } from "./edit-view.ts";
import { findSpans, toFlat } from "./flat-text.ts";

/** Edits as they were before what happened to all of them, and what that was. */
export interface Restored {
  readonly edits: readonly Edit[];
  readonly repairs: readonly HunkNote[];
}

type Way = (view: EditView, edits: readonly Edit[]) => Restored | undefined;

/**
 * The edits without what together they show: line ends escaped twice, signs in another code, the
 * other kind of indentation. Undefined where they are quoted as the file is, or show nothing. Whether
 * they are is asked of `likely` others first.
 */
export function restoreEdits(
  view: EditView,
  edits: readonly Edit[],
  likely: readonly Edit[],
): Restored | undefined {
  const { text } = view;
  const isQuoted = ({ before }: Edit) =>
    findSpans(text, toFlat(before), 0, text.flat.length).length > 0;
  if (likely.every(isQuoted) && edits.every(isQuoted)) return undefined;
  let restored: Restored = { edits, repairs: [] };
  for (const way of [unescaped, decoded, retabbed] satisfies readonly Way[]) {
    const next = way(view, restored.edits);
    if (next !== undefined) {
      restored = { edits: next.edits, repairs: [...restored.repairs, ...next.repairs] };
    }
  }
  return restored.repairs.length > 0 ? restored : undefined;
}

/** One line each, with the marks of line ends that the file has in their places. */
const unescaped: Way = ({ finder }, edits) => {
  const isOneLine = ({ before, after }: Edit) => !/\n/.test(before.trim() + after.trim());
  if (!edits.every(isOneLine)) return undefined;
  const isProven = edits.some(({ before }) => {
    const lines = unescapeText(before)?.split("\n") ?? [];
    const worded = lines.filter((line) => line.trim() !== "");
    return lines.length > 1 && worded.every((line) => finder.positions(line).length > 0);
  });
  if (!isProven) return undefined;
  const change = (part: string) => unescapeText(part) ?? part;
  return {
    edits: edits.map((edit) => changeTexts(edit, change)),
    repairs: ["escaped"],
  };
};

const decoded: Way = ({ finder }, edits) => {
  const quoted = edits.flatMap(({ before }) => toFlat(before).split("\n"));
  const all = [...quoted, ...edits.flatMap(({ after }) => toFlat(after).split("\n"))];
  const decoding = findDecoding(quoted, all, finder);
  return (
    decoding && {
      edits: edits.map((edit) => changeTexts(edit, decoding.decode)),
      repairs: decoding.repairs,
    }
  );
};

/** One edit alone is indented like its own place. */
const retabbed: Way = ({ text, finder }, edits) => {
  if (edits.length < 2) return undefined;
  const quoted = edits.flatMap(({ before }) => toFlat(before).split("\n"));
  const convert = findRetab(quoted, text.origin.lines, finder);
  if (convert === undefined) return undefined;
  const change = (part: string) => part.replace(/^.*$/gm, (line) => convert(line) ?? line);
  return {
    edits: edits.map((edit) => changeTexts(edit, change)),
    repairs: ["tabs"],
  };
};

function changeTexts(edit: Edit, change: (text: string) => string): Edit {
  const { anchor, before, after } = edit;
  return { ...edit, anchor: change(anchor), before: change(before), after: change(after) };
}
