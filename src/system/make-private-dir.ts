import { mkdirSync } from "node:fs";
import { AppError, errorMessage } from "../core/app-error.ts";

/**
 * Makes a folder, and those above it, for its owner alone. One that exists keeps its mode: it
 * may be somebody's who did not mean it for us.
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
