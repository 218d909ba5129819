import { parse } from "smol-toml";
import type { AST } from "toml-eslint-parser";
import { errorMessage } from "../../core/app-error.ts";
import type { KeyPath } from "../schema/schema.ts";
import {
  collectPlaces,
  type Places,
  renderTomlKey,
  renderTomlPair,
  type TomlValue,
} from "../toml/toml.ts";
import { isTable, valueAt } from "../value-at.ts";
import { replaceTomlValue } from "./replace-value.ts";
import { applySplices, type Splice, type Splices } from "./splice.ts";
import { eolOf, indentAt, lineEnd } from "./text-lines.ts";

/** The text with one key changed, or why that cannot be done by a machine. */
export type EditResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Sets one key in a TOML text; every byte that does not belong to its value stays, comments
 * above all. A key that is not there yet goes below its neighbours, its table to the end of the
 * text. A table can only be added, and so can an entry of an array of tables, by the position
 * behind its last.
 *
 * The result is read back: it differs from `text` in this key and nothing else, or it is refused.
 */
export async function editToml(text: string, path: KeyPath, value: TomlValue): Promise<EditResult> {
  const { parseTOML } = await import("toml-eslint-parser");
  try {
    const before = parse(text);
    if (Bun.deepEquals(valueAt(before, path), value)) return { ok: true, text };
    const program = parseTOML(text, { tomlVersion: "latest" });
    const splices = findSplices({ text, program, before }, path, value);
    if (!splices.ok) return splices;
    const after = applySplices(text, splices.splices);
    if (Bun.deepEquals(parse(after), withValue(before, path, value)))
      return { ok: true, text: after };
    return { ok: false, reason: "the way its table is written leaves no room for it" };
  } catch (error) {
    // Only the first line: the rest quotes the file, which may hold a secret.
    const [reason = ""] = errorMessage(error).split("\n");
    return { ok: false, reason };
  }
}

interface Source {
  readonly text: string;
  readonly program: AST.TOMLProgram;
  readonly before: unknown;
}

function findSplices(source: Source, path: KeyPath, value: TomlValue): Splices {
  const { text, program, before } = source;
  const old = valueAt(before, path);
  const isNewTable = isTable(value) && !Array.isArray(value);
  if (isNewTable && old !== undefined) {
    return { ok: false, reason: "the table is there already; set its keys one by one" };
  }
  const places = collectPlaces(program);
  const pair = places.pairs.find((each) => isSamePath(each.path, path));
  if (pair) return replaceTomlValue({ text, program, node: pair.node.value, old }, value);
  const splice = isNewTable
    ? appendBlock(text, path, Object.entries(value))
    : (insertPair(text, places, path, value) ??
      appendBlock(text, path.slice(0, -1), [[String(path.at(-1)), value]]));
  return { ok: true, splices: [splice] };
}

/** Puts a new key where its table has others, or where its table begins. */
function insertPair(
  text: string,
  { containers, pairs }: Places,
  path: KeyPath,
  value: TomlValue,
): Splice | undefined {
  const parent = path.slice(0, -1);
  // Keys of the table itself, or dotted keys that make it: `a.b = 1` before `a.c`.
  const neighbour = pairs.findLast(
    (pair) => pair.container.path.length <= parent.length && isBelow(pair.path, parent),
  );
  const container =
    neighbour?.container ?? containers.find((each) => isSamePath(each.path, parent));
  if (!container) return undefined;
  const names = path.slice(container.path.length).map(String);
  const added = renderTomlPair(names, value);
  const { node } = container;
  if (node.type === "TOMLInlineTable") {
    return neighbour
      ? insertAt(neighbour.node.range[1], `, ${added}`)
      : insertAt(node.range[0] + 1, ` ${added} `);
  }
  const above = neighbour?.node ?? (node.type === "TOMLTable" ? node.key : undefined);
  if (!above) return undefined;
  const indent = indentAt(text, above.range[0]) ?? "";
  return insertAt(lineEnd(text, above.range[1]), eolOf(text) + indent + added);
}

/** A table of its own at the end; a position at the end of its path makes it an array's entry. */
function appendBlock(
  text: string,
  path: KeyPath,
  pairs: readonly (readonly [string, TomlValue])[],
): Splice {
  const eol = eolOf(text);
  const names = path.filter((step) => typeof step === "string");
  const isEntry = typeof path.at(-1) === "number";
  const key = renderTomlKey(names);
  const lines = [
    isEntry ? `[[${key}]]` : `[${key}]`,
    ...pairs.map(([name, value]) => renderTomlPair([name], value)),
  ];
  const isOpen = text !== "" && !text.endsWith("\n");
  const gap = text === "" ? "" : eol;
  return insertAt(text.length, `${isOpen ? eol : ""}${gap}${lines.join(eol)}${eol}`);
}

function insertAt(start: number, text: string): Splice {
  return { start, end: start, text };
}

/** What the text has to mean afterwards. */
function withValue(root: unknown, path: KeyPath, value: TomlValue): unknown {
  const copy: unknown = structuredClone(root);
  let table = copy;
  for (const [index, step] of path.slice(0, -1).entries()) {
    if (!isTable(table)) return undefined;
    table[step] ??= typeof path[index + 1] === "number" ? [] : {};
    table = table[step];
  }
  const last = path.at(-1);
  if (isTable(table) && last !== undefined) table[last] = value;
  return copy;
}

function isSamePath(a: KeyPath, b: KeyPath): boolean {
  return a.length === b.length && isBelowOrSame(a, b);
}

function isBelow(path: KeyPath, parent: KeyPath): boolean {
  return path.length > parent.length && isBelowOrSame(path, parent);
}

function isBelowOrSame(path: KeyPath, parent: KeyPath): boolean {
  return parent.every((step, index) => path[index] === step);
}
