import { totalmem } from "node:os";
import { type Excess, type Limits, maxThreads } from "../limits.ts";
import { readOrEmpty } from "../read-or-empty.ts";
import { createDiskLimit, type DiskLimit } from "./disk-growth.ts";
import {
  deviceInside,
  findInit,
  type MemoryUsage,
  markedTable,
  namelessFiles,
  type ProcessTable,
  privateBytes,
  readShares,
  readUsage,
  sandboxTable,
} from "./tree-usage.ts";

/** What is watched. */
export interface WatchRequest {
  readonly limits: Limits;
  /** Folders that the command may write to for good. */
  readonly writable: readonly string[];
  /** Those that vanish with it; undefined: it runs in no sandbox. */
  readonly privateFolders: readonly string[] | undefined;
  /** One whose files are on the disks of `writable`, under a device of its own. */
  readonly ownFolder: string | undefined;
}

/** The process that was started, and the mark that all of it carries. */
export interface Watched {
  readonly pid: number;
  readonly mark: string;
}

/** A look-out for one command. */
export interface Watch {
  /** Begins; calls back at most once, with the first limit that was exceeded. */
  readonly start: (watched: Watched, onExcess: (excess: Excess) => void) => void;
  /** Ends it; a last look tells of a burst that was too short to be seen. */
  readonly finish: () => Promise<Excess | undefined>;
}

/** How often processes are counted, and how often the rest is read. */
const GLANCE_MS = 50;
const LOOK_MS = 250;
/** How long a sandbox may take until its table of processes is there. */
const SETUP_MS = 500;
/** Looking takes at most this part of the time: a look that is slow is rare. */
const COST_FACTOR = 20;
/** So many threads more on the machine since the last look are a reason for the next. */
const NEW_THREADS = 128;
/** What is left of the machine's memory when a command has to end, no matter who used it up. */
const RESERVE_BYTES = 256 * 1024 * 1024;

/** Makes a look-out; what the disk holds now is what the command starts with. */
export function watchLimits(request: WatchRequest): Watch {
  const { limits, writable } = request;
  const disk = createDiskLimit(writable, limits.maxDiskBytes);
  const look = createLook(request, disk);
  let excess: Excess | undefined;
  let timer: Timer | undefined;
  let isOver = false;
  let nextLookAt = 0;
  let threads = countThreads();
  const startedAt = performance.now();

  const glance = async (watched: Watched): Promise<Excess | undefined> => {
    const [now, threadsNow] = [performance.now(), countThreads()];
    const init = request.privateFolders && findInit(watched.pid);
    const inner = init === undefined ? undefined : sandboxTable(init);
    const isInside = inner?.list() !== undefined;
    if (request.privateFolders && !isInside && now < startedAt + SETUP_MS) return undefined;
    // A kernel that does not tell of the sandbox's own processes is no reason to watch nothing.
    const table =
      inner && isInside ? inner : markedTable(watched.pid, watched.mark, now - startedAt);
    const isSurge = threadsNow > threads + NEW_THREADS;
    if (now < nextLookAt && !isSurge) return undefined;
    threads = threadsNow;
    const found = await look(table, isInside ? init : undefined);
    const then = performance.now();
    nextLookAt = then + Math.max(LOOK_MS, (then - now) * COST_FACTOR);
    return found;
  };

  return {
    start(watched, onExcess) {
      const next = async () => {
        const found = await glance(watched);
        if (isOver) return;
        if (found === undefined) timer = setTimeout(next, GLANCE_MS);
        else onExcess((excess = found));
      };
      timer = setTimeout(next, GLANCE_MS);
    },
    async finish() {
      isOver = true;
      clearTimeout(timer);
      if (excess === undefined && (await disk.isExceeded(0, true))) return diskExcess(limits);
      return excess;
    },
  };
}

/** One look at everything: what is cheapest and most urgent first. */
function createLook({ limits, privateFolders = [], ownFolder }: WatchRequest, disk: DiskLimit) {
  const reserve = Math.min(RESERVE_BYTES, totalmem() / 32);
  const hasReserve = availableBytes() > reserve;
  const { maxProcesses, maxMemoryBytes } = limits;
  return async (table: ProcessTable, init: number | undefined): Promise<Excess | undefined> => {
    const pids = table.list() ?? [];
    if (pids.length > maxProcesses) return { kind: "processes", limit: maxProcesses };
    const usage = readUsage(table, pids);
    if (usage.threads > maxThreads(limits)) return { kind: "threads", limit: maxThreads(limits) };

    const inFolders = init === undefined ? 0 : privateBytes(init, privateFolders);
    const nameless = namelessFiles(table, pids);
    const own = ownFolder === undefined ? undefined : deviceInside(init, ownFolder);
    const onDisk = sumOf(nameless.filter(({ dev }) => dev === own || disk.devices.has(dev)));
    const inMemory = inFolders + sumOf(nameless) - onDisk;
    const isTooMuch = ({ anonymousBytes, sharedBytes }: MemoryUsage) =>
      anonymousBytes + Math.max(sharedBytes, inMemory) > maxMemoryBytes;
    if (isTooMuch(usage) && isTooMuch(readShares(table, pids))) {
      return { kind: "memory", limit: maxMemoryBytes };
    }
    if (hasReserve && availableBytes() < reserve) return { kind: "machine", limit: reserve };
    return (await disk.isExceeded(inFolders + onDisk)) ? diskExcess(limits) : undefined;
  };
}

function diskExcess({ maxDiskBytes }: Limits): Excess {
  return { kind: "disk", limit: maxDiskBytes };
}

function sumOf(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** All threads of the machine; 0 where the system does not report them. */
function countThreads(): number {
  return Number(/\/(\d+)/.exec(readOrEmpty("/proc/loadavg"))?.[1] ?? 0);
}

/** What the machine can still give; without an answer there is no reason to worry. */
function availableBytes(): number {
  const found = /^MemAvailable:\s+(\d+)/m.exec(readOrEmpty("/proc/meminfo"))?.[1];
  return found === undefined ? Infinity : Number(found) * 1024;
}
