import { loadC } from "./load-c.ts";

const PR_SET_DUMPABLE = 4;

/**
 * Keeps other programs of the same user from this process's memory, environment and open files,
 * where its keys are, and its memory out of core dumps. Root reads them all the same, and what
 * this process starts is readable again. False where there is no such thing.
 */
export function hideMemory(): boolean {
  const loaded = loadC({
    prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
  });
  if (!loaded) return false;
  const isDone = loaded.symbols.prctl(PR_SET_DUMPABLE, 0n, 0n, 0n, 0n) === 0;
  loaded.close();
  return isDone;
}
