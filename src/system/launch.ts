import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { AppError } from "../core/app-error.ts";

/**
 * What Bun is started with, so that it takes nothing from the folder that somebody stands in: no
 * variables of `.env`, no preload of `bunfig.toml`, no paths of `tsconfig.json` that put other
 * modules in the place of ours, and no packages from anywhere. The first line of `main.ts` says
 * the same.
 */
export const LAUNCH_FLAGS: readonly string[] = [
  "--no-env-file",
  "--config=/dev/null",
  "--tsconfig-override=/dev/null",
  "--no-install",
];

const PACKAGE = resolve(import.meta.dir, "../..");
/** What Bun would have read by now. */
const READ_BY_BUN =
  ".env .env.local .env.development .env.production bunfig.toml tsconfig.json jsconfig.json";

/**
 * Refuses to go on where Bun was started without {@link LAUNCH_FLAGS} in a folder with files that
 * it obeys: what stood in them is in force by then.
 *
 * @throws AppError ERR_USAGE
 */
export function assertLaunch(flags: readonly string[], cwd: string): void {
  if (resolve(cwd) === PACKAGE || LAUNCH_FLAGS.every((flag) => flags.includes(flag))) return;
  const read = READ_BY_BUN.split(" ").filter((name) => existsSync(join(cwd, name)));
  if (read.length === 0) return;
  const message = `Cannot run here: Bun was started without its launcher and has read ${read.join(", ")} of "${cwd}"; start it with papayu, or with bun ${LAUNCH_FLAGS.join(" ")}`;
  throw new AppError("ERR_USAGE", message);
}
