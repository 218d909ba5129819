import type { CommandRequest, CommandResult } from "../../system/run/run.ts";
import type { SandboxRoom } from "../../system/sandbox/sandbox.ts";
import type { Change, ChangeSet } from "../change.ts";

/**
 * How a view is made: laid over the folder at its own path; a copy of it at another, which shares
 * what it can on a disk that knows how (`clone`) or not; or nothing works here.
 */
export type ViewKind = "overlay" | "clone" | "copy" | "none";

/** One command in a view; what the sandbox bounds it with is added. */
export interface ViewCommand
  extends Pick<
    CommandRequest,
    "argv" | "env" | "variables" | "timeoutMs" | "signal" | "maxOutputBytes" | "mark" | "onOutput"
  > {
  /** What it may reach; its root is that of the view. */
  readonly room: SandboxRoom;
}

/**
 * A workspace as it would be. Whatever runs in it sees the folder with the change set on top and
 * writes to the view alone; the folder is never written, and nothing is left when the view is gone.
 */
export interface View extends AsyncDisposable {
  readonly kind: Exclude<ViewKind, "none">;
  /** Where commands see the folder: its own path for an overlay. */
  readonly root: string;
  /** Why it is no overlay. */
  readonly reason?: string;
  /**
   * Runs a command in the view and in the sandbox; the next one sees what it wrote. Only one runs
   * at a time, the others wait: two at once would destroy what is below them.
   *
   * @throws AppError ERR_IO when the view cannot be set up any more
   */
  run(command: ViewCommand): Promise<CommandResult>;
  /**
   * What the commands so far did to files of the project, on top of the view's change set or of
   * `since`, which the first of them made of it; waits for the one that runs.
   */
  sideEffects(signal: AbortSignal, since?: ChangeSet): Promise<SideEffects>;
  /**
   * Keeps what was written to ignored folders (`target`, `node_modules`, the caches of tools) for
   * the next view of this workspace; the last thing that is done with a view. What a rejected
   * change set left must not run later: unless it is a view of the folder as it is, name the
   * change set `until` whose commit (see `keepCommitted`) nothing of it counts. What cannot be kept
   * is not, without an error.
   */
  keep(until?: string): Promise<void>;
}

/**
 * What differs in a view from the folder with the change set on top, ignored files left out: as
 * changes that a change set can hold, and the rest by name.
 */
export interface SideEffects {
  /** From the folder with the change set to what is there now, in no order. */
  readonly changes: readonly Change[];
  /** The bytes of their states by sha256. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  readonly skipped: readonly SkippedEffect[];
  /** There is more than is looked at: the changes are a part of it. */
  readonly isCut: boolean;
}

/** Something that was made or changed and that no change set can hold. */
export interface SkippedEffect {
  readonly path: string;
  /**
   * A symbolic link; a pipe, socket or device; over 8 MiB; a secret or another protected path; a
   * name that no change set takes; a file where a folder was, or the other way round.
   */
  readonly why: "link" | "special" | "large" | "protected" | "name" | "replaced";
}

/** Why a workspace has no view: its checks have to run in the folder itself. */
export interface NoView {
  readonly kind: "none";
  readonly reason: string;
}
