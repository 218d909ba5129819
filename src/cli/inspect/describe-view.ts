import { rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../../core/app-error.ts";
import { makeScratch } from "../../system/processes/scratch.ts";
import { openView } from "../../transaction/view/view.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Machine } from "./machine.ts";

/** What a workspace's checks can be run in before anything is written, tried out. */
export async function describeView(
  workspace: Workspace,
  homeFolder: string,
  { env, sandbox, signal, words: { workspaces: words } }: Machine,
): Promise<string> {
  const home = findFolder(homeFolder);
  const viewsDir = join(home.path, "views");
  try {
    const view = await openView({ workspace, viewsDir, sandbox: await sandbox(), env, signal });
    if (view.kind === "none") return words.viewBecause("none", view.reason);
    await view[Symbol.asyncDispose]();
    const { kind, reason } = view;
    return reason === undefined ? words.view(kind) : words.viewBecause(kind, reason);
  } catch (error) {
    return words.viewBecause("none", errorMessage(error));
  } finally {
    await home.release();
  }
}

/** Removes the folder of views where none is left in it; not before all that try one are done. */
export function removeEmptyViews(homeFolder: string): void {
  try {
    rmdirSync(join(homeFolder, "views"));
  } catch {
    // somebody's view is in it, or there was none
  }
}

/** A home that nobody has begun is not begun by a look at it. */
function findFolder(home: string): {
  readonly path: string;
  readonly release: () => Promise<void>;
} {
  if (statSync(home, { throwIfNoEntry: false })?.isDirectory()) {
    return { path: home, release: async () => {} };
  }
  const { path, [Symbol.dispose]: remove } = makeScratch("doctor");
  return { path, release: async () => remove() };
}
