import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { BunPlugin } from "bun";

/** For a bundle of the sources: each of them still knows where it lies. */
export const sourcesKnowTheirPlace: BunPlugin = {
  name: "a source knows where it lies",
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/u }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8")
        .replaceAll("import.meta.dir", JSON.stringify(dirname(path)))
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)),
    }));
  },
};
