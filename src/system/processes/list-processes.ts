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

/** The running processes: from /proc on Linux, elsewhere from `ps`; never throws. */
export function listProcesses(
  mark: string,
  platform: NodeJS.Platform = process.platform,
): readonly ProcessEntry[] {
  try {
    return platform === "linux" ? readProc(mark) : runPs(mark);
  } catch {
    return []; // no /proc, no ps: the process group is all there is
  }
}

function readProc(mark: string): readonly ProcessEntry[] {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.flatMap((pid) => {
    const stat = readOrEmpty(`/proc/${pid}/stat`);
    // The name in front may hold anything, a ")" as well.
    const [state, parentId] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (parentId === undefined || state === "Z") return [];
    const isMarked = readOrEmpty(`/proc/${pid}/environ`).split("\0").some(carries(mark));
    return [{ pid, parentId: Number(parentId), isMarked }];
  });
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
