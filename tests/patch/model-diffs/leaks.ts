import type { Dice } from "../../support/dice.ts";
import {
  type Case,
  type Change,
  completed,
  freshName,
  isWorded,
  type Marked,
  oneLine,
  quote,
  toCase,
} from "./change.ts";
import { makeProgram, statement } from "./program.ts";

type Make = (dice: Dice) => Case | undefined;

interface Spot {
  readonly program: ReturnType<typeof makeProgram>;
  readonly at: number;
  /** The changed line and what becomes of it, and the line of the file below it. */
  readonly old: string;
  readonly renewed: string;
  readonly next: string;
  readonly word: string;
}

/** A line with a new form, and a line below it that stays. */
function spot(dice: Dice): Spot | undefined {
  const program = makeProgram(dice);
  const at = oneLine(dice, program, 1);
  if (at === undefined) return undefined;
  const [old = "", next = ""] = program.lines.slice(at, at + 2);
  const word = freshName(dice, program);
  const indent = /^\s*/.exec(old)?.[0] ?? "";
  const renewed =
    dice(2) === 0 ? completed(dice, old, word) : `${indent}let ${word} = ${old.trim()}`;
  return { program, at, old, renewed, next, word };
}

/** The hunk of a change over `count` lines from `at` on, with other lines in place of its marks. */
function rewrite(change: Change, to: (marked: Marked, at: number) => readonly Marked[]): Change {
  let at = change.start - 1;
  const marked = change.marked.flatMap((one) => {
    if (one[0] !== "+") at++;
    return to(one, at);
  });
  return { ...change, marked };
}

/** Left out beside the change, and added again: below, above, moved or completed. */
function again(where: "below" | "above" | "moved" | "completed" | "at the edge"): Make {
  return (dice) => {
    const found = spot(dice);
    if (found === undefined) return undefined;
    const { program, at, old, renewed, next, word } = found;
    const all = quote(program, at, [old, next], [renewed, next]);
    const isOther = where === "completed";
    const last = isOther ? completed(dice, next, word) : next;
    const moved = where === "moved" ? [next, renewed] : [renewed, last];
    const change = quote(program, at, [old, next], moved);
    if (where === "above") return aboveAgain(dice, found);
    const marked = change.marked.filter(([mark, text]) => mark !== "-" || text !== next);
    const end = marked.findLastIndex(([mark]) => mark === "+") + 1;
    const cut = where === "at the edge" ? marked.slice(0, end) : marked;
    const intended = isOther || where === "moved" ? change.intended : all.intended;
    return toCase(dice, { ...change, marked: cut, intended });
  };
}

function aboveAgain(dice: Dice, { program, at, old, next }: Spot): Case {
  const renewed = statement(dice, program.style.end);
  const indent = /^\s*/.exec(next)?.[0] ?? "";
  const change = quote(program, at, [old, next], [old, indent + renewed]);
  const marked = change.marked.filter(([mark, text]) => mark !== "-" || text !== old);
  return toCase(dice, { ...change, marked });
}

/** The context next to the change has the word that the change brings. */
const leakIn: Make = (dice) => {
  const found = spot(dice);
  if (found === undefined) return undefined;
  const { program, at, old, renewed, next, word } = found;
  const leaked = completed(dice, next, word);
  return toCase(dice, leakAt(quote(program, at, [old], [renewed]), at + 1, leaked));
};

/** A context line is quoted in the form that it is to have. */
function leakAt(change: Change, line: number, leaked: string): Change {
  const own = change.program.lines[line] ?? "";
  const leak = rewrite(change, ([mark, text], at) => [
    [mark, mark === " " && at === line ? leaked : text],
  ]);
  const intended = change.intended.map((text) => (text === own ? leaked : text));
  return { ...leak, intended };
}

/** A name is changed; the context quotes it as it is to be. */
const leakRenamed: Make = (dice) => {
  const program = makeProgram(dice);
  const at = oneLine(dice, program, 2);
  if (at === undefined) return undefined;
  const [old = "", next = "", third = ""] = program.lines.slice(at, at + 3);
  const [gone, fresh] = [freshName(dice, program), freshName(dice, program)];
  const line = at + 1 + dice(2);
  const uses = completed(dice, line === at + 1 ? next : third, gone);
  const indent = /^\s*/.exec(old)?.[0] ?? "";
  const first = `${indent}let ${gone} = ${old.trim()}`;
  const lines = program.lines.with(at, first).with(line, uses);
  const renewed = first.replace(gone, fresh);
  const change = quote({ ...program, lines }, at, [first], [renewed]);
  return toCase(dice, leakAt(change, line, uses.replace(gone, fresh)));
};

/** A word goes; the context is quoted without it. */
const leakOut: Make = (dice) => {
  const program = makeProgram(dice);
  const at = oneLine(dice, program, 1);
  if (at === undefined) return undefined;
  const [old = "", next = ""] = program.lines.slice(at, at + 2);
  const gone = freshName(dice, program);
  const [first, uses] = [completed(dice, old, gone), completed(dice, next, gone)];
  const lines = program.lines.with(at, first).with(at + 1, uses);
  return toCase(dice, leakAt(quote({ ...program, lines }, at, [first], [old]), at + 1, next));
};

/** A new line beside the change has lost its plus. */
const leakLine: Make = (dice) => {
  const found = spot(dice);
  if (found === undefined) return undefined;
  const { program, at, old, renewed, word } = found;
  const indent = /^\s*/.exec(old)?.[0] ?? "";
  const fresh = `${indent}${statement(dice, "")} ${word}`;
  const change = quote(program, at, [old], [renewed, fresh]);
  const marked = change.marked.map(([mark, text]): Marked => [text === fresh ? " " : mark, text]);
  // A marker lost in an edit is no difference: the line is in its new text.
  return toCase(dice, { ...change, marked }, false);
};

/** A line of context with a slip of the pen: nothing that the change is about. */
const typo: Make = (dice) => {
  const found = spot(dice);
  if (found === undefined) return undefined;
  const { program, at, old, renewed, next } = found;
  const cut = next.length - 3 - dice(3);
  const slipped = next.slice(0, cut) + next.slice(cut + 1);
  if (!isWorded(slipped) || !/[a-z]/i.test(next.charAt(cut))) return undefined;
  const change = quote(program, at, [old], [renewed]);
  return toCase(
    dice,
    rewrite(change, ([mark, text], line) => [
      [mark, mark === " " && line === at + 1 ? slipped : text],
    ]),
  );
};

/** Both patterns in which the goal gets into what is quoted, and a slip of the pen beside them. */
export const LEAKS: Readonly<Record<string, Make>> = {
  "left out below and added again": again("below"),
  "left out above and added again": again("above"),
  "left out and added again elsewhere": again("moved"),
  "left out and added again, completed": again("completed"),
  "added again at the edge of the hunk": again("at the edge"),
  "the goal leaks into the context": leakIn,
  "a new name leaks into the context": leakRenamed,
  "a word that goes is missing in the context": leakOut,
  "a new line leaks into the context": leakLine,
  "a slip of the pen in the context": typo,
};
