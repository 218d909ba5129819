import { closeSync, mkdirSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import {
  AppError,
  describeDiskError,
  errorMessage,
  systemErrorCode,
} from "../../core/app-error.ts";
import { runCommand } from "../../system/run/run.ts";
import type { Change, ChangeSet } from "../change.ts";
import { contentOf } from "../change-set.ts";
import { writeNew } from "../stage/stage.ts";
import { openTree, type Tree } from "../tree.ts";
import { type Copied, copyFolder } from "./copy-folder.ts";
import { createTurns } from "./in-turns.ts";
import type { NoView, View } from "./opened.ts";
import type { OverlayRequest } from "./overlay-view.ts";
import { removeFolder } from "./remove-folder.ts";
import { findSideEffects } from "./side-effects.ts";
import { makeViewFolder } from "./view-folder.ts";

/** What a view by copy is made from. */
export interface CopyRequest extends OverlayRequest {
  /** Why it is no overlay. */
  readonly reason: string;
  /** A name at the top of the workspace that is not copied. */
  readonly leftOut: string;
  /** Makes in the copy what is needed of that. */
  readonly prepare: (root: string) => void;
}

/**
 * A view at another path: a copy of the folder, which shares what it can with it on a disk that
 * knows how; none when that would be too much.
 *
 * @throws AppError ERR_CHANGE_SET_STALE, when nothing of it is left
 */
export async function createCopyView(request: CopyRequest): Promise<View | NoView> {
  const { viewsDir, sandbox, reason } = request;
  const folder = makeViewFolder(viewsDir);
  const root = join(folder, "root");
  const copied = await copyOrRemove(request, folder, root);
  if (copied.kind === "none") {
    await removeFolder(folder);
    return { kind: "none", reason: `${reason}; ${copied.reason}` };
  }
  const inTurn = createTurns();
  let isClosed = false;
  return {
    kind: copied.kind,
    root,
    reason,
    run: ({ room, ...command }) =>
      inTurn(() => {
        if (isClosed) throw new Error("the view is closed");
        const sandboxed = sandbox.enclose({ ...room, hidden: [request.root] });
        const { limits } = sandbox;
        return runCommand({
          ...command,
          cwd: root,
          sandbox: sandboxed,
          limits,
          writable: [folder],
        });
      }),
    sideEffects: (signal, since = request.changeSet) =>
      inTurn(() =>
        findSideEffects({ ...request, changeSet: since, upper: root, isWhole: true, signal }),
      ),
    keep: async () => {}, // a copy has its own caches
    [Symbol.asyncDispose]: () =>
      inTurn(async () => {
        isClosed = true;
        await removeFolder(folder);
      }),
  };
}

async function copyOrRemove(request: CopyRequest, folder: string, root: string): Promise<Copied> {
  const { signal, leftOut } = request;
  try {
    mkdirSync(root, { mode: 0o700 });
    const copied = await copyFolder({ from: request.root, to: root, leftOut, signal });
    if (copied.kind === "none") return copied;
    request.prepare(root);
    putInto(root, request.changeSet);
    return copied;
  } catch (error) {
    // Nobody waits for the removal; what a stop cuts off of it the next start removes.
    if (signal.aborted) void removeFolder(folder);
    else if (error instanceof AppError) await removeFolder(folder);
    if (signal.aborted || error instanceof AppError) throw error;
    return { kind: "none", reason: `it cannot be copied: ${errorMessage(error)}` };
  }
}

/** Makes the changes where nobody else is, so that nothing has to be kept for a roll-back. */
function putInto(root: string, changeSet: ChangeSet | undefined): void {
  if (!changeSet) return;
  using tree = openTree(root);
  for (const change of changeSet.changes) {
    try {
      put(tree, change, changeSet);
    } catch (error) {
      const code = systemErrorCode(error) ?? "";
      const isStale = /^(ENOENT|ENOTDIR|ELOOP|EEXIST|EISDIR|ENOTEMPTY)$/.test(code);
      const message = `Cannot ${change.kind} "${change.path}" in a view: ${describeDiskError(error)}`;
      throw new AppError(isStale ? "ERR_CHANGE_SET_STALE" : "ERR_IO", message, { cause: error });
    }
  }
}

function put(tree: Tree, change: Change, changeSet: ChangeSet): void {
  const { kind, path } = change;
  switch (kind) {
    case "mkdir":
      mkdirSync(tree.at(path), { mode: 0o700 });
      return tree.setMode(path, change.mode);
    case "update":
    case "create":
      if (kind === "update") unlinkSync(tree.at(path));
      return closeSync(
        writeNew(tree.at(path), contentOf(changeSet, change.after), change.after.mode),
      );
    case "delete":
      return unlinkSync(tree.at(path));
    case "rmdir":
      return rmdirSync(tree.at(path));
    default:
      return kind satisfies never;
  }
}
