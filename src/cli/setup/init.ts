import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { trustFile } from "../../config/edit/edit.ts";
import type { LoadedConfig } from "../../config/load/load.ts";
import { toRealPath } from "../../config/paths.ts";
import { type LoadOptions, readConfigFiles } from "../../config/places/places.ts";
import { renderTemplate } from "../../config/render-template.ts";
import { CONFIG_SCHEMA } from "../../config/schema/schema.ts";
import { AppError, errorMessage, systemErrorCode } from "../../core/app-error.ts";
import { logPath } from "../../daemon/app/app.ts";
import { makePrivateDir } from "../../system/make-private-dir.ts";
import { type CliContext, EXIT } from "../context.ts";
import { findHomeOf } from "../home-of.ts";
import { openConfig } from "../open-config.ts";
import { type Parsed, parseCommand, usageError } from "../parse.ts";
import { print } from "../print.ts";
import { describeService, ownSupervisor } from "./service.ts";

/**
 * `papayu init`: writes a commented config.toml, and next to it the schema that editors read; with
 * --service the file that has systemd or launchd start the daemon.
 */
export async function init(args: readonly string[], context: CliContext): Promise<number> {
  const options = { service: { type: "string" } } as const;
  const parsed = parseCommand(nameSupervisor(args), context, { options, positionals: [0, 1] });
  const supervisor = parsed.text("service");
  if (supervisor !== undefined) return initService(supervisor, parsed, context);
  const dir = resolve(context.caller.cwd, parsed.positionals[0] ?? ".");
  const {
    command: { json },
    stdout,
  } = context;
  await runInit(dir, json ? () => {} : (text) => void stdout.write(text));
  await trustNew(join(dir, "config.toml"), context);
  const home = findHomeOf(context);
  if (!json && toRealPath(dir) !== toRealPath(home)) stdout.write(renderWhere(dir, home));
  if (json) stdout.write(`${JSON.stringify({ ok: true, path: join(dir, "config.toml") })}\n`);
  return EXIT.done;
}

/** Somebody may go on elsewhere, and wonder why nothing that they set has an effect. */
function renderWhere(dir: string, home: string): string {
  return `It is in force for what you start in ${dir}; elsewhere with --config or $PAPAYU_CONFIG. papayu init ${home} writes one that is in force everywhere\n`;
}

/** What papa-yu wrote itself is in force wherever it is. */
async function trustNew(
  path: string,
  { caller: { cwd, env, userHome: home } }: CliContext,
): Promise<void> {
  const options: LoadOptions = { path, origin: "folder", cwd, env, home };
  const { found } = await readConfigFiles(options);
  if (found) trustFile(options, found);
}

/** A bare --service means the one of this machine; a word behind it is a name, right or wrong. */
function nameSupervisor(args: readonly string[]): readonly string[] {
  return args.map((arg, index) => {
    const isBare = arg === "--service" && !/^[^-]/u.test(args[index + 1] ?? "");
    return isBare ? `--service=${ownSupervisor()}` : arg;
  });
}

/** Written where this machine looks for it; for another kind of machine, shown. */
async function initService(
  supervisor: string,
  parsed: Parsed,
  context: CliContext,
): Promise<number> {
  if (supervisor !== "systemd" && supervisor !== "launchd") {
    throw usageError(`Cannot write a service for "${supervisor}"`, context);
  }
  const loaded = await openConfig(parsed, context);
  assertNamed(loaded);
  const { path, text, next } = describeService(supervisor, loaded, context.caller);
  const isOwn = supervisor === ownSupervisor();
  if (isOwn && !(await writeNew(path, text, 0o644))) {
    const message = `Cannot write "${path}": it exists; remove it first`;
    throw new AppError("ERR_USAGE", message);
  }
  if (isOwn) makePrivateDir(dirname(logPath(loaded.home))); // launchd makes no folders
  const shown = isOwn ? `wrote ${path}\n${next}` : text.trimEnd();
  print(context, { ok: true, path, text, written: isOwn }, shown);
  return EXIT.done;
}

/** A file that happens to be in the current folder must not run with every login from now on. */
function assertNamed({ source: { path, origin, found, broken } }: LoadedConfig): void {
  const inFolder = origin === "folder" ? path : (found ?? broken)?.path;
  if (inFolder === undefined) return;
  const message = `Cannot write a service for "${inFolder}": it was only found in the current folder; if it is yours, name it: papayu init --service --config "${inFolder}"`;
  throw new AppError("ERR_USAGE", message);
}

/**
 * Writes `config.toml` for its owner's eyes only, and the schema where there is none.
 *
 * @throws AppError ERR_USAGE when there is a config.toml already: nothing is overwritten
 */
export async function runInit(dir: string, stdout: (text: string) => void): Promise<void> {
  const path = join(dir, "config.toml");
  if (!(await writeNew(path, renderTemplate(), 0o600))) {
    const message = `Cannot write "${path}": it exists; edit it, or name another folder`;
    throw new AppError("ERR_USAGE", message);
  }
  const schema = `${JSON.stringify(CONFIG_SCHEMA, null, 2)}\n`;
  await writeNew(join(dir, "schemas/config.schema.json"), schema, 0o644);
  stdout(`wrote ${path}\nAdd a [[workspaces]] to it, then: papayu config check\n`);
}

async function writeNew(path: string, text: string, mode: number): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: "wx", mode });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    const message = `Cannot write "${path}": ${errorMessage(error)}`;
    throw new AppError("ERR_IO", message, { cause: error });
  }
}
