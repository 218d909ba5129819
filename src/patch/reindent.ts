import type { Hunk } from "./hunk.ts";

/** Turns an added line into the source's indentation; undefined where it cannot be. */
export type Reindent = (line: string) => string | undefined;

/** A change that needs none. */
export const asWritten: Reindent = (line) => line;

interface Pair {
  readonly kind: "keep" | "remove";
  /** Indentation in the hunk and in the source. */
  readonly mine: string;
  readonly theirs: string;
}

/**
 * How the indentation of a hunk becomes the source's, where the two differ in one uniform way:
 * by the same prefix everywhere, or tabs against a constant number of blanks.
 *
 * Returns undefined where the difference is not uniform: then the block is another one. Blank
 * lines say nothing.
 */
export function findReindent(
  source: readonly string[],
  at: number,
  hunk: Hunk,
): Reindent | undefined {
  const pairs = toPairs(source, at, hunk);
  if (pairs.every(({ mine, theirs }) => mine === theirs)) return asWritten;
  if (!hunk.unmarked && isMarkerLost(pairs))
    return keepsIndents(pairs, hunk) ? asWritten : undefined;
  return findShift(pairs) ?? findTabs(pairs);
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

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

/** Context that lacks one blank was rather written without its marker than indented anew. */
function isMarkerLost(pairs: readonly Pair[]): boolean {
  return pairs.every(({ kind, mine, theirs }) => kind === "keep" && theirs === ` ${mine}`);
}

/** Whether added lines are indented as some line of the source is. */
function keepsIndents(pairs: readonly Pair[], hunk: Hunk): boolean {
  const known = new Set(pairs.map(({ theirs }) => theirs));
  const added = hunk.lines.filter(({ kind, text }) => kind === "add" && text.trim() !== "");
  return added.every(({ text }) => known.has(indentOf(text)));
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
function findTabs(pairs: readonly Pair[]): Reindent | undefined {
  const differing = pairs.filter(({ mine, theirs }) => mine !== theirs);
  const [first] = differing;
  if (first === undefined) return undefined;
  const tabbed = first.theirs.startsWith("\t");
  const [tabs, blanks] = tabbed ? [first.theirs, first.mine] : [first.mine, first.theirs];
  const width = blanks.length / tabs.length;
  if (!Number.isInteger(width) || width === 0) return undefined;
  const tab = " ".repeat(width);
  const convert = (indent: string) =>
    tabbed ? indent.replaceAll(tab, "\t") : indent.replaceAll("\t", tab);
  if (!differing.every(({ mine, theirs }) => convert(mine) === theirs)) return undefined;
  return (line) => {
    const indent = indentOf(line);
    return convert(indent) + line.slice(indent.length);
  };
}
