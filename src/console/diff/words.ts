import { diffArrays } from "diff";

/** A stretch of a text, from and to. */
export type Range = readonly [from: number, to: number];

/** What changed within a line, on its old and on its new side; nothing where it is another line. */
export interface WordChanges {
  readonly old: readonly Range[];
  readonly new: readonly Range[];
}

const TOKEN = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;
/** Longer lines are no prose or code that anybody compares word by word. */
const MOST_CHARS = 3000;
const MOST_EDITS = 400;
/** Where less than this share of both is the same, marks within the line would only confuse. */
const LEAST_SHARE = 0.35;

/** The words that changed from one line to another. */
export function changedWords(old: string, now: string): WordChanges | undefined {
  if (old.length > MOST_CHARS || now.length > MOST_CHARS || old === now) return undefined;
  const [oldTokens, newTokens] = [tokensOf(old), tokensOf(now)];
  const parts = diffArrays(oldTokens, newTokens, { maxEditLength: MOST_EDITS });
  if (parts === undefined) return undefined;
  const changes = { old: [] as Range[], new: [] as Range[] };
  let [oldAt, newAt, same] = [0, 0, 0];
  for (const { removed, added, value } of parts) {
    const text = value.join("");
    if (removed) changes.old.push([oldAt, oldAt + text.length]);
    if (added) changes.new.push([newAt, newAt + text.length]);
    if (!added) oldAt += text.length;
    if (!removed) newAt += text.length;
    if (!added && !removed) same += text.replaceAll(/\s/gu, "").length;
  }
  const most = Math.max(inkOf(old), inkOf(now));
  if (most > 0 && same / most < LEAST_SHARE) return undefined;
  const isOnlyIndent = [
    changes.old.every((range) => isIndent(old, range)),
    changes.new.every((range) => isIndent(now, range)),
  ].every(Boolean);
  const shown = (text: string, ranges: readonly Range[]) =>
    joinOverBlanks(text, isOnlyIndent ? ranges : ranges.filter((each) => !isIndent(text, each)));
  return { old: shown(old, changes.old), new: shown(now, changes.new) };
}

/** How alike two lines are, from 0 to 1, by their words. */
export function likeness(one: string, other: string): number {
  if (Math.max(one.length, other.length) > MOST_CHARS) return 0;
  const [left, right] = [wordsOf(one), wordsOf(other)];
  if (left.length + right.length === 0) return 1;
  const counts = new Map<string, number>();
  for (const word of left) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of right) {
    const more = counts.get(word) ?? 0;
    if (more > 0) shared++;
    counts.set(word, more - 1);
  }
  return (2 * shared) / (left.length + right.length);
}

function wordsOf(text: string): readonly string[] {
  return tokensOf(text).filter((token) => token.trim() !== "");
}

function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

/** Blanks before the first word, which say nothing where words changed as well. */
function isIndent(text: string, [, to]: Range): boolean {
  return text.slice(0, to).trim() === "";
}

function inkOf(text: string): number {
  return text.replaceAll(/\s/gu, "").length;
}

/** Two changed words with only a blank between them read as one change. */
function joinOverBlanks(text: string, ranges: readonly Range[]): readonly Range[] {
  const joined: Range[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last && text.slice(last[1], range[0]).trim() === "") {
      joined[joined.length - 1] = [last[0], range[1]];
    } else joined.push(range);
  }
  return joined;
}
