import { constants, type Stats } from "node:fs";
import { lstat, open, stat } from "node:fs/promises";
import { parse, TomlError } from "smol-toml";
import { AppError, errorMessage, systemErrorCode } from "../../core/app-error.ts";
import { toRealPath } from "../paths.ts";
import type { TomlValue } from "../toml/toml.ts";
import { toConfigError } from "./problem.ts";

/** A configuration file as text and as plain data. */
export interface TomlFile {
  readonly text: string;
  readonly value: unknown;
}

/** A configuration file as it was read. */
export interface ReadToml {
  readonly toml: TomlFile;
  /** Where it lies behind all links; undefined where that was another file each time. */
  readonly real: string | undefined;
}

const MAX_BYTES = 1024 * 1024;
/** An editor may save just now, which puts another file in its place. */
const MOST_READS = 3;

/**
 * Reads a TOML file of at most 1 MiB; undefined when there is none.
 *
 * @param file the path as messages show it
 * @throws AppError ERR_CONFIG_PARSE with file, line and column
 */
export async function readToml(path: string, file: string): Promise<ReadToml | undefined> {
  let read = await readBytes(path, file);
  for (let reads = 1; read && !read.real && reads < MOST_READS; reads++) {
    read = await readBytes(path, file);
  }
  return read && { toml: parseToml(path, file, decode(read.bytes, path, file)), real: read.real };
}

/**
 * The same for a text that a file has or is about to have.
 *
 * @throws AppError ERR_CONFIG_PARSE with file, line and column
 */
export function parseToml(path: string, file: string, text: string): TomlFile {
  try {
    const table = parse(text, { unsafeKeyBehaviour: "throw" });
    return { text, value: toTomlValue(table) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw parseError(path, file, 0, errorMessage(error));
    // Only the first line: the rest quotes the file, which may hold a secret.
    const [reason = ""] = error.message.split("\n");
    throw parseError(path, file, error.line, `${reason} in column ${error.column}`);
  }
}

/** What a parser gave, with dates as text: no key holds one, and a schema would take it for a table. */
export function toTomlValue(value: unknown): TomlValue {
  if (value instanceof Date) return value.toJSON();
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(toTomlValue);
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) throw new Error("TOML has no such value");
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toTomlValue(each)]));
}

function decode(bytes: Uint8Array, path: string, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw parseError(path, file, 0, "not valid UTF-8; save it as UTF-8");
  }
}

async function readBytes(
  path: string,
  file: string,
): Promise<{ readonly bytes: Uint8Array; readonly real: string | undefined } | undefined> {
  try {
    if (!(await stat(path)).isFile()) throw parseError(path, file, 0, "not a file");
    // Without a wait: what was a file at that look may be a pipe by now.
    await using source = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = await source.stat();
    if (!status.isFile()) throw parseError(path, file, 0, "not a file");
    // Not by the size alone: files of /proc say 0 and go on for ever.
    const buffer = Buffer.allocUnsafe(MAX_BYTES + 1);
    let length = 0;
    for (let more = -1; more !== 0 && length <= MAX_BYTES; length += more) {
      more = (await source.read(buffer, length, buffer.length - length, length)).bytesRead;
    }
    if (length <= MAX_BYTES) {
      return { bytes: buffer.subarray(0, length), real: await findReal(path, status) };
    }
    const size = Math.max(status.size, length);
    throw parseError(path, file, 0, `${size} bytes; at most ${MAX_BYTES} are read`);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") {
      // Somebody keeps their settings behind it, and the disk they are on may come later.
      if (!(await isLink(path))) return undefined;
      throw parseError(path, file, 0, "a link to a file that is not there");
    }
    if (error instanceof AppError) throw error;
    throw parseError(path, file, 0, `cannot be read: ${errorMessage(error)}`);
  }
}

/**
 * Where the file that was read lies. A link may lead elsewhere by the time it is asked, and what was
 * read through it before is not what lies there.
 */
async function findReal(path: string, { dev, ino }: Stats): Promise<string | undefined> {
  const real = toRealPath(path);
  const there = await stat(real).catch(() => undefined);
  return there?.ino === ino && there.dev === dev ? real : undefined;
}

async function isLink(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() === true;
}

function parseError(path: string, file: string, line: number, message: string): AppError {
  return toConfigError("ERR_CONFIG_PARSE", path, [{ file, line, key: "", message }]);
}
