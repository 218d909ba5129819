export { findText } from "./find-sequence.ts";
export { foldLine, foldQuotes, isSameLine } from "./fold-line.ts";
export { foldRemoved } from "./fold-removed.ts";
export { createLineIndex, type LineIndex } from "./line-index.ts";
export {
  bagOf,
  endsInCommon,
  isAlike,
  isCompletion,
  isLikest,
  isNewForm,
  isSameShape,
  likeness,
  signsOf,
  wordsOf,
} from "./line-words.ts";
export { lineEnd, lineStart, recutSource, type SourceText, splitSource } from "./source-text.ts";
export { type FinalEol, type LineEdit, spliceEdits } from "./splice-edits.ts";
export { haveCommon, isWithin } from "./word-sets.ts";
