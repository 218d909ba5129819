import { dlopen } from "bun:ffi";

const PR_SET_DUMPABLE = 4;
const LIBRARIES: readonly string[] = [
  "libc.so.6",
  "libc.musl-x86_64.so.1",
  "libc.musl-aarch64.so.1",
];

/**
 * Keeps other programs of the same user from this process's memory, environment and open files,
 * where its keys are, and its memory out of core dumps. Root reads them all the same, and what
 * this process starts is readable again. False where there is no such thing.
 */
export function hideMemory(): boolean {
  if (process.platform !== "linux") return false;
  for (const library of LIBRARIES) {
    try {
      const loaded = dlopen(library, {
        prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
      });
      const isDone = loaded.symbols.prctl(PR_SET_DUMPABLE, 0n, 0n, 0n, 0n) === 0;
      loaded.close();
      return isDone;
    } catch {
      // the other one
    }
  }
  return false;
}
