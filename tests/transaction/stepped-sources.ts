import { readFileSync } from "node:fs";
import type { BunPlugin } from "bun";

const IMPORT = /^import \{([^}]*)\} from "node:fs";$/m;

/** To list a folder changes nothing. */
const PROMISED = /^import (?!\{ readdir \} ).*"node:fs\/promises";$/m;

/** The calls that the runtime has not, which change the disk no less. */
const SWAP = "export function openNameSwap(";
const SWAP_COUNTED = `export const openNameSwap = () => globalThis.steppedFs.countNames(openUncounted());
function openUncounted(`;

/** Lets the sources call what `stepped-fs.ts` counts, in place of what changes the disk. */
export const steppedSources: BunPlugin = {
  name: "stepped-fs",
  setup(build) {
    build.onLoad(
      { filter: /\/src\/(system|transaction|workspace)\/(?:[^/]+\/)*[^/]+\.ts$/ },
      ({ path }) => {
        const source = readFileSync(path, "utf8");
        // What is below a home's views is no workspace, and lost by nobody.
        const isReader = /\/workspace\/|\/transaction\/view\//u.test(path);
        if (!isReader && PROMISED.test(source)) throw new Error(`uncounted: ${path}`);
        // Types need no import: they are erased.
        const contents = source.replace(IMPORT, (_, names: string) => {
          return `const {${names.replace(/\btype \w+,?/g, "")}} = globalThis.steppedFs;`;
        });
        return { contents: contents.replace(SWAP, SWAP_COUNTED), loader: "ts" };
      },
    );
  },
};
