import { mkdirSync } from "node:fs";
import { AppError, errorMessage } from "../core/app-error.ts";

/**
 * Makes a folder, and those above it, for its owner alone. One that exists keeps its mode: it
 * may belong to somebody who did not intend it for papa-yu.
 *
 * @throws AppError ERR_IO when the disk refuses
 */
export function makePrivateDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new AppError("ERR_IO", `Cannot make the folder "${path}": ${errorMessage(error)}`, {
      cause: error,
    });
  }
}
