import type { Dirent } from "node:fs";
import { join } from "node:path";
import { AppError } from "../core/app-error.ts";
import { listExact } from "../system/open-exact.ts";
import { addIgnoreText, type IgnoreRules, isIgnored, rulesInside } from "./ignore-rules.ts";
import type { LeftOut, Part } from "./part.ts";
import { readWholeFile, toFailure } from "./read-file.ts";

/** Folders that hold what tools made: never walked, even if .gitignore says otherwise. */
export const GENERATED_DIRS: ReadonlySet<string> = new Set(
  `.git .hg .svn .papa-yu node_modules bower_components target dist build coverage .venv venv
  __pycache__ .mypy_cache .pytest_cache .ruff_cache .tox .next .nuxt .svelte-kit .turbo
  .parcel-cache .gradle .terraform .idea .cache`.split(/\s+/),
);
/** Those of them that people name folders of their own, too: tools' only where they are ignored. */
const PEOPLES_DIRS: ReadonlySet<string> = new Set(["target", "dist", "build", "coverage"]);

/**
 * Whether a folder (`path` ends in "/") is a tool's in what commands do to it. A project that says
 * what it ignores, and does not say so of its `dist` or `build`, has files of its own there; where
 * nothing is said at all they are the tools' that have these names.
 */
export function isGenerated(rules: IgnoreRules, path: string, name: string): boolean {
  if (isIgnored(rules, path)) return true;
  return GENERATED_DIRS.has(name) && !(rules.length > 0 && PEOPLES_DIRS.has(name));
}

/** As many paths as fit into the memory of any machine; no folder of a person has more. */
const DEFAULT_LIMIT = 2_000_000;
/** No tree that a person made is deeper. */
const MAX_DEPTH = 64;
/** Folders read at once: enough to keep the disk busy, few enough to stay under any limit. */
const PARALLEL_READS = 32;

/** Files of a folder: relative paths with "/", sorted; what is below `MAX_DEPTH` is left out. */
export type Listing = Part<string>;

/** What of a folder is listed, and how. */
interface ListOptions {
  readonly signal?: AbortSignal;
  /** Most paths; further files are counted. */
  readonly limit?: number;
  /** Ends the walk at the limit, for who only asks whether there are more. */
  readonly isShort?: boolean;
  /** With links, and with `build` and the like where they are not ignored: misses nothing. */
  readonly isWhole?: boolean;
  /** Only what is below this folder, which ends in "/". */
  readonly under?: string;
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
export async function listFiles(root: string, options: ListOptions = {}): Promise<Listing> {
  const { limit = DEFAULT_LIMIT, isShort = false } = options;
  const items: string[] = [];
  let further = 0;
  let level: readonly Folder[] = [await readRoot(root)];
  for (let depth = 0; level.length > 0 && depth < MAX_DEPTH; depth++) {
    const next: Folder[] = [];
    for (const batch of batches(level)) {
      options.signal?.throwIfAborted();
      for (const found of await Promise.all(
        batch.map((folder) => readFolder(root, folder, options)),
      )) {
        const room = limit - items.length;
        const isAll = found.files.length <= room;
        for (const path of isAll ? found.files : found.files.toSorted().slice(0, room)) {
          items.push(path);
        }
        if (!isAll && isShort) return { items: items.toSorted(), leftOut: [{ what: "files" }] };
        if (!isAll) further += found.files.length - room;
        for (const folder of found.folders) next.push(folder);
      }
    }
    level = next;
  }
  const leftOut: readonly LeftOut[] = [
    { what: "files", count: further },
    { what: "folders", count: level.length },
  ];
  return { items: items.toSorted(), leftOut: leftOut.filter(({ count }) => count !== 0) };
}

interface Folder {
  /** Relative, with a trailing "/"; "" for the root. */
  readonly prefix: string;
  readonly rules: IgnoreRules;
  readonly entries?: readonly Dirent[];
}

async function readRoot(root: string): Promise<Folder> {
  try {
    return { prefix: "", rules: [], entries: await listExact(root) };
  } catch (error) {
    const { code, message } = toFailure({ absolute: root, path: root }, error);
    throw new AppError(code, message, { cause: error });
  }
}

async function readFolder(
  root: string,
  folder: Folder,
  { isWhole = false, under = "" }: ListOptions,
): Promise<{ readonly files: readonly string[]; readonly folders: readonly Folder[] }> {
  const { prefix } = folder;
  const entries =
    folder.entries ?? (await listExact(join(root, prefix.slice(0, -1))).catch(() => []));
  const hasIgnoreFile = entries.some((entry) => entry.name === ".gitignore" && entry.isFile());
  const rules = hasIgnoreFile ? await addIgnoreFile(root, prefix, folder.rules) : folder.rules;
  const files: string[] = [];
  const folders: Folder[] = [];
  for (const entry of entries) {
    const path = prefix + entry.name;
    if (entry.isFile() || (isWhole && entry.isSymbolicLink())) {
      if (path.startsWith(under) && !isIgnored(rules, path)) files.push(path);
    } else if (entry.isDirectory() && isWalked(entry.name, isWhole)) {
      if (!isOnTheWay(`${path}/`, under) || isIgnored(rules, `${path}/`)) continue;
      folders.push({ prefix: `${path}/`, rules: rulesInside(rules, `${path}/`) });
    }
  }
  return { files, folders: folders.toSorted((a, b) => (a.prefix < b.prefix ? -1 : 1)) };
}

function isOnTheWay(folder: string, under: string): boolean {
  return folder.startsWith(under) || under.startsWith(folder);
}

function isWalked(name: string, isWhole: boolean): boolean {
  return !GENERATED_DIRS.has(name) || (isWhole && PEOPLES_DIRS.has(name));
}

function* batches(folders: readonly Folder[]): Generator<readonly Folder[]> {
  for (let start = 0; start < folders.length; start += PARALLEL_READS) {
    yield folders.slice(start, start + PARALLEL_READS);
  }
}

/** A .gitignore larger than this is not a list of patterns. */
export const MAX_IGNORE_BYTES = 256 * 1024;

/** The rules of `outer` plus those of the .gitignore in `prefix`; an unreadable one adds none. */
async function addIgnoreFile(
  root: string,
  prefix: string,
  outer: IgnoreRules,
): Promise<IgnoreRules> {
  const absolute = join(root, prefix, ".gitignore");
  const file = await readWholeFile({ absolute, path: ".gitignore" }, MAX_IGNORE_BYTES);
  return addIgnoreText(prefix, outer, file.ok ? new TextDecoder().decode(file.bytes) : "");
}
