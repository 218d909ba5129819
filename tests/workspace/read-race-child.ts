import { renameSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** Swaps a folder and a file for links to their twins outside, and back, until it is ended. */
const [root = "", outside = ""] = process.argv.slice(2);
const swaps = [
  { path: join(root, "folder"), spare: join(root, "spare-folder"), twin: outside },
  { path: join(root, "file/a.txt"), spare: join(root, "spare.txt"), twin: join(outside, "a.txt") },
];

process.stdout.write("ready\n");
process.on("disconnect", () => process.exit(0)); // never without the test
for (;;) {
  for (const { path, spare, twin } of swaps) {
    renameSync(path, spare);
    symlinkSync(twin, path);
  }
  for (const { path, spare } of swaps) {
    unlinkSync(path);
    renameSync(spare, path);
  }
}
