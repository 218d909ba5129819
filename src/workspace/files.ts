import type { Dirent } from "node:fs";
import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { AppError, errorMessage, type Failure, systemErrorCode } from "../core/app-error.ts";
import { decodeUtf8 } from "../core/decode-utf8.ts";
import { sha256 } from "../core/sha256.ts";
import { addIgnoreFile, type IgnoreRules, isIgnored, rulesInside } from "./ignore-rules.ts";

/** Folders that hold what tools made: never walked, whatever .gitignore says. */
const GENERATED_DIRS: ReadonlySet<string> = new Set(
  `.git .hg .svn .papa-yu node_modules bower_components target dist build coverage .venv venv
  __pycache__ .mypy_cache .pytest_cache .ruff_cache .tox .next .nuxt .svelte-kit .turbo
  .parcel-cache .gradle .terraform .idea .cache`.split(/\s+/),
);
const DEFAULT_LIMIT = 200_000;
/** No tree that a person made is deeper. */
const MAX_DEPTH = 64;
/** Folders read at once: enough to keep the disk busy, few enough to stay under any limit. */
const PARALLEL_READS = 32;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** Files of a folder: relative paths with "/", sorted; `truncated` when there are more. */
export interface Listing {
  readonly paths: readonly string[];
  readonly truncated: boolean;
}

/**
 * Lists the regular files below `root` that a person would call theirs: .gitignore honoured at
 * every level, generated folders left out, symbolic links not followed.
 *
 * The walk goes level by level, so a listing cut at `limit` keeps the top of the tree and is the
 * same every time. Folders that cannot be read are left out.
 *
 * @throws AppError ERR_NOT_FOUND or ERR_IO when `root` itself cannot be read.
 */
export async function listFiles(
  root: string,
  options: { readonly signal?: AbortSignal; readonly limit?: number } = {},
): Promise<Listing> {
  const limit = options.limit ?? DEFAULT_LIMIT;
  const paths: string[] = [];
  let level: readonly Folder[] = [await readRoot(root)];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_DEPTH) return { paths: paths.toSorted(), truncated: true };
    const next: Folder[] = [];
    for (const batch of batches(level)) {
      options.signal?.throwIfAborted();
      for (const found of await Promise.all(batch.map((folder) => readFolder(root, folder)))) {
        const room = limit - paths.length;
        if (found.files.length > room) {
          const first = found.files.toSorted().slice(0, room);
          return { paths: [...paths, ...first].toSorted(), truncated: true };
        }
        for (const path of found.files) paths.push(path);
        for (const folder of found.folders) next.push(folder);
      }
    }
    level = next;
  }
  return { paths: paths.toSorted(), truncated: false };
}

/** A file's text and identity, byte-order mark included, so that text and sha256 belong together. */
export interface TextFile {
  readonly ok: true;
  readonly text: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/**
 * Reads a regular file that must be UTF-8 text; never waits on a pipe or a device, and follows no
 * link in its last part: the guard has resolved the path. Failures speak of `shownPath`, so that a model is not told where the folder lies.
 */
export async function readTextFile(
  absolutePath: string,
  shownPath: string = absolutePath,
): Promise<TextFile | Failure> {
  try {
    await using file = await open(absolutePath, READ_FLAGS);
    const stat = await file.stat();
    if (!stat.isFile()) return unreadable(shownPath, "it is not a regular file");
    if (stat.size > MAX_TEXT_BYTES) return unreadable(shownPath, "it is over 64 MiB");
    const bytes = await file.readFile();
    const text = decodeUtf8(bytes);
    if (text === undefined) return notText(shownPath);
    return { ok: true, text, sha256: sha256(bytes), sizeBytes: bytes.byteLength };
  } catch (error) {
    return readFailure(shownPath, error);
  }
}

interface Folder {
  /** Relative, with a trailing "/"; "" for the root. */
  readonly prefix: string;
  readonly rules: IgnoreRules;
  readonly entries?: readonly Dirent[];
}

async function readRoot(root: string): Promise<Folder> {
  try {
    return { prefix: "", rules: [], entries: await readdir(root, { withFileTypes: true }) };
  } catch (error) {
    const { code, message } = readFailure(root, error);
    throw new AppError(code, message, { cause: error });
  }
}

async function readFolder(
  root: string,
  folder: Folder,
): Promise<{ readonly files: readonly string[]; readonly folders: readonly Folder[] }> {
  const { prefix } = folder;
  const entries =
    folder.entries ?? (await readdir(`${root}/${prefix}`, { withFileTypes: true }).catch(() => []));
  const hasIgnoreFile = entries.some((entry) => entry.name === ".gitignore" && entry.isFile());
  const rules = hasIgnoreFile ? await addIgnoreFile(root, prefix, folder.rules) : folder.rules;
  const files: string[] = [];
  const folders: Folder[] = [];
  for (const entry of entries) {
    const path = prefix + entry.name;
    if (entry.isFile()) {
      if (!isIgnored(rules, path)) files.push(path);
    } else if (entry.isDirectory() && !GENERATED_DIRS.has(entry.name)) {
      if (isIgnored(rules, `${path}/`)) continue;
      folders.push({ prefix: `${path}/`, rules: rulesInside(rules, `${path}/`) });
    }
  }
  return { files, folders: folders.toSorted((a, b) => (a.prefix < b.prefix ? -1 : 1)) };
}

function* batches(folders: readonly Folder[]): Generator<readonly Folder[]> {
  for (let start = 0; start < folders.length; start += PARALLEL_READS) {
    yield folders.slice(start, start + PARALLEL_READS);
  }
}

function notText(path: string): Failure {
  const message = `Cannot read "${path}": it is not UTF-8 text; convert it to UTF-8 or leave it out`;
  return { ok: false, code: "ERR_NON_UTF8_FILE", message };
}

function unreadable(path: string, reason: string): Failure {
  return { ok: false, code: "ERR_IO", message: `Cannot read "${path}": ${reason}` };
}

function readFailure(path: string, error: unknown): Failure {
  const code = systemErrorCode(error);
  if (code === "ELOOP") return unreadable(path, "it is a symbolic link");
  if (code !== "ENOENT" && code !== "ENOTDIR") return unreadable(path, errorMessage(error));
  return { ok: false, code: "ERR_NOT_FOUND", message: `Cannot read "${path}": it does not exist` };
}
