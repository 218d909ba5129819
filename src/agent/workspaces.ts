import { AppError } from "../core/app-error.ts";
import { findByWork, readOne } from "../transaction/journal/journal.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Workspaces } from "./deps.ts";

/**
 * The granted folders over a resolver of names; `names` are the configured ones, and `rootWith` knows
 * where a transaction was made, in whatever folder.
 */
export function createWorkspaces(
  names: readonly string[],
  resolve: (name: string | undefined) => Workspace,
  rootWith: Workspaces["rootWith"] = () => undefined,
): Workspaces {
  const look = <T>(name: string, find: (workspace: Workspace) => readonly T[]): readonly T[] => {
    try {
      return find(resolve(name));
    } catch (error) {
      // A folder that is gone, or whose journals cannot be read, must not hide the others.
      if (error instanceof AppError) return [];
      throw error;
    }
  };
  const inFirst = <T>(find: (workspace: Workspace) => readonly T[]): T | undefined =>
    names.flatMap((name) => look(name, find))[0];
  return {
    names,
    get: resolve,
    withTransaction(txId) {
      const isIn = (workspace: Workspace) => readOne(workspace, txId) !== undefined;
      const root = rootWith(txId); // its journal may have gone with age
      const where = (isThere: (workspace: Workspace) => boolean) =>
        inFirst((workspace) => (isThere(workspace) ? [workspace] : []));
      return where(isIn) ?? where((workspace) => workspace.root === root);
    },
    rootWith,
    withWork: (workId) =>
      inFirst((workspace) => {
        const became = findByWork(workspace, workId);
        return became.kind === "none" ? [] : [{ workspace, became }];
      }),
  };
}
