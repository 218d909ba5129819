/** Bundles `src/main.ts` of the project for `papayu-program.ts`: `bun bundle-papayu.ts ROOT FOLDER`. */
import { join, relative, resolve } from "node:path";
import { sourcesKnowTheirPlace } from "./source-places.ts";

const [root = "", outdir = ""] = process.argv.slice(2);
const HASHED = /^(?:src\/|schemas\/|package\.json$|(?:.*\/)?node_modules\/)/u;
const result = await Bun.build({
  entrypoints: [join(root, "src/main.ts")],
  outdir,
  target: "bun",
  format: "cjs", // what is translated ahead has to be of this kind
  bytecode: true,
  metafile: true,
  plugins: [sourcesKnowTheirPlace],
});
const inputs = Object.keys(result.metafile?.inputs ?? {}).map((path) =>
  relative(root, resolve(path)),
);
const unknown = inputs.filter((path) => !HASHED.test(path));
if (inputs.length === 0 || unknown.length > 0) {
  throw new Error(`Cannot tell whether a bundle is fresh that has in it: ${unknown.join(" ")}`);
}
