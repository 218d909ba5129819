import type { ErrorCode } from "../core/error-codes.ts";

/** Where one hunk went and how it was recognised. */
export interface AppliedHunk {
  /** First line of the hunk's old side in the source, from 1. */
  readonly line: number;
  /** exact: as quoted, where stated; drifted: as quoted, elsewhere; tolerant: not quite as quoted. */
  readonly matched: "exact" | "drifted" | "tolerant";
  /** For people: what was tolerated, or that there was nothing to do. */
  readonly note?: string;
}

/** Nothing was changed, and why. */
export interface PatchRefusal {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
  /** For the repair turn: the nearest block with line numbers, or all places that fit. */
  readonly hint?: string;
}

/** The new text, or a refusal: a change is made where it was intended or not at all. */
export type PatchResult =
  | { readonly ok: true; readonly text: string; readonly hunks: readonly AppliedHunk[] }
  | PatchRefusal;
