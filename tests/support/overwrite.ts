import { closeSync, openSync, writeSync } from "node:fs";

/** Puts bytes into the middle of a file. */
export function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const fd = openSync(path, "r+");
  writeSync(fd, bytes, 0, bytes.length, at);
  closeSync(fd);
}
