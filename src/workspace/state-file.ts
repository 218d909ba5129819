import { isUtf8 } from "node:buffer";
import { errorMessage, type Failure, systemErrorCode } from "../core/app-error.ts";
import type { PinnedDir } from "../system/pinned-dir.ts";
import { readPlainFile } from "../system/plain-file.ts";
import { openStateFolder } from "./state-folder.ts";
import { STATE_DIR, type Workspace } from "./workspace.ts";

/**
 * The text of a file in the workspace's state folder; undefined when there is none. The folder
 * may have come with somebody's repository, so no link in it is followed and no pipe waited for.
 */
export function readStateFile(
  { root }: Workspace,
  name: string,
  maxBytes: number,
): { readonly ok: true; readonly text: string | undefined } | Failure {
  let folder: PinnedDir | undefined;
  try {
    folder = openStateFolder(root);
    if (!folder) return { ok: true, text: undefined };
    const bytes = readPlainFile(folder.entry(name), maxBytes);
    if (!isUtf8(bytes)) return unreadable(name, "it is not UTF-8");
    return { ok: true, text: new TextDecoder().decode(bytes) }; // without a byte-order mark
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT") return { ok: true, text: undefined };
    if (code === "ELOOP") return unreadable(name, "it is a symbolic link");
    return unreadable(name, errorMessage(error));
  } finally {
    folder?.close();
  }
}

function unreadable(name: string, reason: string): Failure {
  const message = `Cannot read "${STATE_DIR}/${name}": ${reason}; move it away`;
  return { ok: false, code: "ERR_IO", message };
}
