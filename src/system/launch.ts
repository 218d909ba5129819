import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { AppError, errorMessage } from "../core/app-error.ts";

/**
 * What Bun is started with, so that it takes nothing from the current folder: no variables of
 * `.env`, no preload of `bunfig.toml`, no paths of `tsconfig.json` that put other modules in the
 * place of ours, and no packages from anywhere. It is started in the root folder, for it reads a
 * `tsconfig.json` all the same, and waits for ever for a pipe that one extends. `bin/papayu` says
 * the same.
 */
export const LAUNCH_FLAGS: readonly string[] = [
  "--cwd=/",
  "--no-env-file",
  "--config=/dev/null",
  "--tsconfig-override=/dev/null",
  "--no-install",
];

/** The variable that says which folder the person was in when Bun was started in the root. */
export const FOLDER_VARIABLE = "PAPAYU_CWD";

const PACKAGE = resolve(import.meta.dir, "../..");
/** What Bun would have read by now. */
const READ_BY_BUN =
  ".env .env.local .env.development .env.production bunfig.toml tsconfig.json jsconfig.json";

/**
 * Goes to the folder that the person is in, and takes the variable away from what is started later.
 * Where Bun was started without {@link LAUNCH_FLAGS} in a folder with files that it obeys, what is
 * in them is in force by then: that is refused.
 *
 * @throws AppError ERR_USAGE
 */
export function enterFolder(
  flags: readonly string[],
  env: Record<string, string | undefined>,
): void {
  const folder = env[FOLDER_VARIABLE];
  // An assignment of undefined would be the text "undefined".
  delete env[FOLDER_VARIABLE];
  if (!LAUNCH_FLAGS.every((flag) => flags.includes(flag))) return assertHarmless(process.cwd());
  if (folder === undefined) return;
  try {
    process.chdir(folder);
  } catch (error) {
    const message = `Cannot work in the folder that you are in: ${errorMessage(error)}; go to another one`;
    throw new AppError("ERR_USAGE", message);
  }
}

function assertHarmless(folder: string): void {
  if (resolve(folder) === PACKAGE) return;
  const read = READ_BY_BUN.split(" ").filter((name) => existsSync(join(folder, name)));
  if (read.length === 0) return;
  const message = `Cannot run here: Bun was started without its launcher and has read ${read.join(", ")} of "${folder}"; start it with ${join(PACKAGE, "bin/papayu")}`;
  throw new AppError("ERR_USAGE", message);
}
