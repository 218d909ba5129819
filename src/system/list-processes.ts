import { readdirSync, readFileSync } from "node:fs";

/** The variable that marks every descendant of a command, wherever it is re-parented to. */
export const RUN_MARK = "PAPAYU_RUN";

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
  const wanted = `${RUN_MARK}=${mark}`;
  try {
    return platform === "linux" ? readProc(wanted) : runPs(wanted);
  } catch {
    return []; // no /proc, no ps: the process group is all there is
  }
}

function readProc(wanted: string): readonly ProcessEntry[] {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.flatMap((pid) => {
    const stat = readOrEmpty(`/proc/${pid}/stat`);
    // The name in front may hold anything, a ")" as well.
    const [state, parentId] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (parentId === undefined || state === "Z") return [];
    const isMarked = readOrEmpty(`/proc/${pid}/environ`).split("\0").includes(wanted);
    return [{ pid, parentId: Number(parentId), isMarked }];
  });
}

/** Empty for what is gone meanwhile or is another user's. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function runPs(wanted: string): readonly ProcessEntry[] {
  const argv = ["ps", "axeww", "-o", "pid=,ppid=,command="]; // "e" appends the environment
  const { stdout } = Bun.spawnSync(argv, { timeout: PS_TIMEOUT_MS, stderr: "ignore" });
  return stdout
    .toString("latin1")
    .split("\n")
    .flatMap((line) => {
      const [, pid, parentId] = /^\s*(\d+)\s+(\d+)\s/.exec(line) ?? [];
      if (pid === undefined) return [];
      const isMarked = line.split(" ").includes(wanted);
      return [{ pid: Number(pid), parentId: Number(parentId), isMarked }];
    });
}
