import { openSync } from "node:fs";
import { join } from "node:path";
import { AppError, errorMessage } from "../core/app-error.ts";
import { makePrivateDir } from "../system/make-private-dir.ts";

/**
 * The log of a daemon that has no stderr of its own to write to, open for appending.
 *
 * @throws AppError ERR_IO when the disk refuses
 */
export function openLogFile(home: string): { readonly path: string; readonly descriptor: number } {
  const dir = join(home, "logs");
  makePrivateDir(dir);
  const path = join(dir, "papayu.log");
  try {
    return { path, descriptor: openSync(path, "a", 0o600) };
  } catch (error) {
    const message = `Cannot open the log "${path}": ${errorMessage(error)}`;
    throw new AppError("ERR_IO", message, { cause: error });
  }
}
