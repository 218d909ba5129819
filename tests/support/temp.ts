import { mkdtempSync, readFileSync, realpathSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Where `npm test` keeps its folders: in memory where that is possible. Most of what a test costs is
 * waiting for a disk to take what nobody will read again. The long forms stay on the disk, and so
 * does whoever names a TMPDIR.
 */
const PARENT = process.env["LONG_FIGURES"] || process.env["TMPDIR"] ? tmpdir() : memoryDir();

/** A fresh folder that goes when the scope ends: `using dir = tempDir()`. */
export function tempDir(
  prefix = "papayu-test-",
  parent = PARENT,
): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(realpathSync(parent), prefix));
  return {
    path,
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** A folder in memory, where programs may be started and a gigabyte is free, else the usual one. */
export function memoryDir(): string {
  const memory = "/dev/shm";
  try {
    const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
    const options = mounts.findLast((line) => line.startsWith(`tmpfs ${memory} tmpfs `)) ?? "";
    if (!/ rw[ ,]/u.test(options) || /\bnoexec\b/u.test(options)) return tmpdir();
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= 1024 ** 3 ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
