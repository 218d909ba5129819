import { AppError } from "../core/app-error.ts";
import { readHistory } from "../transaction/history.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Workspaces } from "./deps.ts";

/** The granted folders over a resolver of names; `names` are the configured ones. */
export function createWorkspaces(
  names: readonly string[],
  resolve: (name: string | undefined) => Workspace,
): Workspaces {
  const holding = (name: string, txId: string): readonly Workspace[] => {
    try {
      const workspace = resolve(name);
      return readHistory(workspace).some((entry) => entry.txId === txId) ? [workspace] : [];
    } catch (error) {
      // A folder that is gone, or whose journals cannot be read, must not hide the others.
      if (error instanceof AppError) return [];
      throw error;
    }
  };
  return {
    names,
    get: resolve,
    withTransaction: (txId) => names.flatMap((name) => holding(name, txId))[0],
  };
}
