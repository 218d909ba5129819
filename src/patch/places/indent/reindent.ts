import type { Hunk } from "../../hunks/hunks.ts";
import { type Indents, indentOf, type Reindent } from "./indents.ts";
import { findColumns, findScale } from "./rescale.ts";

/** A change that needs none. */
export const asWritten: Reindent = (line) => line;

interface Pair extends Indents {
  readonly kind: "keep" | "remove";
}

/**
 * How the indentation of a hunk becomes the source's, where the two differ in one uniform way:
 * by the same prefix everywhere, or tabs against a constant number of blanks.
 *
 * Returns undefined where the difference is not uniform: then the block is another one. It is
 * "unsure" where the block may be this one, but not whether markers were lost. Blank lines say
 * nothing.
 */
export function findReindent(
  source: readonly string[],
  at: number,
  hunk: Hunk,
): Reindent | "unsure" | undefined {
  const pairs = toPairs(source, at, hunk);
  if (pairs.every(({ mine, theirs }) => mine === theirs)) return asWritten;
  if (!hunk.unmarked && losesMarkers(pairs)) {
    const isSure = hunk.lostMarkers || showsIndents(pairs) || keepsIndents(pairs, hunk);
    return isSure ? asWritten : "unsure";
  }
  return (
    findShift(pairs) ??
    findTabs(pairs) ??
    (hasOwnIndents(pairs, hunk) ? asWritten : undefined) ??
    findScale(pairs) ??
    findColumns(pairs)
  );
}

function toPairs(source: readonly string[], at: number, hunk: Hunk): readonly Pair[] {
  const pairs: Pair[] = [];
  let index = at;
  for (const { kind, text } of hunk.lines) {
    if (kind === "add") continue;
    const theirs = indentOf(source[index++] ?? "");
    if (text.trim() !== "") pairs.push({ kind, mine: indentOf(text), theirs });
  }
  return pairs;
}

/** Context that lacks one blank was rather written without its marker than reindented. */
function losesMarkers(pairs: readonly Pair[]): boolean {
  return pairs.every(
    ({ kind, mine, theirs }) => theirs === mine || (kind === "keep" && theirs === ` ${mine}`),
  );
}

/** Whether some line that has a marker is quoted with the indentation that it has in the source. */
function showsIndents(pairs: readonly Pair[]): boolean {
  return pairs.some(
    ({ kind, mine, theirs }) => mine === theirs && (kind === "remove" || mine !== ""),
  );
}

/** Whether added lines are indented as some line of the source is. */
function keepsIndents(pairs: readonly Pair[], hunk: Hunk): boolean {
  const known = new Set(pairs.map(({ theirs }) => theirs));
  const added = hunk.lines.filter(({ kind, text }) => kind === "add" && text.trim() !== "");
  return added.every(({ text }) => known.has(indentOf(text)));
}

/**
 * Whether the quoted lines have tabs for blanks in no constant ratio, or the other way round, and
 * the added lines are indented with what the source has: those were not converted.
 */
function hasOwnIndents(pairs: readonly Pair[], hunk: Hunk): boolean {
  const differing = pairs.filter(({ mine, theirs }) => mine !== theirs);
  const [own, foreign] = differing.some(({ theirs }) => theirs.startsWith("\t"))
    ? [/^\t*$/, /^ +$/]
    : [/^ *$/, /^\t+$/];
  const added = hunk.lines.filter(({ kind }) => kind === "add");
  return (
    differing.every(({ mine, theirs }) => foreign.test(mine) && own.test(theirs)) &&
    added.every(({ text }) => own.test(indentOf(text)))
  );
}

/** All lines moved by the same prefix. */
function findShift(pairs: readonly Pair[]): Reindent | undefined {
  const [first] = pairs;
  if (first === undefined) return undefined;
  const { mine, theirs } = first;
  if (theirs.endsWith(mine)) {
    const more = theirs.slice(0, theirs.length - mine.length);
    if (!pairs.every((pair) => pair.theirs === more + pair.mine)) return undefined;
    return (line) => (line.trim() === "" ? line : more + line);
  }
  const less = mine.slice(0, mine.length - theirs.length);
  if (!pairs.every((pair) => pair.mine === less + pair.theirs)) return undefined;
  return (line) => {
    if (line.startsWith(less)) return line.slice(less.length);
    return line.trim() === "" ? line : undefined;
  };
}

/** Tabs on one side, a constant number of blanks for each on the other. */
export function findTabs(pairs: readonly Indents[]): Reindent | undefined {
  const first = pairs.find(({ mine, theirs }) => mine !== theirs);
  if (first === undefined) return undefined;
  const tabbed = first.theirs.startsWith("\t");
  const [tabs, blanks] = tabbed ? [first.theirs, first.mine] : [first.mine, first.theirs];
  const width = blanks.length / tabs.length;
  if (!Number.isInteger(width) || width === 0) return undefined;
  const tab = " ".repeat(width);
  const convert = (indent: string) =>
    tabbed ? indent.replaceAll(tab, "\t") : indent.replaceAll("\t", tab);
  if (!pairs.every(({ mine, theirs }) => convert(mine) === theirs)) return undefined;
  return (line) => {
    const indent = indentOf(line);
    return convert(indent) + line.slice(indent.length);
  };
}
