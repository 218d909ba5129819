import { inEnglish } from "../in-english.ts";
import type { PatchResult } from "../patch-result.ts";
import type { Edit } from "./edit.ts";
import { type EditOptions, makeEdits } from "./make-edits.ts";

export type { Edit } from "./edit.ts";
export { makeEdits } from "./make-edits.ts";

/**
 * Makes anchored replacements one after the other, each in the text that the earlier ones left: all
 * of them where they were intended, or none. The rules are in `docs/patch-rules.md`.
 *
 * Pure; takes time in proportion to source and edits, where what edits replace is quoted as the text
 * is, or up to layout; each other edit takes time in proportion to the source. The line of an applied edit is one of
 * the text that this edit met. A refusal has no text.
 */
export function applyEdits(
  source: string,
  edits: readonly Edit[],
  options: EditOptions = {},
): PatchResult {
  return inEnglish(makeEdits(source, edits, options));
}
