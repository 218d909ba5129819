import { totalmem } from "node:os";

/** What one command and everything it starts may use up together. */
export interface Limits {
  readonly maxProcesses: number;
  readonly maxMemoryBytes: number;
  /** Over what the disk held at the start; private folders count as well. */
  readonly maxDiskBytes: number;
}

/** The limit that a command went over; `seen` is what it had used by then. */
export interface Excess {
  readonly kind: "processes" | "threads" | "memory" | "disk" | "file" | "machine";
  readonly limit: number;
}

/** One process may have a few threads; as many as this for each that is allowed are too many. */
const THREADS_A_PROCESS = 8;
/** A watcher sees what is near the limit before the kernel refuses more, and can tell the reason. */
const MARGIN = 1.125;
const MAX_OPEN_FILES = 16_384;
const MB = 1024 * 1024;

/** What holds where nothing else is configured. */
export const DEFAULT_LIMITS: Limits = toLimits({
  max_processes: 512,
  max_memory_mb: 0,
  max_disk_mb: 2048,
});

/** The limits of `[sandbox]` in the configuration; no memory given: half of the machine's. */
export function toLimits(table: {
  readonly max_processes: number;
  readonly max_memory_mb: number;
  readonly max_disk_mb: number;
}): Limits {
  const half = totalmem() / 2;
  return {
    maxProcesses: table.max_processes,
    maxMemoryBytes:
      table.max_memory_mb === 0 ? half : Math.min(table.max_memory_mb * MB, totalmem()),
    maxDiskBytes: table.max_disk_mb * MB,
  };
}

/** Threads of all processes together: they fill the kernel's table as processes do. */
export function maxThreads({ maxProcesses }: Limits): number {
  return maxProcesses * THREADS_A_PROCESS;
}

/** What a single file or a private folder can hold at most, even when nobody watches. */
export function hardDiskBytes({ maxDiskBytes }: Limits): number {
  return Math.ceil(maxDiskBytes * MARGIN);
}

/**
 * A command with the limits that the kernel keeps for each process: the size of a file, core
 * dumps, open files. A shell sets them and becomes the command. It also gives the command an
 * empty input, since bubblewrap has used it up, and lets the kernel end it first when memory
 * runs out. `ownProcesses`: the processes of this user are counted for the sandbox alone.
 */
export function limitedArgv(
  argv: readonly string[],
  limits: Limits,
  { ownProcesses }: { readonly ownProcesses: boolean },
): readonly string[] {
  const blocks = Math.ceil(hardDiskBytes(limits) / 512);
  const threads = Math.ceil(maxThreads(limits) * MARGIN);
  const script = [
    "ulimit -c 0",
    `ulimit -f ${blocks}`,
    `ulimit -n ${MAX_OPEN_FILES}`,
    ...(ownProcesses ? [`ulimit -u ${threads} || ulimit -p ${threads}`] : []), // -p: dash, busybox
    "echo 1000 >/proc/self/oom_score_adj",
  ];
  // What is stricter already cannot be raised, and stays.
  const quiet = script.map((line) => `{ ${line}; } 2>/dev/null`).join("; ");
  return ["/bin/sh", "-c", `${quiet}; exec "$@" </dev/null`, "sh", ...argv];
}

/** The limit in the unit that people read: a count, or megabytes. */
export function toAmount({ kind, limit }: Excess): number {
  return kind === "processes" || kind === "threads" ? limit : Math.round(limit / MB);
}

/** What happened, as the reason of a failure. */
export function describeExcess(excess: Excess): string {
  const { kind, limit } = excess;
  const mb = `${toAmount(excess)} MB`;
  switch (kind) {
    case "processes":
      return `used more than ${limit} processes; [sandbox] max_processes`;
    case "threads":
      return `used more than ${limit} threads; [sandbox] max_processes allows ${THREADS_A_PROCESS} for each process`;
    case "memory":
      return `used more than ${mb} of memory; [sandbox] max_memory_mb`;
    case "disk":
      return `used more than ${mb} of disk; [sandbox] max_disk_mb`;
    case "file":
      return `wrote a file of more than ${mb}; [sandbox] max_disk_mb`;
    case "machine":
      return `was stopped because the machine had less than ${mb} of memory left`;
    default:
      return kind satisfies never;
  }
}
