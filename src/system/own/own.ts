import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { AppError, errorMessage } from "../../core/app-error.ts";

/** What `bun run build` says of what it makes. */
export interface Build {
  /** A folder of files that Bun runs, or one file that is Bun as well. */
  readonly form: "package" | "single";
  /** The commit it was made from; empty where nobody knows. */
  readonly commit: string;
  /** The kind of machine that a single file is for, as Bun names it. */
  readonly target: string;
}

/** Put in by `scripts/build.ts`. */
declare const PAPAYU_BUILD: Build | undefined;

/** How this program was made; nothing where the sources themselves run. */
export const BUILD: Build | undefined =
  typeof PAPAYU_BUILD === "undefined" ? undefined : PAPAYU_BUILD;

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

/** The folder with `bin/` in it. */
const PACKAGE = resolve(import.meta.dir, BUILD ? "../.." : "../../..");
const MODES = ["development", "production", "test"];
/** What Bun takes from the current folder alone: variables, by its mode, and what it loads first. */
const READ_HERE = [
  ...["", ...MODES.map((mode) => `.${mode}`)].flatMap((end) => [`.env${end}`, `.env${end}.local`]),
  "bunfig.toml",
];
/** What it takes from the nearest folder upwards that has it. */
const READ_UPWARDS = ["tsconfig.json", "jsconfig.json"];
/** Where programs are looked for when nothing that is left says so. */
const USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

/**
 * Goes to the folder that the person is in, and takes the variable away from what is started later.
 * Programs are not looked for in that folder from then on, whatever PATH says. Where Bun was started
 * without {@link LAUNCH_FLAGS} in a folder with files that it obeys, there or above, what is in them
 * is in force by then: that is refused.
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
  if (env["PATH"] !== undefined) env["PATH"] = withoutFolder(env["PATH"]);
  if (!isOnItsOwn(flags)) return assertHarmless(process.cwd());
  if (folder === undefined) return;
  try {
    process.chdir(folder);
  } catch (error) {
    const message = `Cannot work in the folder that you are in: ${errorMessage(error)}; go to another one`;
    throw new AppError("ERR_USAGE", message);
  }
}

/** Whether nothing of the current folder was taken: the single file is built to take nothing. */
function isOnItsOwn(flags: readonly string[]): boolean {
  return BUILD?.form === "single" || LAUNCH_FLAGS.every((flag) => flags.includes(flag));
}

/** PATH without the entries that mean the current folder or start there. */
function withoutFolder(path: string): string {
  const entries = path.split(":").filter((entry) => entry.startsWith("/"));
  return entries.join(":") || USUAL_PATH;
}

function assertHarmless(folder: string): void {
  const here = folder === PACKAGE ? [] : READ_HERE.map((name) => join(folder, name));
  const read = [...here.filter((file) => existsSync(file)), ...findUpwards(folder)];
  if (read.length === 0) return;
  const named = read.map((file) => `"${file}"`).join(", ");
  const message = `Cannot run here: Bun was started without its launcher and may obey ${named}; start it with ${join(PACKAGE, "bin/papayu")}`;
  throw new AppError("ERR_USAGE", message);
}

/** The files of the nearest folder that has any; where that is our own folder, none. */
function findUpwards(folder: string): readonly string[] {
  const files = READ_UPWARDS.map((name) => join(folder, name)).filter((file) => existsSync(file));
  if (files.length > 0) return folder === PACKAGE ? [] : files;
  const parent = dirname(folder);
  return parent === folder ? [] : findUpwards(parent);
}
