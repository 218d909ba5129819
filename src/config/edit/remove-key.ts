import { parse } from "smol-toml";
import type { AST } from "toml-eslint-parser";
import { errorMessage } from "../../core/app-error.ts";
import type { KeyPath } from "../schema/schema.ts";
import { collectPlaces } from "../toml/toml.ts";
import { isTable, valueAt } from "../value-at.ts";
import type { EditResult } from "./edit-toml.ts";
import { applySplices, type Splice } from "./splice.ts";
import { indentAt, lineStart } from "./text-lines.ts";

/**
 * Takes one key out of a TOML text, or one table with all its keys; comments stay, also those
 * behind it. A text without the key stays as it is.
 *
 * The result is read back: it differs from `text` in this key and nothing else, or it is refused.
 */
export async function removeTomlKey(text: string, path: KeyPath): Promise<EditResult> {
  const { parseTOML } = await import("toml-eslint-parser");
  try {
    const before = parse(text);
    if (valueAt(before, path) === undefined) return { ok: true, text };
    const program = parseTOML(text, { tomlVersion: "latest" });
    const ranges = rangesOf(text, program, path);
    if (ranges.some((range) => holdsComment(program, range))) {
      return { ok: false, reason: "there is a comment in its value" };
    }
    const after = applySplices(
      text,
      ranges.map((range) => toSplice(text, range)),
    );
    const wanted = withoutValue(before, path);
    if (Bun.deepEquals(withoutEmpty(parse(after)), withoutEmpty(wanted))) {
      return { ok: true, text: after };
    }
    return { ok: false, reason: "the way its table is written leaves no gap for it" };
  } catch (error) {
    // Only the first line: the rest quotes the file, which may hold a secret.
    const [reason = ""] = errorMessage(error).split("\n");
    return { ok: false, reason };
  }
}

type Range = readonly [start: number, end: number];

/** The headers and the keys that make the value; the contents of an inline table go with it. */
function rangesOf(text: string, program: AST.TOMLProgram, path: KeyPath): readonly Range[] {
  const { containers, pairs } = collectPlaces(program);
  const headers = containers.flatMap(({ path: own, node }): readonly Range[] =>
    node.type === "TOMLTable" && isWithin(own, path) ? [headerRange(text, node)] : [],
  );
  const keys = pairs.flatMap(({ path: own, node, container }): readonly Range[] => {
    if (!isWithin(own, path)) return [];
    if (container.node.type !== "TOMLInlineTable") return [node.range];
    return isWithin(container.path, path) ? [] : [inlineRange(container.node, node)];
  });
  return [...headers, ...keys];
}

function headerRange(text: string, { range, key }: AST.TOMLTable): Range {
  return [range[0], text.indexOf("]", key.range[1]) + 1];
}

/** With the comma that it no longer needs. */
function inlineRange({ body }: AST.TOMLInlineTable, pair: AST.TOMLKeyValue): Range {
  const index = body.indexOf(pair);
  const [before, after] = [body[index - 1], body[index + 1]];
  if (after) return [pair.range[0], after.range[0]];
  return [before ? before.range[1] : pair.range[0], pair.range[1]];
}

function holdsComment({ comments }: AST.TOMLProgram, [start, end]: Range): boolean {
  return comments.some(({ range }) => range[0] > start && range[1] < end);
}

/** The whole line when nothing else is on it; a comment behind stays where the key began. */
function toSplice(text: string, [start, end]: Range): Splice {
  const next = /^[ \t]*(?:(?<eol>\r?\n|$)|(?=#))/u.exec(text.slice(end));
  if (!next || indentAt(text, start) === undefined) return { start, end, text: "" };
  const isWhole = next.groups?.["eol"] !== undefined;
  return {
    start: isWhole ? lineStart(text, start) : start,
    end: end + next[0].length,
    text: "",
  };
}

function withoutValue(root: unknown, path: KeyPath): unknown {
  const copy: unknown = structuredClone(root);
  const table = valueAt(copy, path.slice(0, -1));
  const last = path.at(-1);
  if (isTable(table) && last !== undefined) delete table[last];
  return copy;
}

/** A dotted key takes the table with it that it made. */
function withoutEmpty(value: unknown): unknown {
  if (!isTable(value) || Array.isArray(value) || value instanceof Date) return value;
  const kept = Object.entries(value)
    .map(([name, each]) => [name, withoutEmpty(each)] as const)
    .filter(([, each]) => !isTable(each) || Array.isArray(each) || Object.keys(each).length > 0);
  return Object.fromEntries(kept);
}

function isWithin(path: KeyPath, parent: KeyPath): boolean {
  return path.length >= parent.length && parent.every((step, index) => path[index] === step);
}
