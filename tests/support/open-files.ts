import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * How many files below a folder this process has open. Only these: the runtime opens and closes
 * files of its own whenever it likes.
 */
export function countOpenFiles(folder: string): number {
  return readdirSync("/proc/self/fd").filter((fd) => isBelow(fd, folder)).length;
}

function isBelow(fd: string, folder: string): boolean {
  try {
    return `${readlinkSync(join("/proc/self/fd", fd))}/`.startsWith(`${folder}/`);
  } catch {
    return false; // closed since it was listed
  }
}
