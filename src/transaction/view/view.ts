import type { Log } from "../../core/log.ts";
import { isInside } from "../../system/run/run.ts";
import { findOverlayObstacle } from "../../system/sandbox/overlay/overlay.ts";
import type { SandboxState } from "../../system/sandbox/sandbox.ts";
import { GENERATED_DIRS, listFiles } from "../../workspace/files.ts";
import { ensureStateSubdir } from "../../workspace/state-dir.ts";
import { STATE_DIR, type Workspace } from "../../workspace/workspace.ts";
import type { ChangeSet } from "../change.ts";
import { createCopyView } from "./copy-view.ts";
import type { NoView, View } from "./opened.ts";
import { createOverlayView } from "./overlay-view.ts";
import { ensureViewsDir, removeOldViews } from "./view-folder.ts";

export { keepCommitted } from "./kept.ts";
export type { View } from "./opened.ts";
export { removeOldViews } from "./view-folder.ts";

/** What a view is made of. */
export interface ViewRequest {
  readonly workspace: Pick<Workspace, "root" | "protectedPaths">;
  /** A folder of papa-yu's own, `views` in its home; made when it is not there. */
  readonly viewsDir: string;
  /** What is laid over the folder; none: the folder as it is. */
  readonly changeSet?: ChangeSet;
  /** What commands in the view run in; without a sandbox nothing confines them to the view. */
  readonly sandbox: SandboxState;
  /** The daemon's own. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly log?: Log;
}

/**
 * Opens a view of the workspace with a change set on top, and tries it out: what it cannot do on
 * this machine is said at once, not by a check that fails.
 *
 * @throws AppError ERR_CHANGE_SET_STALE when the change set does not fit the folder any more; ERR_IO
 */
export async function openView(request: ViewRequest): Promise<View | NoView> {
  const { sandbox, workspace, changeSet, env, signal } = request;
  if (sandbox.kind === "none") return noView(`there is no sandbox: ${sandbox.reason}`);
  const viewsDir = ensureViewsDir(request.viewsDir);
  await removeOldViews(viewsDir);
  const { root, protectedPaths } = workspace;
  const obstacle = await findOverlayObstacle({
    root,
    folder: viewsDir,
    env,
    passed: GENERATED_DIRS,
    isPassed: (paths) => areIgnored(root, paths, signal),
    signal,
  });
  const plan = { root, viewsDir, changeSet, protectedPaths, sandbox, env, signal };
  const opened = obstacle === undefined ? await createOverlayView(plan) : noView(obstacle);
  signal.throwIfAborted();
  if (opened.kind !== "none" || overlaps(viewsDir, root)) return opened;
  const { reason } = opened;
  const prepare = (copy: string) => void ensureStateSubdir({ root: copy }, "cache");
  return createCopyView({ ...plan, reason, leftOut: STATE_DIR, prepare });
}

/** A copy of what it is in itself would have no end. */
function overlaps(viewsDir: string, root: string): boolean {
  return viewsDir === root || isInside(viewsDir, root) || isInside(root, viewsDir);
}

function noView(reason: string): NoView {
  return { kind: "none", reason };
}

/** Whether none of the paths is a file that a person would call theirs, or has one in it. */
async function areIgnored(root: string, paths: readonly string[], signal: AbortSignal) {
  const { items: own, leftOut } = await listFiles(root, { signal });
  const isOwn = (path: string) =>
    path === "." || own.some((each) => each === path || each.startsWith(`${path}/`));
  return leftOut.length === 0 && !paths.some(isOwn);
}
