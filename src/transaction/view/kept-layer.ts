import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import type { OverlayCalls } from "../../system/sandbox/overlay/overlay.ts";
import { type IgnoreRules, rulesInside } from "../../workspace/ignore-rules.ts";
import { createTracked, type Tracked } from "../../workspace/tracked.ts";
import type { ExpectedTree } from "./expected.ts";
import { isEntered, isKept } from "./is-kept.ts";
import { removeFolder } from "./remove-folder.ts";
import { createSlices } from "./slices.ts";

/** What tools keep of a project, all of it together. */
const MOST = { bytes: 2 * 1024 * 1024 * 1024, entries: 200_000 };

/**
 * Leaves of an upper folder nothing but ignored folders, and names them. A file in one that git keeps
 * is of the project: it is as it is in the workspace. What is in a folder that
 * a command took away and made again, or that the workspace does not have, is not kept: it would
 * hide what is there later, or show what is not.
 */
export async function pruneToIgnored(
  { root, upper }: { readonly root: string; readonly upper: string },
  expected: ExpectedTree,
  calls: OverlayCalls,
): Promise<readonly string[]> {
  const kept: string[] = [];
  const tracked = createTracked(root);
  const prune = async (folder: string, outer: IgnoreRules): Promise<boolean> => {
    let isUsed = false;
    const rules = expected.rules(folder, outer);
    for (const name of readdirSync(join(upper, folder))) {
      const path = folder + name;
      const absolute = join(upper, path);
      const stat = lstatSync(absolute);
      const isDirectory = stat.isDirectory();
      if (isDirectory && isKept(rules, folder, name)) {
        if (!(await dropTracked(upper, path, tracked, calls))) continue;
        kept.push(path);
        isUsed = true;
      } else if (
        isDirectory &&
        isEntered(rules, folder, name) &&
        isFolder(join(root, path)) &&
        !calls.isOpaque(absolute)
      ) {
        if (await prune(`${path}/`, rulesInside(rules, `${path}/`))) isUsed = true;
        else rmdirSync(absolute);
      } else if (isDirectory) await removeFolder(absolute);
      else unlinkSync(absolute);
    }
    return isUsed;
  };
  await prune("", []);
  return kept;
}

/** False where the folder is gone with them: what a command made anew hides what it was. */
async function dropTracked(
  upper: string,
  folder: string,
  tracked: Tracked,
  calls: OverlayCalls,
): Promise<boolean> {
  for (const path of tracked.below(folder)) {
    const names = path.split("/");
    for (let depth = folder.split("/").length; depth <= names.length; depth++) {
      const at = join(upper, ...names.slice(0, depth));
      const stat = lstatSync(at, { throwIfNoEntry: false });
      const isWay = stat?.isDirectory() === true && depth < names.length && !calls.isOpaque(at);
      if (isWay) continue;
      if (stat?.isDirectory()) await removeFolder(at);
      else if (stat) unlinkSync(at);
      break;
    }
  }
  return isFolder(join(upper, folder));
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * Puts what was kept before below what is to be kept now, so that one folder holds both; what was
 * kept is not written to, for another view may be using it.
 */
export async function mergeBelow(
  upper: string,
  below: string | undefined,
  calls: OverlayCalls,
  most: typeof MOST = MOST,
): Promise<"merged" | "too much"> {
  let [bytes, entries] = [0, 0];
  const slice = createSlices();
  const count = async (stat: Stats): Promise<boolean> => {
    bytes += stat.blocks * 512;
    entries++;
    await slice();
    return bytes <= most.bytes && entries <= most.entries;
  };

  const measure = async (folder: string): Promise<boolean> => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const stat = lstatSync(path);
      if (!(await count(stat))) return false;
      if (stat.isDirectory() && !(await measure(path))) return false;
    }
    return true;
  };

  /** Files below are never written to: another name for one is as good as a copy. */
  const addFrom = async (old: string, target: string): Promise<boolean> => {
    for (const name of readdirSync(old)) {
      const [from, to] = [join(old, name), join(target, name)];
      const stat = lstatSync(from);
      const there = lstatSync(to, { throwIfNoEntry: false });
      if (!there && !(await count(stat))) return false;
      if (!stat.isDirectory()) {
        if (!there) linkSync(from, to);
        continue;
      }
      if (there && (!there.isDirectory() || calls.isOpaque(to))) continue;
      if (!there) {
        mkdirSync(to);
        chmodSync(to, stat.mode & 0o7777);
      }
      if (calls.isOpaque(from)) calls.setOpaque(to);
      if (!(await addFrom(from, to))) return false;
    }
    return true;
  };

  const isFine = (await measure(upper)) && (below === undefined || (await addFrom(below, upper)));
  return isFine ? "merged" : "too much";
}
