import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError, errorMessage } from "../core/app-error.ts";
import { versionName } from "../protocol/version.ts";
import type { GoldenParts } from "./golden.ts";
import type { Golden } from "./golden-schema.ts";

/** Where goldens are, below the folder of a checkout. */
const FOLDER = ["tests", "golden"] as const;

/**
 * Writes a golden as `tests/golden/v<schema_version>/NNN_<name>.json` below `dir`, and its tree
 * next to it; gives the path of the file. NNN goes on from the highest number that is there, and
 * nothing is ever written over.
 *
 * @throws AppError ERR_USAGE for a name that is none, and ERR_IO
 */
export function writeGolden(
  dir: string,
  { golden, tree }: GoldenParts,
  name: string = nameAfterOutcome(golden),
): string {
  if (!NAME.test(name)) {
    const message = `Cannot name a golden "${name}": a name has a-z, 0-9, "_" and "-", at most 64 of them; give another --name`;
    throw new AppError("ERR_USAGE", message);
  }
  try {
    const folder = makeFolders(dir, [...FOLDER, versionName(golden.protocol.schema_version)]);
    const path = join(folder, `${nextNumber(folder)}_${name}`);
    writeParts(path, golden, tree.files);
    return `${path}.json`;
  } catch (error) {
    const message = `Cannot write a golden below "${dir}": ${errorMessage(error)}`;
    throw new AppError("ERR_IO", message, { cause: error });
  }
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

function nameAfterOutcome({ protocol, request, result }: Golden): string {
  if (result.error_code !== null) return result.error_code.toLowerCase().replace(/^err_/, "");
  if (protocol.protocol_fallback_attempted) return `${request.mode}_fallback`;
  return protocol.protocol_repair_attempt === 1 ? `${request.mode}_repaired` : request.mode;
}

/** Each folder below `dir`; one that is a link would lead elsewhere. */
function makeFolders(dir: string, names: readonly string[]): string {
  return names.reduce((parent, name) => {
    const path = join(parent, name);
    mkdirSync(path, { recursive: true });
    if (!lstatSync(path).isDirectory()) throw new Error(`"${path}" is no folder; move it away`);
    return path;
  }, dir);
}

function nextNumber(folder: string): string {
  const taken = readdirSync(folder).map((entry) => Number(/^(\d+)_/.exec(entry)?.[1] ?? 0));
  return String(Math.max(0, ...taken) + 1).padStart(3, "0");
}

/** The file comes first and only if none is there; a half-written golden goes again. */
function writeParts(path: string, golden: Golden, files: ReadonlyMap<string, Uint8Array>): void {
  writeFileSync(`${path}.json`, `${JSON.stringify(golden, null, 2)}\n`, { flag: "wx" });
  try {
    for (const [name, bytes] of files) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), bytes, { flag: "wx" });
    }
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    rmSync(`${path}.json`, { force: true });
    throw error;
  }
}
