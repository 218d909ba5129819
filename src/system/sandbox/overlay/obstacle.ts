import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { listExactSync } from "../../open-exact.ts";
import { isInside } from "../../run/run.ts";
import { openOverlayCalls } from "./libc.ts";
import { findOverlayProgram, OVERLAY_PROGRAMS } from "./programs.ts";

/** What an overlay is to be made of. */
export interface OverlayPlan {
  /** The real folder: an absolute path without links. */
  readonly root: string;
  /** Where what is written would go; it exists. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of folders whose content does not matter. */
  readonly passed: ReadonlySet<string>;
  /** Whether a path in `root` does not matter, asked only about the few obstacles. */
  readonly isPassed: (paths: readonly string[]) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/**
 * Why a folder cannot have an overlay, as a short phrase; undefined when nothing is known to
 * prevent one. Whether the kernel allows one is seen when it is tried.
 */
export async function findOverlayObstacle(plan: OverlayPlan): Promise<string | undefined> {
  if (process.platform !== "linux") return "overlays need Linux";
  const missing = OVERLAY_PROGRAMS.find((name) => !findOverlayProgram(name, plan.root, plan.env));
  if (missing) return `the program "${missing}" is not installed`;
  const folder = realpathSync(plan.folder);
  if (folder === plan.root || isInside(folder, plan.root) || isInside(plan.root, folder)) {
    return "papa-yu's own folder is inside it";
  }
  using calls = openOverlayCalls();
  if (!calls) return "the C library is not known";
  if (!calls.keepsNotes(folder)) return "the disk of papa-yu's folder keeps no extended attributes";
  if (calls.isNoted(plan.root)) return "it was a part of an overlay, whose notes would hide files";
  if (mountPoints().some((path) => isInside(path, plan.root))) return "something is mounted in it";
  const foreign = await findForeign(plan);
  if (foreign.length === 0 || (await plan.isPassed(foreign))) return undefined;
  return `files in it belong to another user or group, such as "${foreign[0]}"`;
}

/** As the kernel writes them: blanks and the like as three octal digits. */
function mountPoints(): readonly string[] {
  const lines = readFileSync("/proc/self/mountinfo", "latin1").split("\n");
  return lines.flatMap((line) => {
    const name = line.split(" ")[4];
    return name === undefined ? [] : [fromOctal(name)];
  });
}

function fromOctal(name: string): string {
  const bytes = name.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
  return Buffer.from(bytes, "latin1").toString();
}

/** How long a slice of the walk may keep everything else waiting. */
const SLICE_MS = 4;
/** So many are enough to know whether any of them matters. */
const MOST_FOREIGN = 100;

/** Paths that an overlay could not change: only this user and group have a number inside it. */
async function findForeign({ root, passed, signal }: OverlayPlan): Promise<readonly string[]> {
  const [uid, gid] = [process.geteuid?.(), process.getegid?.()];
  const isForeign = (path: string): boolean => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat !== undefined && (stat.uid !== uid || stat.gid !== gid);
  };
  const found: string[] = isForeign(root) ? ["."] : [];
  const folders = [""];
  let sliceEnd = performance.now() + SLICE_MS;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(join(root, folder))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && passed.has(entry.name)) continue;
      if (isForeign(join(root, path))) found.push(path);
      if (found.length >= MOST_FOREIGN) return found;
      if (entry.isDirectory()) folders.push(path);
    }
    if (performance.now() < sliceEnd) continue;
    signal.throwIfAborted();
    await Bun.sleep(0);
    sliceEnd = performance.now() + SLICE_MS;
  }
  return found;
}

/** What cannot be read is nobody's to check. */
function entriesOf(folder: string) {
  try {
    return listExactSync(folder);
  } catch {
    return [];
  }
}
