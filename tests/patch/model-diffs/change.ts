import type { Dice } from "../../support/dice.ts";
import {
  makeProgram,
  name,
  noun,
  oneFrom,
  type Program,
  type Style,
  statement,
} from "./program.ts";

/** A line of a hunk: its marker and its text. */
export type Marked = readonly [mark: " " | "-" | "+", text: string];

/** A change of a program, as a hunk that quotes it well. */
export interface Change {
  readonly program: Program;
  readonly marked: readonly Marked[];
  /** Index of the first quoted line. */
  readonly start: number;
  /** The program with the change made. */
  readonly intended: readonly string[];
}

/** A hunk goes wrong in one way; what was intended stays known. */
export interface Case {
  readonly source: string;
  /** A diff, or the two texts of an edit. */
  readonly patch: string | { readonly before: string; readonly after: string };
  readonly intended: string;
}

const WIDTH = 3;

export function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

export function isWorded(line: string | undefined): boolean {
  return line !== undefined && line.trim().length > 6;
}

/** A change of one to three lines of a body, with context on both sides. */
export function makeChange(dice: Dice, style?: Style, width = WIDTH): Change {
  const program = makeProgram(dice, style);
  const { lines, bodies } = program;
  const { from, to } = oneFrom(dice, bodies);
  const at = from + dice(to - from);
  const count = Math.min(dice(3), to - at);
  const added = newLines(dice, program, at, count === 0 ? 1 : dice(3));
  return quote(program, at, lines.slice(at, at + count), added, width);
}

/** New lines, indented as the line at `at`; changed forms of the old ones or others. */
function newLines(dice: Dice, { lines, style }: Program, at: number, count: number) {
  const indent = /^\s*/.exec(lines[at] ?? "")?.[0] || style.indent;
  return Array.from({ length: count }, () => indent + statement(dice, style.end));
}

/** The hunk that replaces `removed` at `at`, with three lines of context. */
export function quote(
  program: Program,
  at: number,
  removed: readonly string[],
  added: readonly string[],
  width = WIDTH,
): Change {
  const { lines } = program;
  const [start, behind] = [Math.max(0, at - width), at + removed.length];
  const mark = (sign: Marked[0], texts: readonly string[]) =>
    texts.map((text): Marked => [sign, text]);
  const marked = [
    ...mark(" ", lines.slice(start, at)),
    ...mark("-", removed),
    ...mark("+", added),
    ...mark(" ", lines.slice(behind, behind + width)),
  ];
  const intended = [...lines.slice(0, at), ...added, ...lines.slice(behind)];
  return { program, marked, start, intended };
}

/** A line of a body that is there once, so that only one can be meant, with such lines around it. */
export function oneLine(dice: Dice, program: Program, more = 0): number | undefined {
  const { lines, bodies } = program;
  const { from, to } = oneFrom(dice, bodies);
  const at = from + 1 + dice(Math.max(1, to - from - 3 - more));
  const own = lines.slice(at, at + 1 + more);
  const isOnce = (line: string) =>
    isWorded(line) && lines.filter((other) => other.trim() === line.trim()).length === 1;
  return at + more < to && own.every(isOnce) ? at : undefined;
}

/** The header as a model has it: right, with wrong numbers, or without any. */
export function header(dice: Dice, marked: readonly Marked[], start: number): string {
  const old = marked.filter(([mark]) => mark !== "+").length;
  const renewed = marked.filter(([mark]) => mark !== "-").length;
  const off = dice(3) === 0 ? dice(9) : 0;
  if (dice(4) === 0) return "@@ ... @@";
  return `@@ -${start + 1 + off},${old} +${start + 1 + off},${renewed} @@`;
}

export function toDiff(dice: Dice, marked: readonly Marked[], start: number): string {
  const names = dice(3) === 0 ? "" : "--- a/file\n+++ b/file\n";
  return `${names}${header(dice, marked, start)}\n${toText(marked.map(([mark, text]) => mark + text))}`;
}

/** The hunk as a diff or as the two texts of an edit. */
export function toCase(
  dice: Dice,
  { program, marked, start, intended }: Change,
  isEdit = dice(3) === 0,
): Case {
  const side = (without: Marked[0]) =>
    marked.filter(([mark]) => mark !== without).map(([, text]) => text);
  const patch = isEdit
    ? { before: side("+").join("\n"), after: side("-").join("\n") }
    : toDiff(dice, marked, start);
  return { source: toText(program.lines), patch, intended: toText(intended) };
}

/** Another text of a line: one more argument, or one word of it another one. */
export function completed(dice: Dice, line: string, word: string): string {
  const at = line.indexOf("(");
  if (at < 0) return `${line} ${word}`;
  const open = line.slice(0, at + 1);
  const rest = line.slice(at + 1);
  return rest.startsWith(")") || dice(2) === 0
    ? `${open}${word}${rest.startsWith(")") ? "" : ", "}${rest}`
    : `${line.slice(0, at)}${word.replace(/^./, (c) => c.toUpperCase())}(${rest}`;
}

/** A name that the program does not have. */
export function freshName(dice: Dice, { lines }: Program): string {
  for (;;) {
    const fresh = dice(2) === 0 ? name(dice) : `${noun(dice)}s`;
    if (!lines.some((line) => line.includes(fresh))) return fresh;
  }
}
