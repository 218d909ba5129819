import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";

/** Turns the link at `path` to one file and to the other in turn, until it is ended. */
const [path = "", ...targets] = process.argv.slice(2);
const next = join(path, "..", "next");

process.stdout.write("ready\n");
process.on("disconnect", () => process.exit(0)); // never without the test
for (;;) {
  for (const target of targets) {
    symlinkSync(target, next);
    renameSync(next, path);
  }
}
