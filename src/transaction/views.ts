import type { Change, CheckResult } from "./change.ts";

/** One row of a preview. */
export interface ChangeView {
  readonly path: string;
  readonly kind: Change["kind"];
  readonly before_sha256: string | null;
  readonly after_sha256: string | null;
  readonly added: number;
  readonly removed: number;
}

/** One change set shown for approval, ready to render. */
export interface PreviewView {
  readonly planId: string;
  readonly changeSetId: string;
  readonly workspace: string;
  readonly summary: string;
  readonly changes: readonly ChangeView[];
  /** Unified diff of everything. */
  readonly diff: string;
  readonly notes: readonly string[];
  /** Checks that will run, one line each; empty: none. */
  readonly checks: readonly string[];
}

/** How a transaction ended. */
export interface OutcomeView {
  readonly ok: boolean;
  readonly status:
    | "committed"
    | "rolled_back"
    | "rejected"
    | "no_changes"
    | "undone"
    | "redone"
    | "conflict"
    | "incomplete";
  readonly workspace: string;
  readonly txId?: string;
  readonly changes: readonly ChangeView[];
  /** What else a person should know of the files, a sentence each. */
  readonly notes?: readonly string[];
  /** Why nothing has to change. */
  readonly reason?: string;
  readonly check?: CheckResult;
  /** Whether any file of the workspace was written; what went back counts as well. */
  readonly touched?: boolean;
  /** Files that changed meanwhile and were left as they are. */
  readonly kept?: readonly string[];
  /** What could not go back yet, and why. */
  readonly pending?: readonly { readonly path: string; readonly reason: string }[];
  readonly error?: string;
  readonly errorCode?: string;
}
