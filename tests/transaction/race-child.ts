import { readdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { RACE_KINDS, RACE_SWAPS, writeRaceFolder } from "./race-scene.ts";

/**
 * Swaps a file and a folder for links to their twins outside and back, and restores what was applied,
 * until it is ended; says when that was often enough.
 */
const [root = "", outside = ""] = process.argv.slice(2);
const races = RACE_KINDS.map((kind) => {
  const folder = join(root, kind, "sub");
  const spare = join(root, kind, "spare");
  const name = kind === "file" ? "a.txt" : "";
  return { folder, spare, path: join(folder, name), twin: join(outside, name) };
});

/** The other process is at work on the same names: any call may come too late. */
function attempt(call: () => void): void {
  try {
    call();
  } catch {
    // the next swap is another try
  }
}

/** Gives the other process time for a few calls; a sleep would give it a thousand. */
function spin(durationMs: number): void {
  const end = performance.now() + durationMs;
  while (performance.now() < end);
}

/**
 * By renames: a link that is in the way of a change goes back to its path, and whoever writes there
 * then writes through it.
 */
function restore(folder: string): void {
  const fresh = `${folder}.fresh`;
  writeRaceFolder(fresh);
  for (const name of readdirSync(fresh)) renameSync(join(fresh, name), join(folder, name));
}

for (let swaps = 0; ; swaps++) {
  if (swaps === RACE_SWAPS) writeSync(1, "enough\n");
  for (const { path, spare, twin } of races) {
    attempt(() => renameSync(path, spare));
    attempt(() => symlinkSync(twin, path));
  }
  spin((swaps % 3) / 100);
  for (const { path, spare } of races) {
    attempt(() => unlinkSync(path));
    attempt(() => renameSync(spare, path));
  }
  spin((swaps % 5) / 100);
  if (swaps % 20 > 0) continue;
  for (const { folder } of races) {
    attempt(() => rmSync(join(folder, "new.txt"), { force: true }));
    attempt(() => restore(folder));
  }
}
