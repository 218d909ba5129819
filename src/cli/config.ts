import type { Origin } from "../config/claims.ts";
import type { LoadedConfig } from "../config/load.ts";
import { AppError } from "../core/app-error.ts";
import { EXIT } from "./context.ts";

/** What `config` commands work on: the loading itself may fail, and that is the news. */
export interface ConfigCommand {
  readonly load: () => Promise<LoadedConfig>;
  readonly json: boolean;
  readonly stdout: (text: string) => void;
}

/** `config check`: prints "ok" and warnings, or every problem; 0 or 2. */
export async function runConfigCheck({ load, json, stdout }: ConfigCommand): Promise<number> {
  try {
    const { path, warnings } = await load();
    const report = { ok: true, path: path ?? null, problems: [], warnings };
    const lines = [`${path ?? DEFAULTS}: ok`, ...warnings.map((text) => `warning: ${text}`)];
    stdout(json ? `${JSON.stringify(report)}\n` : `${lines.join("\n")}\n`);
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof AppError) || !Array.isArray(error.details["problems"])) throw error;
    const { code, message, details } = error;
    const { path = null, problems } = details;
    const report = { ok: false, path, problems, warnings: [], error: message, error_code: code };
    stdout(json ? `${JSON.stringify(report)}\n` : `${message}\n`);
    return EXIT.usage;
  }
}

/** `config path`: the file in force, and why it is that one. */
export async function runConfigPath({ load, json, stdout }: ConfigCommand): Promise<number> {
  const { path = null, origin, ignored } = await load();
  const why = origin === undefined ? "there is no file" : WHY[origin];
  const text = `${path ?? DEFAULTS}\n  ${why}${ignored.length > 0 ? ", not trusted" : ""}`;
  stdout(json ? `${JSON.stringify({ path, origin: origin ?? null, ignored })}\n` : `${text}\n`);
  return EXIT.done;
}

const DEFAULTS = "built-in defaults";

const WHY = {
  argument: "named by --config",
  variable: "named by PAPAYU_CONFIG",
  folder: "found in the current folder",
  home: "found in the daemon's folder",
} as const satisfies Record<Origin, string>;
