import { lstatSync, readFileSync, type Stats, statfsSync } from "node:fs";
import { join } from "node:path";
import { listOrEmpty } from "../read-or-empty.ts";
import { isInside, realPath } from "./real-path.ts";

/** How much may be written below some folders, from a moment on. */
export interface DiskLimit {
  /** Devices of the folders. */
  readonly devices: ReadonlySet<number>;
  /**
   * Whether more was written, `otherBytes` elsewhere included. What went from the disks costs next
   * to nothing to know; when that is too much the folders are read, a slice at a time, for who
   * took it. They are read now and then anyway, since others may give back at the same time; the
   * sooner the more was written when they were read last.
   * `isLast`: nobody asks again.
   */
  readonly isExceeded: (otherBytes: number, isLast?: boolean) => Promise<boolean>;
}

/** A file costs its entry and its inode, however empty it is. */
const FILE_BYTES = 4096;
/** How long a slice of the walk may keep everything else waiting. */
const SLICE_MS = 4;
/** File times are those of the last tick of the kernel's clock. */
const TICK_MS = 20;

/** Reading takes at most this part of the time; the more was written, the larger a part. */
const COST_FACTOR = 50;
const LEAST_COST_FACTOR = 5;
/** What is over by then is not read unless there is a reason. */
const FIRST_WALK_MS = 1000;
/** A command that ends is looked at once more when the disk lost this part of what is allowed. */
const LAST_PART = 1 / 8;
/** So few entries are looked at then anyway: others may have given back what the command took. */
const FEW = 500;

/** Begins to measure; folders that are not there are left out. */
export function createDiskLimit(folders: readonly string[], maxBytes: number): DiskLimit {
  const startedAt = Date.now() - TICK_MS;
  const roots = folders.map(realPath);
  const disks = findDisks(roots);
  let nextWalkAt = performance.now() + FIRST_WALK_MS;
  let nextWalkFrom = maxBytes;
  const much = maxBytes * LAST_PART;
  let lastWritten = 0;
  return {
    devices: new Set(disks.map(({ dev }) => dev)),
    async isExceeded(otherBytes, isLast = false) {
      if (otherBytes > maxBytes) return true;
      const taken = otherBytes + lostBytes(disks);
      const now = performance.now();
      const isDue = isLast
        ? taken > much || lastWritten > much
        : taken > nextWalkFrom || now > nextWalkAt;
      if (!isDue && !isLast) return false;
      const enough = maxBytes - otherBytes;
      const few = isDue ? much : await walk(roots, { startedAt, enough, most: FEW });
      const written = few < much ? few : await walk(roots, { startedAt, enough, most: Infinity });
      const then = performance.now();
      const factor = Math.max(LEAST_COST_FACTOR, COST_FACTOR * (1 - written / maxBytes));
      nextWalkAt = then + (then - now) * factor;
      lastWritten = written;
      nextWalkFrom = Math.max(maxBytes, taken * 1.25); // somebody else takes from the disk
      return otherBytes + written > maxBytes;
    },
  };
}

function lostBytes(disks: readonly Disk[]): number {
  const lost = ({ path, bytes }: Disk) => Math.max(0, bytes - (freeBytes(path) ?? bytes));
  return disks.reduce((sum, disk) => sum + lost(disk), 0);
}

interface Disk {
  readonly path: string;
  readonly dev: number;
  /** Free at the start. */
  readonly bytes: number;
}

/** The disks of the folders and those that are mounted below them. */
function findDisks(roots: readonly string[]): readonly Disk[] {
  const below = mountPoints().filter((path) => roots.some((root) => isInside(path, root)));
  const disks = new Map<number, Disk>();
  for (const path of [...roots, ...below]) {
    const bytes = freeBytes(path);
    const dev = lookAt(path)?.dev;
    if (bytes !== undefined && dev !== undefined) disks.set(dev, { path, dev, bytes });
  }
  return [...disks.values()];
}

/** Counts free inodes as well, so that a million empty files are seen. */
function freeBytes(path: string): number | undefined {
  try {
    const { bfree, bsize, ffree } = statfsSync(path);
    return bfree * bsize + ffree * FILE_BYTES;
  } catch {
    return undefined;
  }
}

function mountPoints(): readonly string[] {
  try {
    const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
    return lines.flatMap((line) => line.split(" ")[4] ?? []);
  } catch {
    return []; // no Linux
  }
}

/** What was written, in no more than `most` entries. A time of change cannot be forged. */
async function walk(
  roots: readonly string[],
  { startedAt, enough, most }: { startedAt: number; enough: number; most: number },
) {
  const seen = new Set<number>();
  const folders = [...roots];
  let bytes = 0;
  let entries = 0;
  let sliceEnd = performance.now() + SLICE_MS;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of listOrEmpty(folder)) {
      const path = join(folder, name);
      const stat = lookAt(path);
      if (stat?.isDirectory()) folders.push(path);
      if (stat && stat.ctimeMs >= startedAt && !(stat.nlink > 1 && seen.has(stat.ino))) {
        if (stat.nlink > 1) seen.add(stat.ino);
        bytes += Math.max(stat.blocks * 512, FILE_BYTES);
      }
      if (bytes > enough || ++entries > most) return bytes;
    }
    if (performance.now() > sliceEnd) {
      await Bun.sleep(1);
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
  return bytes;
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
