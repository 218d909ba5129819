/** The library surface: functions that need no daemon; only `checkUrl` does IO, it asks DNS. */

export { extractErrorCodePrefix } from "./core/error-code-prefix.ts";
export type { ErrorCode } from "./core/error-codes.ts";
export { type CheckUrlOptions, checkUrl, type UrlVerdict } from "./http/check-url/check-url.ts";
export { type HtmlOptions, htmlToText } from "./http/html-to-text/html-to-text.ts";
export { applyPatch } from "./patch/apply-patch.ts";
export type { Edit } from "./patch/edits/edits.ts";
export { applyEdits } from "./patch/edits/edits.ts";
export type { AppliedHunk, PatchRefusal, PatchResult } from "./patch/patch-result.ts";
export { replaceRange } from "./patch/replace-range.ts";
export { checkResponse as validateResponse } from "./protocol/check-response.ts";
export type { Validation, ValidationOptions } from "./protocol/validate-response.ts";
