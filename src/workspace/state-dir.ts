import { join } from "node:path";
import { inStateSubfolder } from "./state-folder.ts";
import { STATE_DIR, type Workspace } from "./workspace.ts";

/**
 * Makes a folder inside the state folder, durably, and returns its absolute path for a program that
 * needs one; papa-yu itself goes through `state-folder.ts`.
 *
 * @throws AppError ERR_IO when it cannot be made, or anything else is in its place
 */
export function ensureStateSubdir(
  { root }: Pick<Workspace, "root">,
  name: "tx" | "objects" | "cache",
): string {
  inStateSubfolder(root, name, () => {});
  return join(root, STATE_DIR, name);
}
