/** The library surface: pure functions that need no daemon and do no IO. */

export type { ErrorCode } from "./core/error-codes.ts";
export { applyPatch } from "./patch/apply-patch.ts";
export type { AppliedHunk, PatchRefusal, PatchResult } from "./patch/patch-result.ts";
export { replaceRange } from "./patch/replace-range.ts";
export { validateResponse } from "./protocol/validate-response.ts";
