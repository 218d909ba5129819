import type { Comment } from "../../channels/press.ts";
import { decodeUtf8 } from "../../core/decode-utf8.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { contentOf } from "../../transaction/change-set.ts";
import type { LeftPart } from "../../transaction/compute/leave-out.ts";

/**
 * Comments on a change set, at their places in another one that took its place: at the line that
 * says the same; on the file where no line or more than one does; on the whole, with the name of the
 * file, where that is not in it. No words are lost: those of one place stand below each other.
 */
export function moveComments(
  comments: readonly Comment[],
  from: ChangeSet,
  to: ChangeSet,
): readonly Comment[] {
  const moved = new Map<string, Comment>();
  for (const comment of comments.map((each) => move(each, from, to))) {
    const { text, ...place } = comment;
    const key = JSON.stringify([place.path, place.side, place.line, place.to]);
    const there = moved.get(key);
    const { instead: _instead, ...words } = there ?? comment; // two in one place are no text for it any more
    moved.set(key, there ? { ...words, text: `${there.text}\n${text}` } : comment);
  }
  return [...moved.values()];
}

/** What is unticked of one change set, and what was left out of it by now. */
interface Unticked {
  readonly parts: readonly LeftPart[];
  readonly leftOut?: readonly LeftPart[];
}

/**
 * What is unticked of a change set, in another one that took its place: a file stays so where it is
 * still changed, and hunks by their numbers where the change of their file is the same. Where it is
 * another the whole file is unticked: nobody said yes to any of it.
 */
export function moveUnticked(
  { parts, leftOut = [] }: Unticked,
  from: ChangeSet | undefined,
  to: ChangeSet,
): readonly LeftPart[] {
  const find = (path: string, { changes } = to) => changes.find((each) => each.path === path);
  return parts.flatMap((part) => {
    const { path, hunks } = part;
    const next = find(path);
    if (!next || isLeftOut(part, leftOut)) return [];
    const isSame = from !== undefined && Bun.deepEquals(find(path, from), next, true);
    return [hunks === undefined || isSame ? part : { path }];
  });
}

function isLeftOut({ path, hunks }: LeftPart, leftOut: readonly LeftPart[]): boolean {
  const left = leftOut.find((each) => each.path === path);
  if (!left?.hunks) return left !== undefined;
  return hunks?.every((hunk) => left.hunks?.includes(hunk)) === true;
}

/** The lines of one side of a file in a change set; undefined: it has none there, or is no text. */
export function linesOfSide(
  { path, side }: Pick<Comment, "path" | "side">,
  changeSet: ChangeSet,
): readonly string[] | undefined {
  const change = changeSet.changes.find((each) => each.path === path);
  if (!change) return undefined;
  const states = {
    before: "before" in change && change.before,
    after: "after" in change && change.after,
  };
  const state = side && states[side];
  return (state ? decodeUtf8(contentOf(changeSet, state)) : undefined)?.split("\n");
}

function move(comment: Comment, from: ChangeSet, to: ChangeSet): Comment {
  const { path, line, text } = comment;
  if (path === undefined) return comment;
  if (!to.changes.some((each) => each.path === path)) {
    return { text: `${JSON.stringify(path)}: ${text}` };
  }
  if (line === undefined) return comment;
  const at = findLine(comment, from, to);
  if (at === undefined) return { path, text };
  const more = comment.to === undefined ? {} : { to: comment.to - line + at };
  return { ...comment, line: at, ...more };
}

/** Where the same lines are by now, from 1: what was left out above moves them. */
function findLine(comment: Comment, from: ChangeSet, to: ChangeSet): number | undefined {
  const [before, after] = [linesOfSide(comment, from), linesOfSide(comment, to)];
  const { line = 1, to: last = line } = comment;
  const wanted = before?.slice(line - 1, last).join("\n");
  if (!before || !after || wanted === undefined || last > before.length) return undefined;
  const count = last - line + 1;
  const found = after.flatMap((_each, index) =>
    after.slice(index, index + count).join("\n") === wanted ? [index + 1] : [],
  );
  if (found.length <= 1) return found[0];
  // One of many that look alike is known by how many stand above it, where they are as many.
  const all = before.flatMap((_each, index) =>
    before.slice(index, index + count).join("\n") === wanted ? [index + 1] : [],
  );
  return all.length === found.length ? found[all.indexOf(line)] : undefined;
}
