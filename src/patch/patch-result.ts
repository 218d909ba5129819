import type { ErrorCode } from "../core/error-codes.ts";
import type { HunkNote } from "../texts/notes/notes.ts";

/** Where one hunk went and how it was recognised. */
export interface PlacedHunk {
  /** First line of the hunk's old side in the source, from 1. */
  readonly line: number;
  /** exact: as quoted, where stated; drifted: as quoted, elsewhere; tolerant: not quite as quoted. */
  readonly matched: "exact" | "drifted" | "tolerant";
  /** What was tolerated, or that there was nothing to do. */
  readonly said: readonly HunkNote[];
}

/** The same for programs. */
export interface AppliedHunk extends Omit<PlacedHunk, "said"> {
  /** In English: what was tolerated, or that there was nothing to do. */
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

/** A new text, and what was done for each hunk. */
interface Patched<H> {
  readonly ok: true;
  readonly text: string;
  readonly hunks: readonly H[];
}

/** The new text, or a refusal: a change is made where it was intended or not at all. */
export type PatchResult = Patched<AppliedHunk> | PatchRefusal;

/** The same without words. */
export type PatchPlacing = Patched<PlacedHunk> | PatchRefusal;
