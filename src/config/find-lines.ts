import type { AST } from "toml-eslint-parser";
import type { KeyPath } from "./schema-node.ts";

/**
 * A function that tells the line of a key, or of the nearest table around it; 0 where nothing
 * is known. Costs a second parse, so it is for error messages only.
 */
export async function findLines(text: string): Promise<(path: KeyPath) => number> {
  const { parseTOML } = await import("toml-eslint-parser");
  const lines = new Map<string, number>();
  try {
    collectTopLevel(parseTOML(text, { tomlVersion: "latest" }), lines);
  } catch {
    // The two parsers differ over this file: a message without a line still names its key.
    return () => 0;
  }
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const line = lines.get(toId(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return 0;
  };
}

type Lines = Map<string, number>;

function collectTopLevel(program: AST.TOMLProgram, lines: Lines): void {
  for (const node of program.body[0].body) {
    if (node.type === "TOMLKeyValue") {
      collectKeyValue(node, [], lines);
      continue;
    }
    record(node.resolvedKey, node.loc.start.line, lines);
    for (const child of node.body) collectKeyValue(child, node.resolvedKey, lines);
  }
}

function collectKeyValue(node: AST.TOMLKeyValue, table: KeyPath, lines: Lines): void {
  const names = node.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
  collectValue(node.value, [...table, ...names], node.loc.start.line, lines);
}

function collectValue(value: AST.TOMLContentNode, path: KeyPath, line: number, lines: Lines): void {
  record(path, line, lines);
  if (value.type === "TOMLInlineTable") {
    for (const child of value.body) collectKeyValue(child, path, lines);
  }
  if (value.type === "TOMLArray") {
    for (const [index, element] of value.elements.entries()) {
      collectValue(element, [...path, index], element.loc.start.line, lines);
    }
  }
}

function record(path: KeyPath, line: number, lines: Lines): void {
  for (let length = 1; length <= path.length; length++) {
    const id = toId(path.slice(0, length));
    if (!lines.has(id)) lines.set(id, line);
  }
}

function toId(path: KeyPath): string {
  return path.join("\n");
}
