import { renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { RACE_SWAPS, writeRaceFolder } from "./race-scene.ts";

/** Swaps a file or a folder for a link to its twin outside and back, and mends what was applied. */
const [root = "", outside = "", kind = ""] = process.argv.slice(2);
const folder = join(root, "sub");
const spare = join(root, "spare");
const path = kind === "file" ? join(folder, "a.txt") : folder;
const twin = kind === "file" ? join(outside, "a.txt") : outside;

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

for (let swaps = 0; swaps < RACE_SWAPS; swaps++) {
  attempt(() => renameSync(path, spare));
  attempt(() => symlinkSync(twin, path));
  attempt(() => unlinkSync(path));
  attempt(() => renameSync(spare, path));
  spin((swaps % 10) / 100);
  if (swaps % 20 > 0) continue;
  attempt(() => rmSync(join(folder, "new.txt"), { force: true }));
  attempt(() => writeRaceFolder(folder));
}
