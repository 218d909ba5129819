import { join } from "node:path";
import { AppError, describeDiskError, systemErrorCode } from "../core/app-error.ts";
import { type PinnedDir, pinDirectory } from "../system/pinned-dir.ts";
import { STATE_DIR } from "./workspace.ts";

/**
 * The state folder of a workspace, held open, so that nothing swapped in later diverts what is
 * read there; undefined when there is none. The caller closes it.
 *
 * @throws AppError ERR_IO when something else than a folder stands in its place
 */
export function openStateFolder(root: string): PinnedDir | undefined {
  const outer = pinDirectory(root);
  try {
    return outer.open(STATE_DIR);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT") return undefined;
    const isOther = code === "ENOTDIR" || code === "ELOOP";
    const reason = isOther ? "it is not a folder; move it away" : describeDiskError(error);
    const message = `Cannot use "${join(root, STATE_DIR)}": ${reason}`;
    throw new AppError("ERR_IO", message, { cause: error });
  } finally {
    outer.close();
  }
}
