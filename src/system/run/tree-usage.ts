import { readdirSync, readlinkSync, statfsSync, statSync } from "node:fs";
import { findTree, huntAfter } from "../processes/processes.ts";
import { listOrEmpty, readOrEmpty } from "../read-or-empty.ts";

/** The processes of one command, as seen from outside; ids are those of its table. */
export interface ProcessTable {
  /** Where each process has its folder. */
  readonly folder: string;
  /** Undefined as long as the table is not there yet, or no more. */
  readonly list: () => readonly number[] | undefined;
}

/** Memory of a tree of processes. */
export interface MemoryUsage {
  readonly anonymousBytes: number;
  /** Of memory that several may map: files that only memory holds are in here. */
  readonly sharedBytes: number;
}

const KB = 1024;
/** What the kernel itself needs for a file in memory. */
const INODE_BYTES = 1024;
const TMPFS = 0x01021994;
/** A scan of open files stops there; what it did not see is seen by another limit. */
const MAX_OPEN_SEEN = 50_000;

/**
 * The table that bubblewrap made for a command: it holds nothing else, so reading it costs
 * what the command costs, not what the machine runs.
 */
export function sandboxTable(initPid: number): ProcessTable {
  const folder = `/proc/${initPid}/root/proc`;
  return {
    folder,
    list() {
      try {
        // Until bubblewrap has changed its root folder this is the machine's own table.
        if (statSync(folder).dev === statSync("/proc").dev) return undefined;
        return toIds(readdirSync(folder)).filter((id) => id !== 1); // bubblewrap itself
      } catch {
        return undefined;
      }
    },
  };
}

/** Without a sandbox: all that descends from the command or carries its mark. */
export function markedTable(leaderPid: number, mark: string, ranMs: number): ProcessTable {
  const hunt = huntAfter(leaderPid, ranMs);
  return { folder: "/proc", list: () => findTree(mark, leaderPid, hunt) };
}

/** The first process of a sandbox, by the id of the bubblewrap that was started. */
export function findInit(bubblewrapPid: number): number | undefined {
  const children = readOrEmpty(`/proc/${bubblewrapPid}/task/${bubblewrapPid}/children`);
  const pid = Number(children.trim().split(" ")[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

/** Adds up what the processes have; one that ends meanwhile counts nothing. */
export function readUsage({ folder }: ProcessTable, pids: readonly number[]) {
  const usage = { threads: 0, anonymousBytes: 0, sharedBytes: 0 };
  for (const pid of pids) {
    const status = readOrEmpty(`${folder}/${pid}/status`);
    usage.threads += numberIn(status, "Threads");
    usage.anonymousBytes += (numberIn(status, "RssAnon") + numberIn(status, "VmSwap")) * KB;
    usage.sharedBytes += numberIn(status, "RssShmem") * KB;
  }
  return usage;
}

/**
 * The same with what is shared counted once: forked workers share most of their memory. Costly,
 * so it is asked only when the cheap sum is too high. What hides its pages counts in full.
 */
export function readShares({ folder }: ProcessTable, pids: readonly number[]): MemoryUsage {
  const shares = { anonymousBytes: 0, sharedBytes: 0 };
  for (const pid of pids) {
    const maps = readOrEmpty(`${folder}/${pid}/smaps_rollup`);
    const status = readOrEmpty(`${folder}/${pid}/status`);
    const isKnown = maps.includes("Pss_Anon:");
    const anonymous = isKnown ? numberIn(maps, "Pss_Anon") : numberIn(status, "RssAnon");
    const shared = isKnown ? numberIn(maps, "Pss_Shmem") : numberIn(status, "RssShmem");
    shares.anonymousBytes += (anonymous + numberIn(status, "VmSwap")) * KB;
    shares.sharedBytes += shared * KB;
  }
  return shares;
}

/**
 * What a sandbox's private folders hold: memory and disk at once. A home that is the workspace, or
 * lies in it, is none: what the whole machine keeps on that disk is not the command's.
 */
export function privateBytes(initPid: number, folders: readonly string[]): number {
  const seen = new Map<number, number>();
  for (const folder of folders) {
    const path = `/proc/${initPid}/root${folder}`;
    try {
      const { type, bsize, blocks, bfree, files, ffree } = statfsSync(path);
      const used = (blocks - bfree) * bsize + Math.max(0, files - ffree) * INODE_BYTES;
      const { dev } = statSync(path);
      if (type === TMPFS && dev !== deviceOf(folder)) seen.set(dev, used);
    } catch {
      // not there, or gone
    }
  }
  return [...seen.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** The device of a folder as a sandbox sees it; undefined when there is none any more. */
export function deviceInside(initPid: number | undefined, folder: string): number | undefined {
  return initPid === undefined ? undefined : deviceOf(`/proc/${initPid}/root${folder}`);
}

/** Undefined for what is not there, or gone. */
function deviceOf(path: string): number | undefined {
  try {
    return statSync(path).dev;
  } catch {
    return undefined;
  }
}

/** Open files without a name: deleted ones by their disk, and files that only memory holds. */
export function namelessFiles({ folder }: ProcessTable, pids: readonly number[]) {
  const seen = new Map<string, { readonly dev: number; readonly bytes: number }>();
  let left = MAX_OPEN_SEEN;
  for (const pid of pids) {
    for (const fd of toIds(listOrEmpty(`${folder}/${pid}/fd`))) {
      if (left-- <= 0) return [...seen.values()];
      const file = lookAt(`${folder}/${pid}/fd/${fd}`);
      if (file) seen.set(file.key, file);
    }
  }
  return [...seen.values()];
}

function lookAt(path: string) {
  try {
    if (!readlinkSync(path).startsWith("/")) return undefined; // a pipe, a socket
    const { dev, ino, nlink, blocks } = statSync(path);
    return nlink === 0 ? { key: `${dev}:${ino}`, dev, bytes: blocks * 512 } : undefined;
  } catch {
    return undefined; // closed meanwhile
  }
}

function toIds(names: readonly string[]): readonly number[] {
  return names.map(Number).filter(Number.isInteger);
}

function numberIn(text: string, name: string): number {
  const at = text.indexOf(`${name}:`);
  return at < 0 ? 0 : Number.parseInt(text.slice(at + name.length + 1), 10) || 0;
}
