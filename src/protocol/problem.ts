import type { ErrorCode } from "../core/error-codes.ts";

/** One fault of one action: what is wrong, where, and what would be right. */
export interface Problem {
  readonly code: ErrorCode;
  /** Index in `actions`, or -1 when the fault is of the whole answer. */
  readonly actionIndex: number;
  /** Path as the model wrote it, "" for the whole answer. */
  readonly path: string;
  /** For people; no full stop. */
  readonly message: string;
  /** For the repair turn: nearest block, right sha256, matching places. */
  readonly hint?: string;
}
