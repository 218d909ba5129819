import type { Dice } from "../../support/dice.ts";
import { completed, freshName, isWorded, type Marked, oneLine, quote, toText } from "./change.ts";
import { makeProgram, oneFrom, type Program } from "./program.ts";

/** One hunk of a patch that is being damaged. */
interface Draft {
  readonly start: number;
  readonly marked: readonly Marked[];
}

/** A patch under the hammer: what it is about is known, whatever becomes of its text. */
interface Work {
  readonly program: Program;
  readonly drafts: readonly Draft[];
  readonly intended: readonly string[];
}

/** A patch or an edit list of random damage, and the texts that it may come to. */
export interface Fuzzed {
  readonly source: string;
  readonly patch: string;
  readonly edits: readonly { readonly before: string; readonly after: string }[];
  readonly intended: string;
  /** What was done to it, in this order. */
  readonly damage: readonly string[];
}

/** A damage to hunks: what is meant stays what it is. */
type Damage = (dice: Dice, work: Work) => Work | undefined;

const MOST_DAMAGES = 4;

function change(
  dice: Dice,
  work: Work,
  to: (marked: readonly Marked[], dice: Dice) => readonly Marked[] | undefined,
): Work | undefined {
  const at = dice(work.drafts.length);
  const draft = work.drafts[at];
  const marked = draft && to(draft.marked, dice);
  if (draft === undefined || marked === undefined) return undefined;
  return { ...work, drafts: work.drafts.with(at, { ...draft, marked }) };
}

/** Positions of kept lines with words, of which no neighbour is changed where `isApart`. */
function kept(marked: readonly Marked[], isApart: boolean): readonly number[] {
  return marked.flatMap(([mark, text], at) => {
    const isBeside = [marked[at - 1], marked[at + 1]].some(
      (other) => other !== undefined && other[0] !== " ",
    );
    return mark === " " && isWorded(text) && !(isApart && isBeside) ? [at] : [];
  });
}

const onKept =
  (isApart: boolean, to: (text: string, dice: Dice) => readonly string[]): Damage =>
  (dice, work) =>
    change(dice, work, (marked) => {
      const places = kept(marked, isApart);
      if (places.length === 0) return undefined;
      const at = oneFrom(dice, places);
      const lines = to(marked[at]?.[1] ?? "", dice).map((text): Marked => [" ", text]);
      return [...marked.slice(0, at), ...lines, ...marked.slice(at + 1)];
    });

const onAll =
  (to: (text: string, dice: Dice, mark: Marked[0]) => string): Damage =>
  (dice, work) => ({
    ...work,
    drafts: work.drafts.map((draft) => ({
      ...draft,
      marked: draft.marked.map(([mark, text]): Marked => [mark, to(text, dice, mark)]),
    })),
  });

/** Two letters of a word change places, or one goes. */
function slip(text: string, dice: Dice): string {
  const words = [...text.matchAll(/[A-Za-z]{6,}/g)];
  const word = words[dice(Math.max(1, words.length))];
  if (word === undefined) return text;
  const at = word.index + 1 + dice(word[0].length - 3);
  return dice(2) === 0
    ? text.slice(0, at) + text.slice(at + 1)
    : text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2);
}

/** A line below a changed one is left out and added again; the new side is what is meant. */
const again: Damage = (dice, work) =>
  change(dice, work, (marked) => {
    const last = marked.findLastIndex(([mark]) => mark === "+");
    const next = marked[last + 1];
    const isOnce = (text: string) =>
      work.program.lines.filter((line) => line.trim() === text.trim()).length === 1;
    if (last < 0 || next === undefined || next[0] !== " " || !isWorded(next[1]) || !isOnce(next[1]))
      return undefined;
    return marked.with(last + 1, ["+", next[1]]);
  });

const DAMAGES: Readonly<Record<string, Damage>> = {
  slip: onKept(false, (text, dice) => [slip(text, dice)]),
  "left out": onKept(true, () => []),
  "blank line": onKept(true, (text) => [text, ""]),
  "cut short": onKept(true, (text) => [
    `${text.slice(0, Math.max(8, text.length >> 1)).trimEnd()}...`,
  ]),
  again,
  "trailing blanks": onAll((text, dice, mark) =>
    mark !== "+" && dice(3) === 0 ? `${text}  ` : text,
  ),
  "moved right": onAll((text) => (text.trim() === "" ? text : `  ${text}`)),
  "non-breaking": onAll((text) => text.replace(/^ +/, (blanks) => "\u00A0".repeat(blanks.length))),
  reordered: (_dice, work) => ({ ...work, drafts: work.drafts.toReversed() }),
};

/** Damages to the text of a patch. */
const WRAPPINGS: Readonly<Record<string, (patch: string, dice: Dice) => string>> = {
  fence: (patch) => `Here it is:\n\n\`\`\`diff\n${patch}\`\`\`\nThat is all.\n`,
  quoted: (patch) => patch.replace(/^(?=.)/gm, "> "),
  indented: (patch) => patch.replace(/^(?=.)/gm, "    "),
  crlf: (patch) => patch.replaceAll("\n", "\r\n"),
  escaped: (patch) => JSON.stringify(patch).slice(1, -1),
  "blanks stripped": (patch) => patch.replace(/[ \t]+$/gm, ""),
  counts: (patch, dice) =>
    patch.replace(/,(\d+)/g, (_, count: string) => `,${Math.max(1, Number(count) + dice(5) - 2)}`),
  "no numbers": (patch) => patch.replace(/^@@ -.*@@$/gm, "@@ ... @@"),
  "numbers off": (patch, dice) =>
    patch.replace(/^@@ -(\d+),(\d+) \+(\d+)/gm, (_, from: string, count: string, to: string) => {
      const off = dice(5) - 2;
      return `@@ -${Math.max(1, Number(from) + off)},${count} +${Math.max(1, Number(to) + off)}`;
    }),
  "no names": (patch) => patch.replace(/^(?:---|\+\+\+) [ab]\/.*\n/gm, ""),
};

/** A change of a random program as a patch and as edits, and up to four random damages to it. */
export function fuzz(dice: Dice): Fuzzed | undefined {
  const made = begin(dice);
  if (made === undefined) return undefined;
  let work = made;
  const damage: string[] = [];
  for (let left = dice(MOST_DAMAGES + 1); left > 0; left--) {
    const name = oneFrom(dice, Object.keys(DAMAGES));
    // Of lines that are there twice it is not known which one is changed.
    const next = damage.includes(name) ? undefined : DAMAGES[name]?.(dice, work);
    if (next === undefined) continue;
    work = next;
    damage.push(name);
  }
  // Where only blank lines are quoted nothing but the line number says where.
  const isQuoted = ({ marked }: Draft) =>
    marked.some(([mark, text]) => mark !== "+" && isWorded(text));
  if (!work.drafts.every(isQuoted)) return undefined;
  if (dice(8) === 0) {
    work = { ...work, drafts: [...work.drafts, oneFrom(dice, work.drafts)] };
    damage.push("twice");
  }
  let patch = render(work);
  for (let left = dice(3); left > 0; left--) {
    const name = oneFrom(dice, Object.keys(WRAPPINGS));
    if (damage.includes("escaped") || damage.includes(name)) continue;
    patch = WRAPPINGS[name]?.(patch, dice) ?? patch;
    damage.push(name);
  }
  const side = ({ marked }: Draft, without: Marked[0]) =>
    marked.flatMap(([mark, text]) => (mark === without ? [] : [text])).join("\n");
  const edits = work.drafts.map((draft) => ({ before: side(draft, "+"), after: side(draft, "-") }));
  return {
    source: toText(work.program.lines),
    patch,
    edits,
    intended: toText(work.intended),
    damage,
  };
}

/** One change, or two that are far enough apart. */
function begin(dice: Dice): Work | undefined {
  const program = makeProgram(dice);
  const picks = [oneLine(dice, program, 1), dice(2) === 0 ? oneLine(dice, program, 1) : undefined];
  const [a, b] = picks.filter((at) => at !== undefined).toSorted((x, y) => x - y);
  if (a === undefined || (b !== undefined && b - a < 12)) return undefined;
  const drafts: Draft[] = [];
  const intended: string[] = [];
  let done = 0;
  for (const at of b === undefined ? [a] : [a, b]) {
    const count = dice(3);
    const old = program.lines.slice(at, at + count);
    const [line = ""] = program.lines.slice(at);
    const indent = /^\s*/.exec(line)?.[0] ?? "";
    const fresh = Array.from({ length: count === 0 ? 1 + dice(2) : dice(3) }, (_, i) =>
      old[i] !== undefined && dice(2) === 0
        ? completed(dice, old[i], freshName(dice, program))
        : `${indent}${freshName(dice, program)}(${freshName(dice, program)})`,
    );
    if (!old.every(isWorded) || (count > 0 && old.join() === fresh.join())) return undefined;
    const { start, marked } = quote(program, at, old, fresh, 1 + dice(4));
    drafts.push({ start, marked });
    intended.push(...program.lines.slice(done, at), ...fresh);
    done = at + count;
  }
  return { program, drafts, intended: [...intended, ...program.lines.slice(done)] };
}

function render({ drafts }: Work): string {
  const hunks = drafts.map(({ start, marked }) => {
    const count = (without: Marked[0]) => marked.filter(([mark]) => mark !== without).length;
    const body = toText(marked.map(([mark, text]) => mark + text));
    return `@@ -${start + 1},${count("+")} +${start + 1},${count("-")} @@\n${body}`;
  });
  return `--- a/file\n+++ b/file\n${hunks.join("")}`;
}

/** Random bytes of a patch changed, put in or taken out: only that it ends well is known. */
export function scramble(patch: string, dice: Dice): string {
  let text = patch;
  for (let left = 1 + dice(6); left > 0; left--) {
    const at = dice(text.length + 1);
    const put = oneFrom(dice, [
      "",
      "\n",
      "@@",
      "+",
      "-",
      " ",
      "\\n",
      "\u0000",
      "\uD800",
      "...",
      "--- a/x\n",
      text.slice(at, at + dice(80)),
    ]);
    text = text.slice(0, at) + put + text.slice(at + dice(12));
  }
  return text;
}
