import type { Dice } from "../../support/dice.ts";
import {
  type Case,
  type Change,
  type Marked,
  makeChange,
  toCase,
  toDiff,
  toText,
} from "./change.ts";
import { oneFrom, STYLES } from "./program.ts";

type Make = (dice: Dice) => Case | undefined;

/** The diff of a good hunk, changed as a whole. */
function whole(change: (diff: string, dice: Dice) => string): Make {
  return (dice) => {
    const one = makeChange(dice);
    const patch = change(toDiff(dice, one.marked, one.start), dice);
    return { source: toText(one.program.lines), patch, intended: toText(one.intended) };
  };
}

const escape = (text: string) => JSON.stringify(text).slice(1, -1);

/** Every line with something before it; blank lines may have lost it. */
function before(prefixes: readonly string[]): Make {
  return whole((diff, dice) => {
    const prefix = oneFrom(dice, prefixes);
    const isBare = dice(2) === 0;
    const lines = diff.slice(0, -1).split("\n");
    const put = (line: string) => (isBare && line.trim() === "" ? prefix.trim() : prefix + line);
    return toText(lines.map(put));
  });
}

const [BOLD, RED, GREEN, CYAN] = [1, 31, 32, 36].map((code) => `\u001B[${code}m`);

/** As `git diff --color` and `diff --color` write it. */
const coloured = whole((diff, dice) => {
  const end = oneFrom(dice, ["\u001B[m", "\u001B[0m"]);
  const isApart = dice(2) === 0;
  const paint = (line: string) => {
    if (/^(?:---|\+\+\+) [ab]\//.test(line)) return `${BOLD}${line}${end}`;
    if (line.startsWith("@@")) return `${CYAN}${line}${end}`;
    if (line.startsWith("-")) return `${RED}${line}${end}`;
    if (!line.startsWith("+")) return isApart ? `${line}${end}` : line;
    return isApart ? `${GREEN}+${end}${GREEN}${line.slice(1)}${end}` : `${GREEN}${line}${end}`;
  };
  return toText(diff.slice(0, -1).split("\n").map(paint));
});

/** What `cat -n`, `grep -n`, `nl` and editors put before the lines of a patch, from some line on. */
const NUMBERINGS: readonly ((n: number, width: number) => string)[] = [
  (n) => `${String(n).padStart(6)}\t`,
  (n) => `${n}:`,
  (n, width) => `${String(n).padStart(width)} | `,
  (n, width) => `${String(n).padStart(width)} `,
  (n) => `${n}: `,
];

const numbered = whole((diff, dice) => {
  const put = oneFrom(dice, NUMBERINGS);
  const from = 1 + dice(120);
  const isBare = dice(2) === 0;
  const lines = diff.slice(0, -1).split("\n");
  const all = lines.map((line, i) => put(from + i, 4) + line);
  return toText(isBare ? all.map((line) => line.trimEnd()) : all);
});

/** What is put before the lines of a file that is shown, and so before those that are quoted from it. */
const quotedWith =
  (put: (n: number) => string): Make =>
  (dice) => {
    const one = makeChange(dice);
    let at = one.start;
    const marked = one.marked.map(([mark, text]): Marked => {
      if (mark !== "+") at++;
      return [mark, put(mark === "+" ? at + 1 : at) + text];
    });
    return toCase(dice, { ...one, marked });
  };

/** The first line with a bullet, the others below it. */
const bulletAbove = whole((diff, dice) => {
  const bullet = oneFrom(dice, ["- ", "* ", "1. "]);
  return diff.replace(/^(?=.)/gm, " ".repeat(bullet.length)).replace(/^ +/, bullet);
});

const escapedEdit: Make = (dice) => {
  const one = toCase(dice, makeChange(dice), true);
  if (typeof one.patch === "string") return undefined;
  const { before: old, after } = one.patch;
  if (!old.includes("\n")) return undefined;
  return { ...one, patch: { before: escape(old), after: escape(after) } };
};

/** The lines of a hunk with other characters for some of theirs. */
function retyped(
  style: (dice: Dice) => (typeof STYLES)[number],
  to: (text: string, dice: Dice) => string,
  suits: (change: Change) => boolean = () => true,
): Make {
  return (dice) => {
    const one = makeChange(dice, style(dice));
    const marked = one.marked.map(([mark, text]): Marked => [mark, to(text, dice)]);
    const isSame = marked.every(([mark, text], i) => mark === "+" || text === one.marked[i]?.[1]);
    return isSame || !suits(one) ? undefined : toCase(dice, { ...one, marked });
  };
}

const anyStyle = (dice: Dice) => oneFrom(dice, STYLES);
const indented = (indent: string) => (dice: Dice) => ({ ...oneFrom(dice, STYLES), indent });

function curl(text: string): string {
  return text.replace(/"([^"]*)"/g, "\u201C$1\u201D");
}

/** The indentation of a line by steps of another width. */
function rescale(from: number, to: number) {
  return (text: string) => {
    const width = text.length - text.trimStart().length;
    return " ".repeat((width / from) * to) + text.slice(width);
  };
}

/** Lines of more than one depth show the ratio. */
function hasDepths({ marked }: Change): boolean {
  const quoted = marked.filter(([mark, text]) => mark !== "+" && text.trim() !== "");
  return new Set(quoted.map(([, text]) => text.search(/\S/))).size > 1;
}

const nonBreaking = (text: string) =>
  text.replace(/^ +/, (blanks) => "\u00A0".repeat(blanks.length));
const allNonBreaking = (text: string) => text.replaceAll(" ", "\u00A0");

/** Tabs and blanks in turn, in the file and in the patch in another way. */
const mixedTabs: Make = (dice) => {
  const one = makeChange(dice, { ...oneFrom(dice, STYLES), indent: "    " });
  const tabs = (text: string) => text.replace(/^ {8}/, "\t");
  const file = (text: string) => text.replace(/^ {8}/, "    \t");
  const isFile = dice(2) === 0;
  const lines = one.program.lines.map((text) => (isFile ? file(text) : text));
  const intended = one.intended.map((text) => (isFile ? file(text) : text));
  const marked = one.marked.map(([mark, text]): Marked => [mark, tabs(text)]);
  // What is at a depth that no quoted line shows could be either.
  const depths = new Set(
    one.marked.flatMap(([mark, text]) => (mark === "+" ? [] : [text.search(/\S/)])),
  );
  const isShown = one.marked.every(([mark, text]) => mark !== "+" || depths.has(text.search(/\S/)));
  if (!isShown) return undefined;
  return toCase(dice, { ...one, program: { ...one.program, lines }, intended, marked });
};

/** A blank behind the marker of every changed line, as in a list; the context has none. */
const spacedMarkers: Make = (dice) => {
  const one = makeChange(dice);
  const marked = one.marked.map(
    ([mark, text]): Marked => [mark, mark === " " || text === "" ? text : ` ${text}`],
  );
  return toCase(dice, { ...one, marked }, false);
};

/** Only the line ends are escaped, and some line has a backslash that JSON would not have. */
const escapedEnds = whole((diff) => diff.replaceAll("\n", "\\n"));

/** What happens to all of a patch on its way. */
export const ARTEFACTS: Readonly<Record<string, Make>> = {
  "line ends escaped twice": whole(escape),
  "only line ends escaped": escapedEnds,
  "line ends of an edit escaped twice": escapedEdit,
  "a blank behind the markers": spacedMarkers,
  "every line indented": before(["  ", "    ", "\t"]),
  "every line quoted": before(["> ", ">", "| "]),
  "every line a bullet": before(["- ", "* ", "\u2022 "]),
  "a bullet above": bulletAbove,
  "the colours of a terminal": coloured,
  "a number before every line": numbered,
  "lines quoted with numbers as by cat": quotedWith((n) => `${String(n).padStart(6)}\t`),
  "lines quoted with numbers as by grep": quotedWith((n) => `${n}:`),
  "lines quoted with numbers as in an editor": quotedWith((n) => `${n} | `),
  "typographic quotes": retyped(anyStyle, curl),
  "indentation scaled from 2 to 4": retyped(indented("  "), rescale(2, 4), hasDepths),
  "indentation scaled from 4 to 2": retyped(indented("    "), rescale(4, 2), hasDepths),
  "non-breaking indentation": retyped(indented("  "), nonBreaking),
  "non-breaking blanks": retyped(anyStyle, allNonBreaking),
  "non-breaking throughout": whole((diff) =>
    diff.replaceAll(" ", "\u00A0").replaceAll("@@\u00A0", "@@ "),
  ),
  "mixed tabs": mixedTabs,
};
