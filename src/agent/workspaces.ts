import { AppError } from "../core/app-error.ts";
import { readHistory } from "../transaction/history.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Workspaces } from "./deps.ts";

/** The granted folders over a resolver of names; `names` are the configured ones. */
export function createWorkspaces(
  names: readonly string[],
  resolve: (name: string | undefined) => Workspace,
): Workspaces {
  const usable = (name: string): readonly Workspace[] => {
    try {
      return [resolve(name)];
    } catch (error) {
      // A folder that is gone must not hide the others.
      if (error instanceof AppError) return [];
      throw error;
    }
  };
  return {
    names,
    get: resolve,
    withTransaction: (txId) =>
      names
        .flatMap(usable)
        .find((workspace) => readHistory(workspace).some((entry) => entry.txId === txId)),
  };
}
