import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { createPause, PATIENCE_MS } from "./patience.ts";

/** Ids of the processes that have a text in their command line; Linux only. */
export function findProcesses(text: string): readonly number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter(
      (pid) => Number.isInteger(pid) && pid !== process.pid && readCommand(pid).includes(text),
    );
}

/** Waits until no process has the text in its command line. */
export async function areGone(text: string): Promise<boolean> {
  const pause = createPause();
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause()) {
    if (findProcesses(text).length === 0) return true;
  }
  return false;
}

/** Whether a process has opened a file, as the kernel knows. */
export function hasOpen(pid: number, path: string): boolean {
  const dir = `/proc/${pid}/fd`;
  return readdirSync(dir).some((fd) => {
    try {
      return readlinkSync(join(dir, fd)) === realpathSync(path);
    } catch {
      return false; // it was closed meanwhile
    }
  });
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return ""; // gone meanwhile
  }
}
