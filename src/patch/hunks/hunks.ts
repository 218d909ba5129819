export { chooseHunks } from "./choose-hunks.ts";
export {
  createHunk,
  type Hunk,
  type HunkLine,
  hasWords,
  partsByHunk,
  statedStart,
  withLines,
} from "./hunk.ts";
export { areAllOrNone, findNumbering, withoutLineNumbers, withoutNumber } from "./line-numbers.ts";
export { type HasLine, isFileHeader } from "./marked-lines.ts";
export { isDotsComment, standsForLines } from "./placeholder.ts";
export { readHunk } from "./read-hunk.ts";
export { isWrappedHeader } from "./shown-patch.ts";
export { splitElided } from "./split-elided.ts";
export { surveyPatch } from "./survey.ts";
export { unescapeText, unwrapPatch } from "./unwrap-patch.ts";
