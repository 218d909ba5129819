/**
 * For a repair that loads this first: whoever had the damaged file open before writes to its log right
 * when the file is put aside. Every call is the real one.
 */
import * as fs from "node:fs";
import { join } from "node:path";
import { plugin } from "bun";

const log = join(process.env["PAPAYU_HOME"] ?? "", "state.db-wal");

function linkSync(from: string, to: string): void {
  fs.appendFileSync(log, "a frame");
  fs.linkSync(from, to);
}
Object.assign(globalThis, { lateLink: linkSync });

plugin({
  name: "late-row",
  setup(build) {
    build.onLoad({ filter: /\/src\/store\/(?:[^/]+\/)*repair\.ts$/ }, ({ path }) => {
      const source = fs.readFileSync(path, "utf8");
      const contents = source.replace(/\blinkSync,\s*/, "");
      return { contents: `const linkSync = globalThis.lateLink;\n${contents}`, loader: "ts" };
    });
  },
});
