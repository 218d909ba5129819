import { createPatch } from "diff";
import type { Dice } from "../../support/dice.ts";
import {
  type Case,
  isWorded,
  type Marked,
  makeChange,
  oneLine,
  quote,
  toCase,
  toText,
} from "./change.ts";
import { makeProgram, oneFrom, STYLES, statement } from "./program.ts";

type Make = (dice: Dice) => Case | undefined;

/** Blank lines of the context left out, or put between its lines, away from where lines go in. */
function blanks(change: (marked: readonly Marked[], dice: Dice) => readonly Marked[]): Make {
  return (dice) => {
    const one = makeChange(dice, undefined, 3 + dice(10));
    const marked = change(one.marked, dice);
    const isSame = marked.length === one.marked.length;
    return isSame || !one.marked.some(([mark]) => mark === "-")
      ? undefined
      : toCase(dice, { ...one, marked });
  };
}

const isBlank = (line: Marked | undefined) => line !== undefined && line[1].trim() === "";

/** Whether a line has words, and is not new: a blank line beside it is no doubt. */
function isOld(line: Marked | undefined): boolean {
  return line === undefined || (line[0] !== "+" && isWorded(line[1]));
}

const tooFew = blanks((marked) =>
  marked.filter(
    (line, i) =>
      !(line[0] === " " && isBlank(line) && isOld(marked[i - 1]) && isOld(marked[i + 1])),
  ),
);

const tooMany = blanks((marked, dice) =>
  marked.flatMap((line, i) => {
    const next = marked[i + 1];
    const isBetween = next !== undefined && isOld(line) && isOld(next) && next[0] === " ";
    return isBetween && dice(2) === 0 ? [line, [" ", ""] satisfies Marked] : [line];
  }),
);

/** What models write in place of lines that they leave out. */
const PLACEHOLDERS = [
  "... existing code ...",
  "[existing code]",
  "(unchanged)",
  "rest of the file stays the same",
  "rest of the code remains unchanged",
  "... rest of the function",
  "existing code here",
  "other methods unchanged",
  "same as before",
  "omitted for brevity",
  "no changes here",
];

/** Two changes of one body in one hunk, with a placeholder for what is between them. */
const placeholder: Make = (dice) => {
  const program = makeProgram(dice);
  const { lines, style } = program;
  const [a, b] = [oneLine(dice, program), oneLine(dice, program)];
  if (a === undefined || b === undefined || b - a < 5) return undefined;
  const renew = () => `${style.indent}${statement(dice, style.end)}`;
  const [first, second] = [renew(), renew()];
  const upper = quote({ ...program, lines }, a, lines.slice(a, a + 1), [first], 2);
  const lower = quote({ ...program, lines: upper.intended }, b, lines.slice(b, b + 1), [second], 2);
  const words = style.comment(oneFrom(dice, PLACEHOLDERS));
  const indent = dice(2) === 0 ? style.indent : "";
  const marked: readonly Marked[] = [
    ...upper.marked.slice(0, -1),
    [" ", indent + words],
    ...lower.marked.slice(1),
  ];
  return toCase(dice, { ...upper, marked, intended: lower.intended });
};

/** A placeholder above, below or both. */
const placeholderAtEdge: Make = (dice) => {
  const one = makeChange(dice);
  const { style } = one.program;
  const words = () => style.comment(oneFrom(dice, PLACEHOLDERS));
  const above: readonly Marked[] = dice(3) > 0 ? [[" ", words()]] : [];
  const below: readonly Marked[] = dice(3) > 0 || above.length === 0 ? [[" ", words()]] : [];
  return toCase(dice, { ...one, marked: [...above, ...one.marked, ...below] });
};

/** A new file as some write it. */
const fromEmpty: Make = (dice) => {
  const { lines } = makeProgram(dice);
  const from = oneFrom(dice, ["-1,0", "-0,0", "-1,0"]);
  const body = toText(lines.map((line) => `+${line}`));
  const patch = `--- a/file\n+++ b/file\n@@ ${from} +1,${lines.length} @@\n${body}`;
  return { source: "", patch, intended: toText(lines) };
};

/** Lines put in below lines that are the same, where git puts them: last. */
const twin: Make = (dice) => {
  const program = makeProgram(dice);
  const at = oneLine(dice, program);
  if (at === undefined) return undefined;
  const { lines } = program;
  const count = 1 + dice(2);
  const again = lines.slice(at, at + count);
  if (at + count > lines.length || lines[at + count] === again[0]) return undefined;
  const behind = at + count;
  const patch = `--- a/file\n+++ b/file\n@@ -${behind},0 +${behind + 1},${count} @@\n${toText(again.map((line) => `+${line}`))}`;
  const intended = [...lines.slice(0, behind), ...again, ...lines.slice(behind)];
  return { source: toText(lines), patch, intended: toText(intended) };
};

/** A patch of a file that has it already, at every width of context. */
const twice: Make = (dice) => {
  const { program, intended } = makeChange(dice);
  const [before, after] = [toText(program.lines), toText(intended)];
  const context = dice(6);
  const patch = createPatch("file", before, after, "", "", { context });
  return before === after ? undefined : { source: after, patch, intended: after };
};

/** The same for a change of several places, some of whose lines are in the file more than once. */
const twiceMany: Make = (dice) => {
  const { lines } = makeProgram(dice);
  const after = lines.flatMap((line) => {
    if (dice(9) > 0) return [line];
    return oneFrom(dice, [[], [line, line], [line, oneFrom(dice, lines)], [oneFrom(dice, lines)]]);
  });
  const [old, renewed] = [toText(lines), toText(after)];
  const patch = createPatch("file", old, renewed, "", "", { context: dice(6) });
  return old === renewed ? undefined : { source: renewed, patch, intended: renewed };
};

/** A good hunk, so that nothing that is said here is won by refusing. */
const clean: Make = (dice) => toCase(dice, makeChange(dice));

/** One that quotes nothing behind its change, or nothing before it. */
const oneSided: Make = (dice) => {
  const one = makeChange(dice);
  const first = one.marked.findIndex(([mark]) => mark !== " ");
  const last = one.marked.findLastIndex(([mark]) => mark !== " ");
  if (!one.marked.some(([mark]) => mark === "-") || last < 0) return undefined;
  return dice(2) === 0
    ? toCase(dice, { ...one, marked: one.marked.slice(0, last + 1) })
    : toCase(dice, { ...one, marked: one.marked.slice(first), start: one.start + first });
};

/** A line that is one blank deeper than what is around, and that it is to be so can be seen. */
const oneDeeper: Make = (dice) => {
  const program = makeProgram(dice, { ...oneFrom(dice, STYLES), indent: "  " });
  const at = oneLine(dice, program);
  if (at === undefined) return undefined;
  const old = program.lines[at] ?? "";
  const moved = quote(program, at, [old], [` ${old}`]);
  const indent = /^\s*/.exec(old)?.[0] ?? "";
  const list = `${indent}(${old.trim().replace(/\W+/g, " ").trim()}`;
  const behind = quote(program, at, [old], [list, `${indent} more)`]);
  const lines = program.lines.with(at, list);
  const open = quote({ ...program, lines }, at + 1, [], [`${indent} more`]);
  return toCase(dice, oneFrom(dice, [moved, behind, open]));
};

/** Without context, as `diff -U0` writes it. */
const bare: Make = (dice) => {
  const { program, start, marked, intended } = makeChange(dice);
  const first = marked.findIndex(([mark]) => mark !== " ");
  const own = marked.filter(([mark]) => mark !== " ");
  const at = start + first;
  const old = own.filter(([mark]) => mark === "-").length;
  const renewed = own.length - old;
  const head = `@@ -${old === 0 ? at : at + 1},${old} +${renewed === 0 ? at : at + 1},${renewed} @@\n`;
  const patch = head + toText(own.map(([mark, text]) => mark + text));
  return own.length === 0
    ? undefined
    : { source: toText(program.lines), patch, intended: toText(intended) };
};

/** Blank lines, left-out lines, and patches with little or no context. */
export const LAYOUTS: Readonly<Record<string, Make>> = {
  "blank lines too few": tooFew,
  "blank lines too many": tooMany,
  "a placeholder between two changes": placeholder,
  "a placeholder at an edge": placeholderAtEdge,
  "a file that was empty": fromEmpty,
  "an insertion equal to its neighbour": twin,
  "applied twice": twice,
  "applied twice at several places": twiceMany,
  "a good hunk": clean,
  "a line one blank deeper": oneDeeper,
  "a hunk with context on one side": oneSided,
  "a hunk without context": bare,
};
