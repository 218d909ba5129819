import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  type Stats,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { hasCode, orElse } from "../../core/app-error.ts";
import { openTree, type Tree } from "../tree.ts";
import { createSlices } from "./slices.ts";

/** A copy is made while somebody waits. */
const MOST = { bytes: 512 * 1024 * 1024, entries: 100_000 };

/** How a copy shares what it is made of; a reason where none can be made. */
export type Copied = { readonly kind: "clone" | "copy" } | NotCopied;

interface NotCopied {
  readonly kind: "none";
  readonly reason: string;
}

/**
 * Copies a folder with its modes, times and links, ignored files too; where
 * the disk can share what is not changed, nothing is written twice.
 *
 * @throws Error of the system where something in it cannot be read
 */
export async function copyFolder(plan: CopyPlan): Promise<Copied> {
  const { from, to, signal, most = MOST } = plan;
  using tree = openTree(from);
  // A folder that is too large is known by a look at it; most of a copy would be thrown away.
  const found = await measure(tree, plan, most);
  if ("reason" in found) return found;
  const copy: Copy = { tree, to, most, kind: undefined, bytes: 0, allBytes: found.bytes };
  const slice = createSlices();
  const folders = found.entries.filter(({ stat }) => stat.isDirectory());
  for (const { path, stat } of found.entries) {
    if (stat.isDirectory()) mkdirSync(join(to, path), { mode: 0o700 });
    else passIfGone(() => copyEntry(copy, path, stat));
    if (isTooLarge(copy)) return tooMuch(`${most.bytes / 1024 ** 2} MB`);
    await slice();
    signal.throwIfAborted();
  }
  for (const { path, stat } of folders.toReversed()) likeBefore(join(to, path), stat);
  chmodSync(to, lstatSync(from).mode & 0o777);
  return { kind: copy.kind ?? "copy" };
}

/** What is at a path, folders before what is in them. */
interface Entry {
  readonly path: string;
  readonly stat: Stats;
}

interface Measured {
  readonly entries: readonly Entry[];
  /** Of all its files. */
  readonly bytes: number;
}

async function measure(
  tree: Tree,
  { leftOut, signal }: CopyPlan,
  most: typeof MOST,
): Promise<Measured | NotCopied> {
  const entries: Entry[] = [];
  let bytes = 0;
  const waiting = [""];
  const slice = createSlices();
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const name of tree.list(folder)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (path === leftOut) continue;
      const stat = lstatSync(tree.at(path), { throwIfNoEntry: false });
      if (stat === undefined) {
        const garbled = findGarbled(tree, folder, name);
        if (garbled !== undefined) return notText(garbled);
        continue; // gone since it was listed
      }
      if (stat.isDirectory()) waiting.push(path);
      if (stat.isFile()) bytes += stat.size;
      if (entries.push({ path, stat }) > most.entries) return tooMuch(`${most.entries} files`);
      await slice();
      signal.throwIfAborted();
    }
  }
  return { entries, bytes };
}

/** What is copied where, but for one name at the top. */
interface CopyPlan {
  readonly from: string;
  readonly to: string;
  readonly leftOut: string;
  readonly signal: AbortSignal;
  /** What may be written twice, and how many entries there may be. */
  readonly most?: typeof MOST;
}

interface Copy {
  readonly tree: Tree;
  readonly to: string;
  readonly most: typeof MOST;
  /** Undefined until the first file. */
  kind: "clone" | "copy" | undefined;
  /** Of what was written twice. */
  bytes: number;
  /** Of what would be, where the disk shares nothing. */
  readonly allBytes: number;
}

/** Known with the first file, where the disk shares nothing; files may have grown since. */
function isTooLarge({ kind, bytes, allBytes, most }: Copy): boolean {
  return kind === "copy" && Math.max(bytes, allBytes) > most.bytes;
}

const passIfGone = (work: () => void) => orElse(work, hasCode("ENOENT"), () => {});

function copyEntry(copy: Copy, path: string, seen: Stats): void {
  const { tree, to } = copy;
  const target = join(to, path);
  if (seen.isSymbolicLink()) {
    symlinkSync(readlinkSync(tree.at(path)), target);
    return lutimesSync(target, seen.atime, seen.mtime);
  }
  if (!seen.isFile()) return; // a socket or a pipe belongs to who made it
  // It may have been swapped for a link or a pipe since.
  const fd = openSync(
    tree.at(path),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return;
    copyBytes(copy, `/proc/self/fd/${fd}`, target, stat.size);
    if (!isTooLarge(copy)) likeBefore(target, stat);
  } finally {
    closeSync(fd);
  }
}

function copyBytes(copy: Copy, from: string, to: string, size: number): void {
  if (copy.kind !== "copy") {
    try {
      copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE);
      copy.kind = "clone";
      return;
    } catch (error) {
      if (copy.kind === "clone") throw error;
      copy.kind = "copy";
    }
  }
  copy.bytes += size;
  if (!isTooLarge(copy)) copyFileSync(from, to);
}

function likeBefore(path: string, { mode, atime, mtime }: Stats): void {
  chmodSync(path, mode & 0o777); // nothing lends its owner's rights
  lutimesSync(path, atime, mtime);
}

/** The bytes of a name that no text gives back, as which it was listed. */
function findGarbled(tree: Tree, folder: string, listed: string): Buffer | undefined {
  if (!listed.includes("\uFFFD")) return undefined;
  const names = readdirSync(`${folder === "" ? tree.at(".") : tree.at(folder)}/`, "buffer");
  return names.find((name) => name.toString() === listed && !name.equals(Buffer.from(listed)));
}

function notText(name: Buffer): NotCopied {
  const shown = name
    .toString("latin1")
    .replace(/[^ -~]/gu, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return { kind: "none", reason: `a name in it is no UTF-8 text: ${shown}` };
}

function tooMuch(bound: string): NotCopied {
  return { kind: "none", reason: `it is over ${bound}, too much to copy` };
}
