import { readdirSync } from "node:fs";
import { readOrEmpty } from "../read-or-empty.ts";
import { nameProcess } from "./process-name.ts";

/** The variable that marks every descendant of a command, wherever it is re-parented to. */
const RUN_MARK = "PAPAYU_RUN";

/**
 * What a command's environment carries besides its own: which process runs it, and its own mark.
 * Its tree is found by either of them.
 */
export function markRun(mark: string): Readonly<Record<string, string>> {
  return { [RUN_MARK]: `${nameProcess()}/${mark}` };
}

/** One running process of this user, as far as a hunt for a command's descendants needs it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parentId: number;
  /** Whether its environment carries the mark that was asked for. */
  readonly isMarked: boolean;
}

const PS_TIMEOUT_MS = 2000;

/** Which processes a hunt has to look at; all, unless told otherwise. */
export interface Hunt {
  /** What descends from this one counts as well, marked or not. */
  readonly leaderId?: number;
  /** One that was started a moment ago, and everything that is hunted after it. */
  readonly startedAfter?: number;
}

/**
 * The running processes, none when nothing of them can be hunted: from /proc on Linux, elsewhere
 * from `ps`; never throws.
 */
export function listProcesses(
  mark: string,
  hunt: Hunt = {},
  platform: NodeJS.Platform = process.platform,
): readonly ProcessEntry[] {
  try {
    return platform === "linux" ? readProc(mark, hunt) : runPs(mark);
  } catch {
    return []; // no /proc, no ps: the process group is all there is
  }
}

function readProc(mark: string, { leaderId, startedAfter }: Hunt): readonly ProcessEntry[] {
  const isYounger = startedAfter === undefined ? () => true : youngerThan(startedAfter);
  const pids = readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && isYounger(pid));
  const marked = new Set(pids.filter((pid) => isMarkedWith(mark, pid)));
  if (marked.size === 0 && leaderId === undefined) return [];
  return pids.flatMap((pid) => {
    const stat = readOrEmpty(`/proc/${pid}/stat`);
    // The name in front may hold anything, a ")" as well.
    const [state, parentId] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (parentId === undefined || state === "Z") return [];
    return [{ pid, parentId: Number(parentId), isMarked: marked.has(pid) }];
  });
}

/** Most environments do not even hold the letters: they are not taken apart. */
function isMarkedWith(mark: string, pid: number): boolean {
  const environment = readOrEmpty(`/proc/${pid}/environ`);
  return environment.includes(mark) && environment.split("\0").some(carries(mark));
}

/**
 * The kernel counts up, and begins anew behind the highest number: as long as the newest is above
 * an older one, all that came between them has a number between theirs.
 */
function youngerThan(older: number): (pid: number) => boolean {
  const newest = Number(readOrEmpty("/proc/loadavg").trim().split(" ").at(-1));
  return newest >= older ? (pid) => pid > older : () => true;
}

function carries(mark: string): (variable: string) => boolean {
  return (variable) => {
    const [name, value = ""] = variable.split("=", 2);
    return name === RUN_MARK && value.split("/").includes(mark);
  };
}

function runPs(mark: string): readonly ProcessEntry[] {
  const argv = ["ps", "axeww", "-o", "pid=,ppid=,command="]; // "e" appends the environment
  const { stdout } = Bun.spawnSync(argv, { timeout: PS_TIMEOUT_MS, stderr: "ignore" });
  return stdout
    .toString("latin1")
    .split("\n")
    .flatMap((line) => {
      const [, pid, parentId] = /^\s*(\d+)\s+(\d+)\s/.exec(line) ?? [];
      if (pid === undefined) return [];
      const isMarked = line.split(" ").some(carries(mark));
      return [{ pid: Number(pid), parentId: Number(parentId), isMarked }];
    });
}
