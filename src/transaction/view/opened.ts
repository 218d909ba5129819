import type { CommandRequest, CommandResult } from "../../system/run/run.ts";
import type { SandboxRoom } from "../../system/sandbox/sandbox.ts";

/** How a view is made: laid over the folder at its own path, or nothing works here. */
export type ViewKind = "overlay" | "none";

/** One command in a view; what the sandbox bounds it with is added. */
export interface ViewCommand
  extends Pick<
    CommandRequest,
    "argv" | "env" | "variables" | "timeoutMs" | "signal" | "maxOutputBytes" | "mark"
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
  /**
   * Runs a command in the view and in the sandbox; the next one sees what it wrote. Only one runs
   * at a time, the others wait: two at once would destroy what is below them.
   *
   * @throws AppError ERR_IO when the view cannot be set up any more
   */
  run(command: ViewCommand): Promise<CommandResult>;
}

/** Why a workspace has no view: its checks have to run in the folder itself. */
export interface NoView {
  readonly kind: "none";
  readonly reason: string;
}
