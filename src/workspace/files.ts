import type { Dirent } from "node:fs";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { AppError } from "../core/app-error.ts";
import { listExact } from "../system/open-exact.ts";
import { readWholeFile, toFailure } from "./read-file.ts";

/** Folders that hold what tools made: never walked, even if .gitignore says otherwise. */
export const GENERATED_DIRS: ReadonlySet<string> = new Set(
  `.git .hg .svn .papa-yu node_modules bower_components target dist build coverage .venv venv
  __pycache__ .mypy_cache .pytest_cache .ruff_cache .tox .next .nuxt .svelte-kit .turbo
  .parcel-cache .gradle .terraform .idea .cache`.split(/\s+/),
);
const DEFAULT_LIMIT = 200_000;
/** No tree that a person made is deeper. */
const MAX_DEPTH = 64;
/** Folders read at once: enough to keep the disk busy, few enough to stay under any limit. */
const PARALLEL_READS = 32;

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

/** A .gitignore larger than this is not a list of patterns. */
const MAX_BYTES = 256 * 1024;
const MAX_GLOBSTARS = 3;

/** Letter case counts where it counts for git. */
const OPTIONS = { allowRelativePaths: true, ignorecase: process.platform !== "linux" };

/** The .gitignore files that hold in a folder, outermost first. */
type IgnoreRules = readonly {
  /** Folder of the .gitignore, relative with a trailing "/", "" for the root. */
  readonly prefix: string;
  readonly matcher: Ignore;
  /** Where it finds nothing the matcher has no rule either; it costs a fraction of that. */
  readonly hint: RegExp;
}[];

/** The rules of `outer` plus those of the .gitignore in `prefix`; an unreadable one adds none. */
async function addIgnoreFile(
  root: string,
  prefix: string,
  outer: IgnoreRules,
): Promise<IgnoreRules> {
  const absolute = join(root, prefix, ".gitignore");
  const file = await readWholeFile({ absolute, path: ".gitignore" }, MAX_BYTES);
  const text = file.ok ? new TextDecoder().decode(file.bytes) : "";
  if (text.trim() === "") return outer;
  const lines = harmless(text);
  return [...outer, { prefix, matcher: ignore(OPTIONS).add(lines), hint: toHint(lines) }];
}

/** Without patterns of many "**": matching one takes time to the power of their number. */
function harmless(text: string): string[] {
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .filter((line) => line.split("**").length - 1 <= MAX_GLOBSTARS);
}

/** Every path that a pattern matches holds the longest stretch of it that is plain text. */
function toHint(lines: readonly string[]): RegExp {
  const patterns = lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const texts = new Set(patterns.map(longestText));
  const source = [...texts].map((text) => RegExp.escape(text)).join("|");
  return new RegExp(patterns.length === 0 ? "(?!)" : source, OPTIONS.ignorecase ? "i" : "");
}

/** Empty, which is found in every path, where a pattern has no such stretch or escapes some of it. */
function longestText(pattern: string): string {
  if (pattern.includes("\\")) return "";
  const [plain = ""] = pattern.trimEnd().replace(/^!/, "").split("[");
  return plain.split(/[*?/]+/).reduce((a, b) => (b.length > a.length ? b : a), "");
}

/**
 * Whether git would leave this path out. `path` ends in "/" for a folder.
 *
 * The innermost .gitignore that says anything decides. Callers never descend into an ignored
 * folder, so a path below one is not asked about.
 */
function isIgnored(rules: IgnoreRules, path: string): boolean {
  for (let i = rules.length - 1; i >= 0; i--) {
    const rule = rules[i];
    if (rule === undefined) continue;
    const inside = path.slice(rule.prefix.length);
    if (!rule.hint.test(inside)) continue;
    const { ignored, unignored } = rule.matcher.test(inside);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/**
 * The rules for what is in `folder` (ending in "/"), which is not ignored. Where an inner
 * .gitignore has re-included it, the outer ones no longer ignore it for its content.
 */
function rulesInside(rules: IgnoreRules, folder: string): IgnoreRules {
  return rules.map((rule) => {
    const path = folder.slice(rule.prefix.length);
    if (!rule.hint.test(path) || !rule.matcher.test(path).ignored) return rule;
    const reIncluded = `!/${path.replace(/[\\*?[\]!# ]/g, "\\$&")}`;
    return { ...rule, matcher: ignore(OPTIONS).add(rule.matcher).add(reIncluded) };
  });
}
