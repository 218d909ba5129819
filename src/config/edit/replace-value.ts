import type { AST } from "toml-eslint-parser";
import { isList, renderTomlValue, type TomlValue } from "../toml/toml.ts";
import type { Splice, Splices } from "./splice.ts";
import { eolOf, indentAt, lineStart } from "./text-lines.ts";

/** A value in its text. */
export interface PlacedValue {
  readonly text: string;
  readonly program: AST.TOMLProgram;
  readonly node: AST.TOMLContentNode;
  /** What it means. */
  readonly old: unknown;
}

/** Replaces a value. Comments inside an array stay: it can grow at its end, and no more. */
export function replaceTomlValue(placed: PlacedValue, value: TomlValue): Splices {
  const { text, node, old } = placed;
  const [start, end] = node.range;
  if (!hasComments(placed)) {
    const isTall = node.type === "TOMLArray" && text.slice(start, end).includes("\n");
    const rendered = isTall && isList(value) ? renderTall(placed, value) : renderTomlValue(value);
    return { ok: true, splices: [{ start, end, text: rendered }] };
  }
  const splices = isList(value) && isList(old) ? appendToArray(placed, old, value) : undefined;
  return splices ? { ok: true, splices } : { ok: false, reason: "there is a comment in its value" };
}

function hasComments({ program, node }: PlacedValue): boolean {
  const [start, end] = node.range;
  return program.comments.some(({ range }) => range[0] > start && range[1] < end);
}

/** One element a line, as the array was before. */
function renderTall(placed: PlacedValue, values: readonly TomlValue[]): string {
  if (values.length === 0) return "[]";
  const eol = eolOf(placed.text);
  const indent = elementIndent(placed);
  const lines = values.map((value) => `${indent}${renderTomlValue(value)},`);
  return ["[", ...lines, `${indentAt(placed.text, placed.node.range[1] - 1) ?? ""}]`].join(eol);
}

/** Undefined when more has to change than the end. */
function appendToArray(
  placed: PlacedValue,
  old: readonly TomlValue[],
  values: readonly TomlValue[],
): readonly Splice[] | undefined {
  const { text, program, node } = placed;
  const close = node.range[1] - 1;
  const keepsAll = old.every((each, index) => Bun.deepEquals(each, values[index]));
  if (node.type !== "TOMLArray" || !keepsAll || indentAt(text, close) === undefined)
    return undefined;
  const added = values
    .slice(old.length)
    .map((value) => `${elementIndent(placed)}${renderTomlValue(value)},`);
  const start = lineStart(text, close);
  const eol = eolOf(text);
  const grown: Splice = { start, end: start, text: added.map((line) => line + eol).join("") };
  const last = node.elements.at(-1)?.range[1];
  if (last === undefined) return [grown];
  const hasComma = withoutComments(text, program, last, close).includes(",");
  return hasComma ? [grown] : [{ start: last, end: last, text: "," }, grown];
}

function elementIndent({ text, node }: PlacedValue): string {
  const first = node.type === "TOMLArray" ? node.elements[0]?.range[0] : undefined;
  const own = first === undefined ? undefined : indentAt(text, first);
  return own ?? "  ";
}

function withoutComments(
  text: string,
  program: AST.TOMLProgram,
  start: number,
  end: number,
): string {
  return program.comments
    .filter(({ range }) => range[0] >= start && range[1] <= end)
    .toReversed()
    .reduce(
      (rest, { range }) => rest.slice(0, range[0] - start) + rest.slice(range[1] - start),
      text.slice(start, end),
    );
}
