import type { AST } from "toml-eslint-parser";
import type { KeyPath } from "../schema/schema.ts";

/** A key with its value. */
export interface Pair {
  readonly path: KeyPath;
  readonly node: AST.TOMLKeyValue;
  readonly container: Container;
}

/** What contains keys, and the key of the whole. */
export interface Container {
  readonly path: KeyPath;
  readonly node: AST.TOMLTopLevelTable | AST.TOMLTable | AST.TOMLInlineTable;
}

/** What a TOML text is made of, each in the order of the text. */
export interface Places {
  readonly containers: Container[];
  readonly pairs: Pair[];
  /** Of arrays. */
  readonly elements: { readonly path: KeyPath; readonly node: AST.TOMLContentNode }[];
}

/** Finds every table, key and element, with its path. */
export function collectPlaces(program: AST.TOMLProgram): Places {
  const places: Places = { containers: [], pairs: [], elements: [] };
  const [root] = program.body;
  const top: Container = { path: [], node: root };
  for (const node of root.body) {
    if (node.type === "TOMLKeyValue") collectPair(node, top, places);
    else collectTable({ path: node.resolvedKey, node }, node.body, places);
  }
  return places;
}

function collectTable(
  container: Container,
  pairs: readonly AST.TOMLKeyValue[],
  places: Places,
): void {
  places.containers.push(container);
  for (const pair of pairs) collectPair(pair, container, places);
}

function collectPair(node: AST.TOMLKeyValue, container: Container, places: Places): void {
  const names = node.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
  const path = [...container.path, ...names];
  places.pairs.push({ path, node, container });
  collectValue(node.value, path, places);
}

function collectValue(node: AST.TOMLContentNode, path: KeyPath, places: Places): void {
  if (node.type === "TOMLInlineTable") collectTable({ path, node }, node.body, places);
  if (node.type !== "TOMLArray") return;
  for (const [index, element] of node.elements.entries()) {
    const place = { path: [...path, index], node: element };
    places.elements.push(place);
    collectValue(element, place.path, places);
  }
}
