import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { GENERATED_DIRS } from "../files.ts";
import type { Workspace } from "../workspace.ts";
import { isProtectedPath, SECRET_PARENTS } from "./protected-paths.ts";

/** Says what a file with several names (hard links) must not be read for; undefined: nothing. */
export type FindSecretName = (stat: Stats) => string | undefined;

/** More entries are not looked at: then nobody can say that a second name is harmless. */
const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 64;
/** Contents whose names say nothing, by the thousand: a clone on one disk links them all. */
const OBJECTS = /(?:^|\/)(?:\.git\/(?:objects|lfs)|\.papa-yu\/objects)$/u;

/** A file of the workspace that a change puts in place or took away: it is told by its own name. */
const STAGED = /(?:^|\/)\.papa-yu\/tx\/[^/]+\/stage-\d+(?:\.old)?$/u;

/**
 * Looks for protected files that a file may be another name of: those of the workspace, of the
 * person's home and of papa-yu's own folder. Package managers and snapshots give harmless files a
 * second name, so only these make a difference. The folders are walked when the first such file
 * is met, and what was found is good for one operation: make it anew for the next.
 */
export function createFindSecretName(workspace: Workspace): FindSecretName {
  let secrets: Secrets | undefined;
  return (stat) => {
    if (!stat.isFile() || stat.nlink === 1) return undefined;
    secrets ??= findSecrets(workspace);
    const name = secrets.names.get(toKey(stat));
    if (name !== undefined) return `it is a second name (hard link) of "${name}"`;
    if (!secrets.isCut) return undefined;
    return `it has a second name (hard link), and over ${MAX_ENTRIES} entries would have to be looked at to say what that is; copy the file`;
  };
}

/**
 * The files below a folder, ignored and generated ones too, that are second names of protected ones
 * or may be; undefined: there are too many to look at.
 */
export function findSecondNames(workspace: Workspace, base: string): string[] | undefined {
  const secrets = findSecrets(workspace);
  if (secrets.names.size === 0 && !secrets.isCut) return [];
  const found: string[] = [];
  const folders = [""];
  let left = MAX_ENTRIES;
  for (let path = folders.pop(); path !== undefined; path = folders.pop()) {
    for (const entry of list(join(base, path))) {
      if (left-- <= 0) return undefined;
      const inner = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== ".git") folders.push(inner);
      const stat = entry.isFile()
        ? lstatSync(join(base, inner), { throwIfNoEntry: false })
        : undefined;
      if (!stat || stat.nlink === 1) continue;
      if (secrets.isCut || secrets.names.has(toKey(stat))) found.push(inner);
    }
  }
  return found;
}

interface Secrets {
  /** What to call a protected file, by device and inode. */
  readonly names: Map<string, string>;
  left: number;
  isCut: boolean;
}

function findSecrets({ root, protectedPaths, homes }: Workspace): Secrets {
  const secrets: Secrets = { names: new Map(), left: MAX_ENTRIES, isCut: false };
  const isSecret = (path: string) => isProtectedPath(path, protectedPaths, "read");
  walk(secrets, root, "", { depth: MAX_DEPTH, isSecret });
  const home = homes?.person ?? homedir();
  // What else lies in a home may be millions of files.
  for (const path of ["", ...SECRET_PARENTS]) walk(secrets, home, path, { depth: 1, isSecret });
  if (homes) walk(secrets, homes.own, "", { depth: MAX_DEPTH, isSecret: () => true });
  return secrets;
}

interface Walk {
  readonly depth: number;
  readonly isSecret: (path: string) => boolean;
}

/** Follows no link; what cannot be listed cannot have been shown to anybody either. */
function walk(secrets: Secrets, base: string, path: string, { depth, isSecret }: Walk): void {
  for (const entry of list(join(base, path))) {
    if (secrets.left-- <= 0) {
      secrets.isCut = true;
      return;
    }
    const inner = path === "" ? entry.name : `${path}/${entry.name}`;
    const isOwn = isSecret(inner);
    if (entry.isFile() && isOwn && !STAGED.test(inner)) note(secrets, base, inner);
    if (!entry.isDirectory() || OBJECTS.test(inner)) continue;
    if (!isOwn && (depth <= 1 || GENERATED_DIRS.has(entry.name))) continue;
    walk(secrets, base, inner, { depth: isOwn ? MAX_DEPTH : depth - 1, isSecret });
  }
}

function list(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function note({ names }: Secrets, base: string, path: string): void {
  const stat = lstatSync(join(base, path), { throwIfNoEntry: false });
  if (stat && stat.nlink > 1) names.set(toKey(stat), path);
}

function toKey({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}
