import { parse } from "smol-toml";

/**
 * What detectors take from the texts of manifests. Nothing here throws, and nothing takes longer than
 * the text is long: whoever wrote a folder may have filled one with blanks. So `^\s*` is written
 * `^[ \t]*` where lines are looked through, as `\s` runs over all of the empty ones from each.
 */

/** An object of any manifest. */
export type Table = Readonly<Record<string, unknown>>;

/** A JSON object, or an empty one. */
export function parseJson(text: string | undefined): Table {
  return parseTable(text, JSON.parse);
}

/** A TOML document, or an empty one. */
export function parseToml(text: string | undefined): Table {
  return parseTable(text, parse);
}

function parseTable(text: string | undefined, read: (text: string) => unknown): Table {
  try {
    return text === undefined ? {} : toTable(read(text));
  } catch {
    return {};
  }
}

/** The object that a member holds, or an empty one. */
export function tableIn(table: Table, ...keys: readonly string[]): Table {
  return keys.reduce<Table>((inner, key) => toTable(inner[key]), table);
}

/** The texts of a list; what is no list has none. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function toTable(value: unknown): Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The words between blanks. */
export function toWords(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => word !== "");
}

/** Names on the first level of a section at the left edge, of YAML as people write it. */
export function keysBelow(text: string, section: string): readonly string[] {
  const rows = rowsBelow(text, section);
  const indent = rows[0]?.search(/\S/u) ?? 0;
  return rows.flatMap((row) => {
    const key = /^\s+(?:"([\w.:-]{1,100})"|'([\w.:-]{1,100})'|([\w.-]{1,100})):(?:\s|$)/u.exec(row);
    const name = key?.[1] ?? key?.[2] ?? key?.[3];
    return name !== undefined && row.search(/\S/u) === indent ? [name] : [];
  });
}

/** The lines of such a section, without empty ones, comments and endless ones. */
export function rowsBelow(text: string, section: string): readonly string[] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.trimEnd() === `${section}:`);
  if (start === -1) return [];
  const rows = lines.slice(start + 1).filter(isRow);
  const end = rows.findIndex((line) => !/^[\s-]/u.test(line));
  return end === -1 ? rows : rows.slice(0, end);
}

/** Nobody writes a longer one by hand. */
const MOST_ROW_CHARS = 500;

function isRow(line: string): boolean {
  return line.length <= MOST_ROW_CHARS && !/^\s*(?:#|$)/u.test(line);
}

/** The text up to a sign, or all of it: a pattern that ends in `.*$` is tried at every such sign. */
export function textBefore(text: string, sign: string): string {
  return text.split(sign, 1)[0] ?? "";
}

/** The text up to its first line break. */
export function firstLine(text: string): string {
  return textBefore(text, "\n");
}
