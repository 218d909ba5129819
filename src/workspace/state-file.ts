import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessage, type Failure, systemErrorCode } from "../core/app-error.ts";
import { STATE_DIR, type Workspace } from "./workspace.ts";

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The text of a file in the workspace's state folder; undefined when there is none. The folder
 * may have come with somebody's repository, so no link in it is followed.
 */
export function readStateFile(
  workspace: Workspace,
  name: string,
  maxBytes: number,
): { readonly ok: true; readonly text: string | undefined } | Failure {
  const dir = join(workspace.root, STATE_DIR);
  try {
    if (!lstatSync(dir).isDirectory()) return unreadable(name, `${STATE_DIR} is not a folder`);
    const file = openSync(join(dir, name), FLAGS);
    try {
      const stat = fstatSync(file);
      if (!stat.isFile()) return unreadable(name, "it is not a regular file");
      if (stat.size > maxBytes) return unreadable(name, `it is over ${maxBytes} bytes`);
      const bytes = readFileSync(file);
      if (!isUtf8(bytes)) return unreadable(name, "it is not UTF-8");
      return { ok: true, text: new TextDecoder().decode(bytes) }; // without a byte-order mark
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT") return { ok: true, text: undefined };
    if (code === "ELOOP") return unreadable(name, "it is a symbolic link");
    return unreadable(name, errorMessage(error));
  }
}

function unreadable(name: string, reason: string): Failure {
  const message = `Cannot read "${STATE_DIR}/${name}": ${reason}; move it away`;
  return { ok: false, code: "ERR_IO", message };
}
