import { inEnglish } from "./in-english.ts";
import type { PatchResult } from "./patch-result.ts";
import { type PatchOptions, placePatch } from "./place-patch.ts";

/**
 * Applies a unified diff as models write them: makes the change that was intended, or refuses and says
 * what was nearest; never in a wrong place. The rules are in `docs/patch-rules.md`.
 *
 * Pure; takes time in proportion to source and patch. A refusal has no text.
 */
export function applyPatch(source: string, patch: string, options: PatchOptions = {}): PatchResult {
  return inEnglish(placePatch(source, patch, options));
}
