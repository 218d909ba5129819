import type { Dice } from "../../support/dice.ts";
import { type Case, type Marked, makeChange, toCase, toText } from "./change.ts";
import { oneFrom } from "./program.ts";

type Make = (dice: Dice) => Case | undefined;

/** What stands in the place of the plus of an added line that was written or carried badly. */
export const LOST_PLUS: readonly string[] = [
  "",
  " ",
  "\t",
  "* ",
  "\u2022 ",
  "\\+",
  "\uFF0B",
  "&plus;",
  "&#43;",
  ">",
  "> ",
  "| ",
  "// ",
];

/** One added line of a hunk has lost its plus; below, its context may have gone. */
function lost(where: "inside" | "at the end"): Make {
  return (dice) => {
    const one = makeChange(dice);
    const added = one.marked.flatMap(([mark, text], i) =>
      mark === "+" && text.trim() !== "" ? [i] : [],
    );
    if (added.length === 0) return undefined;
    const at = where === "inside" ? oneFrom(dice, added) : (added.at(-1) ?? 0);
    const marked = where === "inside" ? one.marked : one.marked.slice(0, at + 1);
    if (!marked.some(([mark], i) => mark !== " " && i !== at)) return undefined;
    const clean = toCase(dice, { ...one, marked }, false);
    if (typeof clean.patch !== "string") return undefined;
    const text = marked[at]?.[1] ?? "";
    const indent = dice(2) === 0 ? text : text.trimStart();
    return {
      ...clean,
      patch: clean.patch.replace(`\n+${text}\n`, () => `\n${oneFrom(dice, LOST_PLUS)}${indent}\n`),
    };
  };
}

const PROSE = ["That is all.", "* It returns early now.", "> as you asked", "I changed one line."];

/** What a model says about a good hunk, right below it where its counts hold, else below an empty line. */
const explained: Make = (dice) => {
  const one = makeChange(dice);
  const old = one.marked.filter(([mark]) => mark !== "+").length;
  const renewed = one.marked.filter(([mark]) => mark !== "-").length;
  const isCounted = dice(2) === 0;
  const head = isCounted ? `@@ -${one.start + 1},${old} +${one.start + 1},${renewed} @@` : "@@";
  const body = toText(one.marked.map(([mark, text]: Marked) => mark + text));
  const patch = `${head}\n${body}${isCounted ? "" : "\n"}${oneFrom(dice, PROSE)}\n  And ${oneFrom(dice, PROSE)}\n`;
  return { source: toText(one.program.lines), patch, intended: toText(one.intended) };
};

/** Added lines without their plus, and prose, which must not be taken for one. */
export const LOST: Readonly<Record<string, Make>> = {
  "an added line without its plus": lost("inside"),
  "an added line without its plus at the end": lost("at the end"),
  "prose behind a good hunk": explained,
};
