import { editDistance } from "../../config/nearest-key.ts";
import { cutText, shorten } from "../../core/cut-text.ts";
import { firstOf } from "../../core/few.ts";
import type { ToolSchema } from "../../providers/provider.ts";
import { failure, type ToolFailure } from "../../tools/tool.ts";

type Named = Pick<ToolSchema, "name" | "description">;

/** Most names that are offered in place of one that does not exist. */
const MOST_NEAR = 3;
/** Most names that are listed at all; how many more there are is said. */
const MOST_LISTED = 30;

/** For a model that made a name up: what is nearest to it, then what else there is. */
export function toUnknown(name: string, known: readonly Named[]): ToolFailure {
  const near = nearestTools(name, known);
  const guess = near.map((each) => `"${each}"`).join(" or ");
  const reason = `there is no tool "${shorten(name, 64)}"${guess && `; did you mean ${guess}`}`;
  let rest = "";
  const some = firstOf(known, MOST_LISTED).take((left) => {
    rest = ` and ${left} more`;
  });
  const listed = some.map((each) => each.name);
  return {
    ...failure("not_found", `${reason}; there are: ${listed.join(", ")}${rest}`),
    reason,
  };
}

/** Tools that are called nearly so, or that have words of the name in theirs or in what they do. */
function nearestTools(name: string, known: readonly Named[]): readonly string[] {
  const others = known.filter((each) => each.name !== name);
  const scored = others.map((each) => ({ name: each.name, score: scoreOf(name, each) }));
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_NEAR)
    .map((each) => each.name);
}

function scoreOf(wanted: string, { name, description }: Named): number {
  const words = wordsOf(wanted);
  const own = countShared(words, wordsOf(name));
  const told = countShared(words.filter(isTelling), wordsOf(description).filter(isTelling));
  return nearness(wanted, name) + 4 * own + told;
}

/** The same but for a few letters: more than any word in common. */
function nearness(wanted: string, name: string): number {
  const most = Math.max(2, Math.floor(wanted.length / 3));
  if (Math.abs(wanted.length - name.length) > most) return 0;
  const distance = editDistance(wanted.toLowerCase(), name.toLowerCase());
  return distance <= most ? 40 - distance : 0;
}

/** As models put names together: web_search, web-search, webSearch, functions.web_search. */
function wordsOf(text: string): readonly string[] {
  const apart = cutText(text, MAX_CHARS).replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ");
  const words: readonly string[] = apart.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  return [...new Set(words)];
}

/** Beyond it nobody names a tool, and a foreign description is long enough. */
const MAX_CHARS = 300;

/** Shorter words are in every sentence. */
function isTelling(word: string): boolean {
  return word.length >= 3;
}

function countShared(words: readonly string[], others: readonly string[]): number {
  return words.filter((word) => others.some((other) => isSame(word, other))).length;
}

/** "fetch" and "fetches", "file" and "files". */
function isSame(a: string, b: string): boolean {
  if (a === b) return true;
  return isTelling(a) && isTelling(b) && (a.startsWith(b) || b.startsWith(a));
}
