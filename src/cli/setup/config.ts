import type { FoundFile, LoadedConfig } from "../../config/load/load.ts";
import type { Origin } from "../../config/places/places.ts";
import { AppError } from "../../core/app-error.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { EXIT } from "../context.ts";

/** What `config` commands work on: the loading itself may fail, and that is the news. */
export interface ConfigCommand {
  readonly load: () => Promise<LoadedConfig>;
  readonly json: boolean;
  readonly stdout: (text: string) => void;
}

/** `config check`: prints "ok" and warnings, or every problem; 0 or 2. */
export async function runConfigCheck({ load, json, stdout }: ConfigCommand): Promise<number> {
  try {
    const {
      source: { path, found, broken, keySources: sources },
      warnings,
    } = await load();
    if (broken) throw broken.error;
    const files = { path: path ?? null, found: found ? toReport(found) : null };
    const report = { ok: true, ...files, problems: [], warnings, sources };
    const right = [path ?? DEFAULTS, ...(found ? [found.path] : [])].map((file) => `${file}: ok`);
    const lines = [...right, ...warnings.map((text) => `warning: ${text}`)];
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

/** `config path`: the files in force, and why it is those. */
export async function runConfigPath({ load, json, stdout }: ConfigCommand): Promise<number> {
  const {
    source: { path = null, origin, found, broken },
  } = await load();
  const why = origin === undefined ? "there is no file of yours" : WHY[origin];
  const lines = [path ?? DEFAULTS, `  ${why}`, ...(found ? describeFound(found) : [])];
  if (broken)
    lines.push(broken.path, "  found in the current folder, not trusted, not right: left out");
  const ignored = found?.notTaken ?? [];
  const report = {
    path,
    origin: origin ?? null,
    found: found ? toReport(found) : null,
    broken: broken?.path ?? null,
    ignored,
  };
  const text = lines.map(toVisibleText).join("\n");
  stdout(json ? `${JSON.stringify(report)}\n` : `${text}\n`);
  return EXIT.done;
}

/** What a file that was only found does, in lines. */
function describeFound({ path, stricter, added, notTaken }: FoundFile): readonly string[] {
  const sections = [
    ["stricter by it", stricter],
    ["workspaces of it", added],
    ["not taken from it", notTaken],
  ] as const;
  const lines = sections.flatMap(([what, keys]) =>
    keys.length > 0 ? [`  ${what}: ${keys.join(", ")}`] : [],
  );
  return [path, "  found in the current folder, not trusted: it can only make stricter", ...lines];
}

function toReport({ path, stricter, notTaken, added }: FoundFile) {
  return { path, stricter, not_taken: notTaken, workspaces: added };
}

const DEFAULTS = "built-in defaults";

const WHY = {
  argument: "named by --config",
  variable: "named by PAPAYU_CONFIG",
  folder: "found in the current folder, trusted",
  home: "found in the daemon's folder",
} as const satisfies Record<Origin, string>;
