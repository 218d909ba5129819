import { readdirSync, readFileSync } from "node:fs";

/** The variable that marks every descendant of a command, wherever it is re-parented to. */
export const RUN_MARK = "PAPAYU_RUN";

/**
 * Signals a command's process group, and every process that left the group but still carries
 * its mark in the environment (seen through /proc; elsewhere the group is all there is).
 */
export function killTree(groupId: number, mark: string, signal: "SIGTERM" | "SIGKILL"): void {
  killGroup(groupId, signal);
  // A process may fork while the list is read; what was born in between is in the next list.
  for (let round = 0; round < 5; round++) {
    const found = markedProcesses(mark);
    for (const pid of found) trySignal(pid, signal);
    if (found.length === 0 || signal === "SIGTERM") return;
  }
}

/** Signals a process group; it is no error when it is gone. */
export function killGroup(groupId: number, signal: "SIGTERM" | "SIGKILL"): void {
  trySignal(-groupId, signal);
}

function markedProcesses(mark: string): readonly number[] {
  const wanted = `${RUN_MARK}=${mark}`;
  const found: number[] = [];
  for (const pid of processIds()) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, "latin1").includes(wanted)) found.push(pid);
    } catch {
      // gone meanwhile, or another user's
    }
  }
  return found;
}

function processIds(): readonly number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function trySignal(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // already gone
  }
}
