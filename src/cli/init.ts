import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { trustFile } from "../config/change-file.ts";
import { findConfigFile, type LoadOptions } from "../config/load.ts";
import { renderTemplate } from "../config/render-template.ts";
import { CONFIG_SCHEMA } from "../config/schema-node.ts";
import { AppError, errorMessage, systemErrorCode } from "../core/app-error.ts";
import { type CliContext, EXIT } from "./context.ts";
import { parseCommand } from "./parse.ts";

/** `papayu init`: writes a commented config.toml, and beside it the schema that editors read. */
export async function init(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { positionals: [0, 1] });
  const dir = resolve(context.cwd, parsed.positionals[0] ?? ".");
  const { json, stdout } = context;
  await runInit(dir, json ? () => {} : (text) => void stdout.write(text));
  await trustNew(join(dir, "config.toml"), context);
  if (json) stdout.write(`${JSON.stringify({ ok: true, path: join(dir, "config.toml") })}\n`);
  return EXIT.done;
}

/** What papa-yu wrote itself is in force wherever it stands. */
async function trustNew(path: string, { cwd, env, userHome: home }: CliContext): Promise<void> {
  const options: LoadOptions = { path, origin: "folder", cwd, env, home };
  const file = await findConfigFile(options);
  if (file) trustFile(options, file);
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
