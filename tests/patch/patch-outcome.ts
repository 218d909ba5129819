import type { PatchRefusal, PatchResult } from "../../src/patch/patch-result.ts";

/** The text of a patch that has to apply. */
export function textOf(result: PatchResult): string {
  if (!result.ok) throw new Error(`${result.message}\n${result.hint ?? ""}`);
  return result.text;
}

/** The refusal of a patch that must not apply. */
export function refusalOf(result: PatchResult): PatchRefusal {
  if (result.ok) throw new Error(`was applied:\n${result.text}`);
  return result;
}
