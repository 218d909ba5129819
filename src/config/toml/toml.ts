import type { KeyPath } from "../schema/schema.ts";
import { collectPlaces } from "./toml-places.ts";

export {
  isList,
  renderTomlKey,
  renderTomlPair,
  renderTomlValue,
  type TomlValue,
} from "./render-toml.ts";
export { collectPlaces, type Places } from "./toml-places.ts";

/**
 * A function that tells the line of a key, or of the nearest table around it; 0 where nothing
 * is known, and of an entry that is not in the text. Costs a second parse, so it is for error messages only.
 */
export async function findLines(text: string): Promise<(path: KeyPath) => number> {
  const { parseTOML } = await import("toml-eslint-parser");
  const lines = new Map<string, number>();
  try {
    const { containers, pairs, elements } = collectPlaces(
      parseTOML(text, { tomlVersion: "latest" }),
    );
    for (const { path, node } of [...containers, ...pairs, ...elements]) {
      record(path, node.loc.start.line, lines);
    }
  } catch {
    // The two parsers differ over this file: a message without a line still names its key.
    return () => 0;
  }
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const line = lines.get(toId(path.slice(0, length)));
      if (line !== undefined) return line;
      // The line of another entry would mislead.
      if (typeof path[length - 1] === "number") return 0;
    }
    return 0;
  };
}

/** A table begins where the first of its parts does. */
function record(path: KeyPath, line: number, lines: Map<string, number>): void {
  for (let length = 1; length <= path.length; length++) {
    const id = toId(path.slice(0, length));
    lines.set(id, Math.min(line, lines.get(id) ?? line));
  }
}

function toId(path: KeyPath): string {
  return path.join("\n");
}
