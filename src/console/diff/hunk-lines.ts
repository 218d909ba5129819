import { diffArrays } from "diff";
import { type Line, type TextLines, withoutBlanks } from "./lines.ts";

/** Past so many differing lines the best way through two texts takes longer than anybody waits. */
const MOST_EDITS = 4000;

/** Where two stretches of lines begin, from 0, and end. */
export interface Stretch {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** The lines of one hunk, removed ones before those that came for them. */
export function linesOfHunk(
  before: TextLines,
  after: TextLines,
  at: Stretch,
  ignoresBlanks: boolean,
): readonly Line[] {
  const lines: Line[] = [];
  let [old, now] = [at.oldFrom, at.newFrom];
  const take = (kind: Line["kind"], count: number) => {
    for (let done = 0; done < count; done++) {
      lines.push(toLine(kind, before, after, old, now));
      if (kind !== "add") old++;
      if (kind !== "del") now++;
    }
  };
  const keyOf = (line: string | undefined) => (ignoresBlanks ? withoutBlanks(line ?? "") : line);
  const isSame = (one: number, other: number) => {
    if (keyOf(before.lines[one]) !== keyOf(after.lines[other])) return false;
    return ignoresBlanks || isOpen(before, one) === isOpen(after, other);
  };
  let [oldTo, newTo, tail] = [at.oldTo, at.newTo, 0];
  const most = Math.min(oldTo - old, newTo - now);
  let head = 0;
  while (head < most && isSame(old + head, now + head)) head++;
  take("same", head);
  while (tail < most - head && isSame(oldTo - 1, newTo - 1)) {
    [oldTo, newTo, tail] = [oldTo - 1, newTo - 1, tail + 1];
  }
  const oldKeys = rangeOf(old, oldTo);
  const newKeys = rangeOf(now, newTo);
  const parts =
    oldKeys.length === 0 || newKeys.length === 0
      ? undefined
      : diffArrays(oldKeys, newKeys, { comparator: isSame, maxEditLength: MOST_EDITS });
  for (const { removed, added, value } of parts ?? [
    { removed: true, added: false, value: oldKeys },
    { removed: false, added: true, value: newKeys },
  ]) {
    take(removed ? "del" : added ? "add" : "same", value.length);
  }
  take("same", tail);
  return removedFirst(lines);
}

/** Lines of text that stand outside of every hunk. */
export function sameLines(
  before: TextLines,
  after: TextLines,
  old: number,
  now: number,
  count: number,
): readonly Line[] {
  return Array.from({ length: count }, (_, at) =>
    toLine("same", before, after, old + at, now + at),
  );
}

/** The lines of a hunk that came as text, with their signs. */
export function readHunkLines(
  lines: readonly string[],
  at: Pick<Stretch, "oldFrom" | "newFrom">,
): readonly Line[] {
  let [old, now] = [at.oldFrom, at.newFrom];
  const read: Line[] = [];
  for (const line of lines) {
    const [sign, text] = [line[0], line.slice(1)];
    if (sign === "-") read.push({ kind: "del", old: ++old, text });
    else if (sign === "+") read.push({ kind: "add", new: ++now, text });
    else if (sign === "\\") read.push({ ...(read.pop() ?? EMPTY), isOpenEnd: true });
    else read.push({ kind: "same", old: ++old, new: ++now, text });
  }
  return read;
}

const EMPTY: Line = { kind: "same", text: "" };

function toLine(
  kind: Line["kind"],
  before: TextLines,
  after: TextLines,
  old: number,
  now: number,
): Line {
  const [was, is] = [sideAt(before, old), sideAt(after, now)];
  const isOther = was.text !== is.text || was.isOpenEnd !== is.isOpenEnd;
  return {
    kind,
    ...(kind !== "add" && { old: old + 1 }),
    ...(kind !== "del" && { new: now + 1 }),
    ...(kind === "del" ? was : is),
    ...(kind === "same" && isOther && { was }),
  };
}

function sideAt(side: TextLines, at: number): Pick<Line, "text" | "isOpenEnd"> {
  const isEnd = isOpen(side, at);
  return { text: side.lines[at] ?? "", ...(isEnd && ({ isOpenEnd: true } as const)) };
}

function isOpen({ lines, endsOpen }: TextLines, at: number): boolean {
  return endsOpen && at === lines.length - 1;
}

function rangeOf(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

/** Within what changed between two equal lines. */
function removedFirst(lines: readonly Line[]): readonly Line[] {
  const ordered: Line[] = [];
  let added: Line[] = [];
  for (const line of lines) {
    if (line.kind === "add") added.push(line);
    else if (line.kind === "del") ordered.push(line);
    else {
      for (const each of added) ordered.push(each);
      ordered.push(line);
      added = [];
    }
  }
  return [...ordered, ...added];
}
