import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { systemErrorCode } from "../core/app-error.ts";
import { readPlainFile } from "../system/plain-file.ts";

/** More is no index that anybody waits for. */
const MAX_INDEX_BYTES = 256 * 1024 * 1024;
/** A file in the place of `.git` has one line with a path. */
const MAX_LINK_BYTES = 64 * 1024;
const HEAD_BYTES = 12;
/** Where the mode of an entry is, its object's name of 20 bytes, its flags, and its own name. */
const MODE_AT = 24;
const FLAGS_AT = 60;
const NAME_AT = 62;
const EXTENDED = 0x4000;
/** Of the further flags of an entry: it is not in the folder. */
const SKIPPED = 0x4000;
const LENGTH_MASK = 0xfff;
const SUBMODULE = 0o160000;

/** What git's index says of a folder. */
export interface TrackedPaths {
  readonly paths: readonly string[];
  /** Why there are none, though git may keep some. */
  readonly unknown?: string;
}

/**
 * Paths below `root` that git keeps there, whatever is ignored: a file that was added by force belongs
 * to the project. Read from git's index as it is; none where there is no repository, and where the
 * index is of a kind that is not known, too large or damaged, which `unknown` says.
 */
export function readTracked(root: string): TrackedPaths {
  const found = findIndex(root);
  if (!found) return { paths: [] };
  const why = (reason: string) => ({ paths: [], unknown: `${found.index} ${reason}` });
  try {
    const { size } = statSync(found.index);
    if (size > MAX_INDEX_BYTES) return why(`has more than ${MAX_INDEX_BYTES / 1024 ** 2} MB`);
    const entries = parseIndex(readPlainFile(found.index, MAX_INDEX_BYTES), found.prefix);
    return entries
      ? { paths: entries.map(({ path }) => path) }
      : why("is of a kind that papa-yu does not read");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return { paths: [] }; // nothing was ever added
    return why("cannot be read");
  }
}

/**
 * Tells the paths that git keeps and a sparse checkout leaves out of the folder. Without one nothing of
 * the index is read; what cannot be read leaves out nothing.
 */
export function createFindLeftOut(root: string): (path: string) => boolean {
  let known:
    | { readonly files: ReadonlySet<string>; readonly folders: readonly string[] }
    | undefined;
  return (path) => {
    known ??= readLeftOut(root);
    return known.files.has(path) || known.folders.some((folder) => path.startsWith(folder));
  };
}

function readLeftOut(root: string) {
  const found = findIndex(root);
  const isSparse = found && existsSync(join(dirname(found.index), "info/sparse-checkout"));
  const skipped = isSparse ? entriesOf(found).filter(({ isSkipped }) => isSkipped) : [];
  const paths = skipped.map(({ path }) => path);
  // Of a whole folder that is left out the index may have no more than its name.
  return { files: new Set(paths), folders: paths.filter((path) => path.endsWith("/")) };
}

function entriesOf({ index, prefix }: FoundIndex): readonly Entry[] {
  try {
    return parseIndex(readPlainFile(index, MAX_INDEX_BYTES), prefix) ?? [];
  } catch {
    return [];
  }
}

/** What git keeps below a folder, by path; read when it is first asked for. */
export interface Tracked {
  has(path: string): boolean;
  /** Its paths below this folder, which has no "/" at its end. */
  below(folder: string): readonly string[];
}

/** Reads git's index once, and only where something is asked of it. */
export function createTracked(root: string): Tracked {
  let known:
    | { readonly paths: ReadonlySet<string>; readonly by: Map<string, string[]> }
    | undefined;
  const read = () => (known ??= byFolder(readTracked(root).paths));
  return {
    has: (path) => read().paths.has(path),
    below: (folder) => read().by.get(folder) ?? [],
  };
}

function byFolder(paths: readonly string[]) {
  const by = new Map<string, string[]>();
  for (const path of paths) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      const inside = by.get(folder);
      if (inside) inside.push(path);
      else by.set(folder, [path]);
    }
  }
  return { paths: new Set(paths), by };
}

interface FoundIndex {
  readonly index: string;
  readonly prefix: string;
}

interface Entry {
  readonly path: string;
  readonly isSkipped: boolean;
}

/** The index of the repository that `root` is in, and the way from its top to `root`. */
function findIndex(root: string): FoundIndex | undefined {
  for (let top = root; ; top = dirname(top)) {
    const git = join(top, ".git");
    const found = statSync(git, { throwIfNoEntry: false });
    if (found) {
      const prefix = top === root ? "" : `${root.slice(top === "/" ? 1 : top.length + 1)}/`;
      const folder = found.isDirectory() ? git : gitDirOf(git, top);
      return folder === undefined ? undefined : { index: join(folder, "index"), prefix };
    }
    if (dirname(top) === top) return undefined;
  }
}

/** A worktree and a submodule have a file there. */
function gitDirOf(file: string, top: string): string | undefined {
  try {
    const [, folder] =
      /^gitdir: (.+)\n?$/u.exec(readPlainFile(file, MAX_LINK_BYTES).toString()) ?? [];
    return folder === undefined ? undefined : resolve(top, folder);
  } catch {
    return undefined;
  }
}

/** Undefined: objects with longer names, a split index, a version that is not known, or damage. */
function parseIndex(bytes: Buffer, prefix: string): readonly Entry[] | undefined {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) return undefined;
  const entries: Entry[] = [];
  let before: Buffer = Buffer.alloc(0);
  let at = HEAD_BYTES;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const mode = bytes.readUInt32BE(at + MODE_AT);
    const flags = bytes.readUInt16BE(at + FLAGS_AT);
    let start = at + NAME_AT + (flags & EXTENDED ? 2 : 0);
    let kept = 0;
    if (version === 4) [kept, start] = readKept(bytes, start, before.length);
    const length = flags & LENGTH_MASK;
    const isShort = version !== 4 && length !== LENGTH_MASK;
    const end = isShort ? start + length : bytes.indexOf(0, start);
    if (bytes[end] !== 0) return undefined;
    const own = bytes.subarray(start, end);
    const name = kept > 0 ? Buffer.concat([before.subarray(0, kept), own]) : own;
    const path = name.toString("utf8");
    const isSkipped = flags & EXTENDED ? (bytes.readUInt16BE(at + NAME_AT) & SKIPPED) !== 0 : false;
    const isOurs = mode !== SUBMODULE && path.startsWith(prefix);
    if (isOurs) entries.push({ path: path.slice(prefix.length), isSkipped });
    before = name;
    // Up to version 3 an entry ends in one to eight zeros, at a multiple of eight.
    at = version === 4 ? end + 1 : at + (((end - at) >> 3) + 1) * 8;
  }
  // The larger part of a split index is in another file.
  if (bytes.toString("latin1", at, at + 4) === "link") return undefined;
  return entries;
}

/** In version 4 a name begins like the one before it; says how much of that stays. */
function readKept(bytes: Buffer, at: number, length: number): [kept: number, start: number] {
  let byte = bytes.readUInt8(at++);
  let cut = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes.readUInt8(at++);
    cut = ((cut + 1) << 7) | (byte & 0x7f);
  }
  return [length - cut, at];
}
