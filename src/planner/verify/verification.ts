import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { VerificationStore } from "../../store/verifications.ts";
import type { Sandbox } from "../../system/sandbox/sandbox.ts";
import type { ChangeSet, CheckResult, CheckStep, Generation } from "../../transaction/change.ts";
import type { CheckedView, ViewKind } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Asked } from "./asked.ts";

/** What it takes to check a change set before anybody is asked. */
export interface VerifyDeps {
  readonly sandbox: Sandbox;
  /** Where views of workspaces are made: `~/.papa-yu/views`. */
  readonly viewsDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly verifications: VerificationStore;
  /** Masks secrets in what checks print: it is stored, shown and sent to models. */
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  readonly log: Log;
}

/** What checks of a workspace are about, and how to wait for them. */
export interface VerifyRequest {
  readonly workspace: Workspace;
  readonly changeSet: ChangeSet;
  readonly signal: AbortSignal;
  readonly onProgress?: (step: CheckStep) => void;
}

/** What the checks of exactly this change set on exactly these files came to. */
export interface Verification extends Omit<CheckedView, "fixRounds" | "fixNotes">, Asked {
  /** The change set with what was kept of the side effects. */
  readonly changeSet: ChangeSet;
  /** What was kept, and lock files that were made. */
  readonly added?: ChangeSet;
  /** What became of its lock files, where it touches a manifest. */
  readonly generation?: Generation;
  /** Of the folder as it was before the checks ran. */
  readonly fingerprint: string;
}

/** The checks of a folder as it is, or why they cannot run in a view of it. */
export type FolderCheck =
  | { readonly kind: Exclude<ViewKind, "none">; readonly check: CheckResult }
  | { readonly kind: "none"; readonly reason: string };
