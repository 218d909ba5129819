import { readFileSync } from "node:fs";
import type { BunPlugin } from "bun";

/** Parts of the API that papa-yu asks nothing of; those of chat and speech, and what all share, stay. */
const UNUSED =
  /[\\/]openai[\\/]resources[\\/](?!(?:chat|audio|shared|index|completions)\b)[\w\\/-]+\.mjs$/;

let emptied = 0;

/** A client that is laid out in another way would come whole, and nobody would notice. */
export function assertLean(): void {
  if (emptied === 0) throw new Error("the client of the models has no part that is left out");
}

/**
 * The client of the models without what it brings along for other APIs, which its constructor makes
 * one of each: two thirds of its code, in the package and in memory. They are there by their names and
 * can do nothing.
 */
export const leanClient: BunPlugin = {
  name: "lean client",
  setup(build) {
    build.onLoad({ filter: UNUSED }, ({ path }) => {
      emptied += 1;
      const names = readFileSync(path, "utf8").matchAll(/^export class (\w+)/gmu);
      const contents = Array.from(names, ([, name]) => `export class ${name} {}`).join("\n");
      return { contents, loader: "js" };
    });
  },
};
