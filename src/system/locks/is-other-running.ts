import { systemErrorCode } from "../../core/app-error.ts";

/** Whether another process has this id; also one that belongs to somebody else. */
export function isOtherRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemErrorCode(error) === "EPERM";
  }
}
