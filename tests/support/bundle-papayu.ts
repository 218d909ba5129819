/** Bundles `src/main.ts` of the project for `papayu-program.ts`: `bun bundle-papayu.ts ROOT FOLDER`. */
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [root = "", outdir = ""] = process.argv.slice(2);
const HASHED = /^(?:src\/|schemas\/|package\.json$|(?:.*\/)?node_modules\/)/u;
const result = await Bun.build({
  entrypoints: [join(root, "src/main.ts")],
  outdir,
  target: "bun",
  splitting: true,
  metafile: true,
  plugins: [
    {
      name: "a source knows where it lies",
      setup(build) {
        build.onLoad({ filter: /\/src\/.*\.ts$/u }, ({ path }) => ({
          loader: "ts",
          contents: readFileSync(path, "utf8")
            .replaceAll("import.meta.dir", JSON.stringify(dirname(path)))
            .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)),
        }));
      },
    },
  ],
});
const inputs = Object.keys(result.metafile?.inputs ?? {}).map((path) =>
  relative(root, resolve(path)),
);
const unknown = inputs.filter((path) => !HASHED.test(path));
if (inputs.length === 0 || unknown.length > 0) {
  throw new Error(`Cannot tell whether a bundle is fresh that has in it: ${unknown.join(" ")}`);
}
