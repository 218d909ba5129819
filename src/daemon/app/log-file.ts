import { join } from "node:path";
import { createRotatingFile, type RotatingFile } from "../../system/logs/logs.ts";

/** A week of a busy daemon; more than anybody reads, less than anybody misses on a disk. */
const ROTATION = { maxBytes: 10 * 1024 * 1024, keptFiles: 4 };

/** The newest file of the daemon's log; `.1` to `.4` stand beside it. */
export function logPath(home: string): string {
  return join(home, "logs", "papayu.log");
}

/** The daemon's log on disk, made with its first line. */
export function createLogFile(home: string): RotatingFile {
  return createRotatingFile(
    logPath(home),
    ROTATION,
    (lines) => `${new Date().toISOString()} [trace] LOG_LINES_LOST lines=${lines}\n`,
  );
}
