import { diffArrays } from "diff";
import type { PersonFacts } from "../../../channels/http/http-channel.ts";
import { type Comment, placeOf } from "../../../channels/press.ts";
import { decodeUtf8 } from "../../../core/decode-utf8.ts";
import { SAID_BOUNDS } from "../../../core/guards.ts";
import type { ChangeSet } from "../../../transaction/change.ts";

/** A comment where it is by now; with `was_line` where its line is not there any more. */
export type Placed = Comment & { readonly was_line?: number };

/** What became of words about a place of a change set. */
export type Drafted = Awaited<ReturnType<PersonFacts["draft"]>>;

/** Past so many differing lines nobody waits for the best way through two texts. */
const MOST_EDITS = 4000;

/** What was said of a change set, at the lines of the one that took its place. */
export function placeComments(
  comments: readonly Comment[],
  before: ChangeSet | undefined,
  now: ChangeSet,
): readonly Placed[] {
  return comments.map((comment) => {
    const { line, to, side, path, text } = comment;
    if (line === undefined || path === undefined || side === undefined) return comment;
    const lost = { path, text, was_line: line };
    const [old, fresh] = [before && linesOf(before, path, side), linesOf(now, path, side)];
    if (!old || !fresh) return lost;
    const first = follow(old, fresh, line);
    const last = to === undefined ? first : follow(old, fresh, to);
    if (first === undefined || last === undefined || last < first) return lost;
    return { ...comment, line: first, ...(to !== undefined && { to: last }) };
  });
}

/**
 * Where a change set has no place that something is said of: it would be refused when it is sent.
 * Undefined: it has. To take words away names no place.
 */
export function findNoPlace(
  { path, side, line, to = line, text }: Comment,
  changeSet: ChangeSet,
): Extract<Drafted, { readonly kind: "no file" | "no line" }> | undefined {
  if (path === undefined || text === "") return undefined;
  if (!changeSet.changes.some((each) => each.path === path)) return { kind: "no file" };
  if (line === undefined || to === undefined || side === undefined) return undefined;
  const lines = countLines(linesOf(changeSet, path, side) ?? []);
  return to > lines ? { kind: "no line", lines } : undefined;
}

/** As they are numbered where they are read: behind the last end of a line there is none. */
function countLines(lines: readonly string[]): number {
  return lines.at(-1) === "" ? lines.length - 1 : lines.length;
}

/**
 * Puts what is said of one place in the place of what was said of it; an empty text takes it away.
 * Undefined where it would be more than can be sent.
 */
export function withComment(
  comments: readonly Comment[],
  said: Comment,
): readonly Comment[] | undefined {
  const others = comments.filter((each) => placeOf(each) !== placeOf(said));
  if (said.text === "") return others;
  const all = [...others, said];
  const chars = all.reduce((sum, { text }) => sum + text.length, 0);
  return all.length > SAID_BOUNDS.comments || chars > SAID_BOUNDS.charsOfAll ? undefined : all;
}

function linesOf(
  { changes, contents }: ChangeSet,
  path: string,
  side: "before" | "after",
): readonly string[] | undefined {
  const change = changes.find((each) => each.path === path);
  const sides = {
    before: change && "before" in change ? change.before : undefined,
    after: change && "after" in change ? change.after : undefined,
  };
  const bytes = contents.get(sides[side]?.sha256 ?? "");
  return bytes && decodeUtf8(bytes)?.split("\n");
}

/** Where a line, from 1, is in another text; undefined where it is not. */
function follow(
  old: readonly string[],
  fresh: readonly string[],
  line: number,
): number | undefined {
  const parts = diffArrays([...old], [...fresh], { maxEditLength: MOST_EDITS });
  let [from, to] = [0, 0];
  for (const { added, removed, value } of parts ?? []) {
    const count = value.length;
    if (removed && line <= from + count) return undefined;
    if (!added && !removed && line <= from + count) return to + (line - from);
    if (!added) from += count;
    if (!removed) to += count;
  }
  return undefined;
}
