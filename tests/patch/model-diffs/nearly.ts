import type { Dice } from "../../support/dice.ts";
import {
  type Case,
  completed,
  freshName,
  header,
  isWorded,
  type Marked,
  oneLine,
  quote,
  toCase,
  toText,
} from "./change.ts";
import { makeProgram, oneFrom, type Program } from "./program.ts";

type Make = (dice: Dice) => Case | undefined;

/** A new form of a line that is left out beside a change. */
const FORMS: Readonly<Record<string, (line: string, word: string) => string>> = {
  "with a sign": (line) => (/[,;]$/.test(line) ? line.slice(0, -1) : `${line},`),
  "with a comment": (line) => `${line} // ${line.includes("(") ? "as before" : "kept"}`,
  "with a word": (line, word) => `${line.replace(/[;,.]?$/, "")} ${word}`,
};

/** A line, and the line below it, which the hunk leaves out and adds again in another form. */
function nearly(where: "inside" | "at the edge" | "before a blank line"): Make {
  return (dice) => {
    const program = makeProgram(dice);
    const at = oneLine(dice, program, 1);
    if (at === undefined) return undefined;
    const [old = "", next = ""] = program.lines.slice(at, at + 2);
    const word = freshName(dice, program);
    const form = FORMS[oneFrom(dice, Object.keys(FORMS))];
    const last = form?.(next, word) ?? next;
    const change = quote(program, at, [old, next], [completed(dice, old, word), last]);
    const marked = change.marked.filter(([mark, text]) => mark !== "-" || text !== next);
    const end = marked.findLastIndex(([mark]) => mark === "+") + 1;
    if (where === "inside") return toCase(dice, { ...change, marked });
    if (where === "at the edge") return toCase(dice, { ...change, marked: marked.slice(0, end) });
    return toCase(dice, { ...change, marked: [...marked.slice(0, end), [" ", ""]] });
  };
}

const NAMES = /\b(?!const\b|let\b)[A-Za-z]{3,}\b/g;

/** A changed line at the edge of a hunk, and below it the one that follows in the file, renamed. */
function withOtherNames(which: "one name" | "all names"): Make {
  return (dice) => {
    const program = makeProgram(dice);
    const at = oneLine(dice, program, 1);
    if (at === undefined) return undefined;
    const [old = "", next = ""] = program.lines.slice(at, at + 2);
    const names = next.match(NAMES) ?? [];
    const gone = which === "one name" ? [oneFrom(dice, names)] : names;
    const fresh = gone.map(() => freshName(dice, program));
    const last = gone.reduce((line, name, i) => line.replace(name, fresh[i] ?? ""), next);
    const renewed = completed(dice, old, freshName(dice, program));
    const change = quote(program, at, [old, next], [renewed, last]);
    const marked = change.marked.filter(([mark, text]) => mark !== "-" || text !== next);
    const end = marked.findLastIndex(([mark]) => mark === "+") + 1;
    // As an edit it is what it says: those seldom quote what is behind a change.
    const isEdit = which === "one name" ? undefined : false;
    return toCase(dice, { ...change, marked: marked.slice(0, end) }, isEdit);
  };
}

/** New lines where no line goes, and beside them one that the hunk leaves out and adds again. */
function besideInsertion(where: "below" | "above" | "around"): Make {
  return (dice) => {
    const program = makeProgram(dice);
    const at = oneLine(dice, program, 1 + dice(2));
    if (at === undefined) return undefined;
    const count = where === "around" ? 2 : 1 + dice(2);
    const again = program.lines.slice(at, at + count);
    if (!again.every((line) => isWorded(line) && isOnce(program, line))) return undefined;
    const indent = /^\s*/.exec(again[0] ?? "")?.[0] ?? "";
    const fresh = Array.from(
      { length: 1 + dice(2) },
      () => `${indent}${freshName(dice, program)}(${freshName(dice, program)})`,
    );
    const [first = "", ...rest] = again;
    const added = {
      below: [...fresh, ...again],
      above: [...again, ...fresh],
      around: [first, ...fresh, ...rest],
    };
    const change = quote(program, at, again, added[where]);
    return toCase(dice, { ...change, marked: change.marked.filter(([mark]) => mark !== "-") });
  };
}

function isOnce({ lines }: Program, line: string): boolean {
  return lines.filter((other) => other.trim() === line.trim()).length === 1;
}

/** Two lines that are left out are added again as one, or one as two. */
const reflowed: Make = (dice) => {
  const program = makeProgram(dice);
  const at = oneLine(dice, program, 2);
  if (at === undefined) return undefined;
  const [old = "", next = "", third = ""] = program.lines.slice(at, at + 3);
  const isJoined = dice(2) === 0;
  const cut = next.indexOf("(") + 1;
  if (!isJoined && cut < 4) return undefined;
  const left = isJoined ? [next, third] : [next];
  const again = isJoined
    ? [`${next} ${third.trim()}`]
    : [next.slice(0, cut), `${program.style.indent}${next.slice(cut)}`];
  const renewed = completed(dice, old, freshName(dice, program));
  const change = quote(program, at, [old, ...left], [renewed, ...again]);
  const marked = change.marked.filter(([mark, text]) => mark !== "-" || text === old);
  return toCase(dice, { ...change, marked });
};

/** What happens to the signs of a line. */
const SIGNS: readonly ((line: string) => string)[] = [
  (line) => line.replace(/;$/, ""),
  (line) => (/[\w)]$/.test(line) ? `${line};` : line),
  (line) => line.replace("(", "(&"),
  (line) => line.replace(/\)(;?)$/, ")?$1"),
  (line) => line.replace(/(\w)\.(\w)/, "$1?.$2"),
  (line) => line.replace(/\(([^()]+)\)/, "([$1])"),
];

/** Only the signs of a line change; the context next to it or further away is quoted so as well. */
const signs: Make = (dice) => {
  const program = makeProgram(dice);
  const at = oneLine(dice, program, 2);
  if (at === undefined) return undefined;
  const change = oneFrom(dice, SIGNS);
  const line = at + 1 + dice(2);
  const [old = "", own = ""] = [program.lines[at], program.lines[line]];
  const [renewed, leaked] = [change(old), change(own)];
  if (renewed === old || leaked === own) return undefined;
  const one = quote(program, at, [old], [renewed]);
  const marked = one.marked.map(([mark, text]): Marked => [mark, text === own ? leaked : text]);
  const intended = one.intended.map((text) => (text === own ? leaked : text));
  return toCase(dice, { ...one, marked, intended });
};

/** A word that a line has twice goes once, and the context lacks one of two as well. */
const oneOfTwo: Make = (dice) => {
  const program = makeProgram(dice);
  const at = oneLine(dice, program, 1);
  if (at === undefined) return undefined;
  const word = freshName(dice, program);
  const twice = (line: string) => completed(dice, completed(dice, line, word), word);
  const once = (line: string) => line.replace(word, "").replace("(, ", "(");
  const [old, own] = [twice(program.lines[at] ?? ""), twice(program.lines[at + 1] ?? "")];
  const lines = program.lines.with(at, old).with(at + 1, own);
  if (!isWorded(once(own)) || own.split(word).length !== 3 || old.split(word).length !== 3) {
    return undefined;
  }
  const change = quote({ ...program, lines }, at, [old], [once(old)]);
  const marked = change.marked.map(
    ([mark, text]): Marked => [mark, text === own ? once(own) : text],
  );
  const intended = change.intended.map((text) => (text === own ? once(own) : text));
  return toCase(dice, { ...change, marked, intended });
};

/** Two hunks of one patch, far enough apart, each a change of one line. */
function twoHunks(
  change: (
    dice: Dice,
    program: Program,
    at: { readonly upper: number; readonly lower: number },
  ) =>
    | {
        readonly program: Program;
        readonly upper: readonly Marked[];
        readonly lower: readonly Marked[];
        readonly intended: readonly string[];
      }
    | undefined,
): Make {
  return (dice) => {
    const program = makeProgram(dice);
    const [a, b] = [oneLine(dice, program, 1), oneLine(dice, program, 1)];
    if (a === undefined || b === undefined || b - a < 9) return undefined;
    const made = change(dice, program, { upper: a, lower: b });
    if (made === undefined) return undefined;
    const hunk = (marked: readonly Marked[], at: number) =>
      `${header(dice, marked, at - 3)}\n${toText(marked.map(([mark, text]) => mark + text))}`;
    const patch = `--- a/file\n+++ b/file\n${hunk(made.upper, a)}${hunk(made.lower, b)}`;
    return { source: toText(made.program.lines), patch, intended: toText(made.intended) };
  };
}

/** A line that one hunk leaves out is one that the other adds. */
const addedElsewhere = twoHunks((dice, program, { upper, lower }) => {
  const { lines } = program;
  const [old = "", next = "", other = ""] = [lines[upper], lines[upper + 1], lines[lower]];
  const renewed = completed(dice, old, freshName(dice, program));
  const first = quote(program, upper, [old], [renewed]);
  const second = quote(program, lower, [other], [completed(dice, other, "again"), next]);
  const intended = lines.flatMap((line, at) => {
    if (at === upper) return [renewed];
    if (at === upper + 1) return [];
    return at === lower
      ? second.marked.flatMap(([mark, text]) => (mark === "+" ? [text] : []))
      : [line];
  });
  const marked = first.marked.filter(([, text]) => text !== next);
  return { program, upper: marked, lower: second.marked, intended };
});

/** A name is changed in one hunk; the context of the other has it in its new form. */
const leakFromOther = twoHunks((dice, program, { upper, lower }) => {
  const [gone, fresh] = [freshName(dice, program), freshName(dice, program)];
  if (gone === fresh) return undefined;
  const uses = completed(dice, program.lines[upper + 1] ?? "", gone);
  const other = completed(dice, program.lines[lower] ?? "", gone);
  const lines = program.lines.with(upper + 1, uses).with(lower, other);
  const own = { ...program, lines };
  const renamed = (line: string) => line.replace(gone, fresh);
  // As a part of another name it is not the same word.
  if (renamed(uses) === uses || renamed(other) === other) return undefined;
  const old = lines[upper] ?? "";
  const renewed = completed(dice, old, "more");
  const first = quote(own, upper, [old], [renewed]);
  const second = quote(own, lower, [other], [renamed(other)]);
  const marked = first.marked.map(
    ([mark, text]): Marked => [mark, text === uses ? renamed(uses) : text],
  );
  const intended = lines
    .with(upper, renewed)
    .with(upper + 1, renamed(uses))
    .with(lower, renamed(other));
  return { program: own, upper: marked, lower: second.marked, intended };
});

/** A new line that has lost its plus, with a line between it and the change. */
const lostFurther: Make = (dice) => {
  const program = makeProgram(dice);
  const at = oneLine(dice, program, 1);
  if (at === undefined) return undefined;
  const [old = "", next = ""] = program.lines.slice(at, at + 2);
  const indent = /^\s*/.exec(old)?.[0] ?? "";
  const fresh = `${indent}${freshName(dice, program)}(${freshName(dice, program)})`;
  const renewed = completed(dice, old, "more");
  const change = quote(program, at, [old, next], [renewed, next, fresh]);
  const marked = change.marked.flatMap(([mark, text]): readonly Marked[] => {
    if (text === next) return mark === "-" ? [] : [[" ", text]];
    return [[text === fresh ? " " : mark, text]];
  });
  // A marker lost in an edit is no difference: the line is in its new text.
  return toCase(dice, { ...change, marked }, false);
};

/** What is nearly as one of both patterns in which the goal gets into what is quoted. */
export const NEARLY: Readonly<Record<string, Make>> = {
  "left out and added again nearly": nearly("inside"),
  "added again nearly at the edge of the hunk": nearly("at the edge"),
  "added again nearly before a blank line": nearly("before a blank line"),
  "added again with another name at the edge of the hunk": withOtherNames("one name"),
  "added again with every name another at the edge of the hunk": withOtherNames("all names"),
  "left out and added again below new lines": besideInsertion("below"),
  "left out and added again above new lines": besideInsertion("above"),
  "left out and added again around new lines": besideInsertion("around"),
  "left out and added again as one line, or as two": reflowed,
  "left out and added by another hunk": addedElsewhere,
  "signs of the goal leak into the context": signs,
  "a word that goes once is missing in the context": oneOfTwo,
  "the goal of another hunk leaks into the context": leakFromOther,
  "a new line further away leaks into the context": lostFurther,
};
