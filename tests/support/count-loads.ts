/** Loaded before a program: writes down every module that it loads, once, with its bytes. */
import { appendFileSync, statSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";

const log = process.env["LOADS_LOG"] ?? "";
const IS_CODE = /\.(?:ts|js|mjs|cjs|json)$/u;
const seen = new Set<string>();
/** Whoever asks where a module lies is asked by the plugin again. */
let isAsking = false;

Bun.plugin({
  name: "count-loads",
  setup(build) {
    // Only looked at: what is read in Bun's place has to be of one kind of module, and some packages are of another.
    build.onResolve({ filter: /.*/u }, ({ path, importer }) => {
      if (isAsking) return undefined;
      isAsking = true;
      const found = isAbsolute(path) ? path : Bun.resolveSync(path, dirname(importer));
      isAsking = false;
      if (isAbsolute(found) && IS_CODE.test(found) && !seen.has(found)) {
        seen.add(found);
        appendFileSync(log, `${statSync(found).size} ${found}\n`);
      }
      return undefined;
    });
  },
});
