import { basename } from "node:path";
import { decodeUtf8 } from "../../core/decode-utf8.ts";
import type { Change, ChangeSet, FileState } from "../change.ts";

/** A file that goes and one that comes which are one, by their places in the change set. */
export interface Rename {
  readonly from: number;
  readonly to: number;
  /** How much of them is the same, in percent. */
  readonly alike: number;
}

/** Files that differ in more than half of their lines are two. */
const LEAST_ALIKE = 50;
/** Longer files are one only where they are the same. */
const MOST_BYTES = 512 * 1024;
/** Of all files together; further ones are not compared. */
const MOST_LINES = 400_000;
/** A line that stands in more files says nothing of which one it is. */
const MOST_HOLDERS = 16;
/** Braces and blank lines stand anywhere. */
const LEAST_LETTERS = 4;

interface Side {
  readonly n: number;
  readonly path: string;
  readonly state: FileState;
}

interface Lines {
  readonly count: number;
  readonly of: ReadonlyMap<string, number>;
}

/**
 * Which files of a change set are another's by a new name: those of the same content, and of the
 * others those that share most lines, the most alike first. Each file is of one rename at most.
 */
export function findRenames({ changes, contents }: ChangeSet): readonly Rename[] {
  const gone = changes.flatMap((change, n) => toSide(change, n, "delete"));
  const come = changes.flatMap((change, n) => toSide(change, n, "create"));
  if (gone.length === 0 || come.length === 0) return [];
  const same = findSame(gone, come);
  const taken = new Set(same.flatMap(({ from, to }) => [from, to]));
  const left = (sides: readonly Side[]) => sides.filter(({ n }) => !taken.has(n));
  const alike = findAlike(left(gone), left(come), contents);
  return [...same, ...alike].toSorted((one, other) => one.to - other.to);
}

function toSide(change: Change, n: number, kind: "create" | "delete"): readonly Side[] {
  if (change.kind !== kind) return [];
  const state = change.kind === "create" ? change.after : change.before;
  return state.sizeBytes === 0 ? [] : [{ n, path: change.path, state }];
}

function findSame(gone: readonly Side[], come: readonly Side[]): readonly Rename[] {
  const byContent = Map.groupBy(gone, ({ state }) => state.sha256);
  const pair = (isWanted: (one: Side, other: Side) => boolean, side: Side): readonly Rename[] => {
    const waiting = byContent.get(side.state.sha256) ?? [];
    const at = waiting.findIndex((each) => isWanted(each, side));
    const [from] = at < 0 ? [] : waiting.splice(at, 1);
    return from ? [{ from: from.n, to: side.n, alike: 100 }] : [];
  };
  // Of several with the same content the one of the same name has gone elsewhere.
  const named = come.flatMap((side) => pair(hasSameName, side));
  const taken = new Set(named.map(({ to }) => to));
  const others = come.filter(({ n }) => !taken.has(n));
  return [...named, ...others.flatMap((side) => pair(() => true, side))];
}

function findAlike(
  gone: readonly Side[],
  come: readonly Side[],
  contents: ChangeSet["contents"],
): readonly Rename[] {
  let budget = MOST_LINES;
  const read = (sides: readonly Side[]) =>
    sides.flatMap((side) => {
      const lines = budget > 0 ? linesOf(side, contents) : undefined;
      budget -= lines?.count ?? 0;
      return lines ? [{ side, lines }] : [];
    });
  const [old, fresh] = [read(gone), read(come)];
  const holders = new Map<string, number[]>();
  for (const [at, { lines }] of old.entries()) {
    for (const line of lines.of.keys()) {
      const own = holders.get(line);
      if (!own) holders.set(line, [at]);
      else if (own.length <= MOST_HOLDERS) own.push(at);
    }
  }
  const found = fresh.flatMap(({ side: to, lines }) => {
    const shared = new Map<number, number>();
    for (const [line, count] of lines.of) {
      const own = holders.get(line) ?? [];
      if (own.length > MOST_HOLDERS) continue;
      for (const at of own) {
        const both = Math.min(count, old[at]?.lines.of.get(line) ?? 0);
        shared.set(at, (shared.get(at) ?? 0) + both);
      }
    }
    return [...shared].flatMap(([at, count]) => {
      const from = old[at];
      if (!from) return [];
      // Never 100: that is what the same content is.
      const most = Math.max(lines.count, from.lines.count);
      const alike = Math.min(99, Math.floor((100 * count) / most));
      const isNamed = hasSameName(from.side, to);
      return alike < LEAST_ALIKE ? [] : [{ from: from.side.n, to: to.n, alike, isNamed }];
    });
  });
  const taken = new Set<number>();
  return found
    .toSorted(
      (one, other) =>
        other.alike - one.alike ||
        Number(other.isNamed) - Number(one.isNamed) ||
        one.to - other.to ||
        one.from - other.from,
    )
    .flatMap(({ from, to, alike }) => {
      if (taken.has(from) || taken.has(to)) return [];
      taken.add(from).add(to);
      return [{ from, to, alike }];
    });
}

/** The lines that tell something of a file; undefined where it is no text, or too long. */
function linesOf({ state }: Side, contents: ChangeSet["contents"]): Lines | undefined {
  const bytes = state.sizeBytes > MOST_BYTES ? undefined : contents.get(state.sha256);
  const text = bytes && decodeUtf8(bytes);
  if (text === undefined) return undefined;
  const of = new Map<string, number>();
  let count = 0;
  for (const each of text.split("\n")) {
    const line = each.trim();
    if (line.length < LEAST_LETTERS) continue;
    count += 1;
    of.set(line, (of.get(line) ?? 0) + 1);
  }
  return count === 0 ? undefined : { count, of };
}

function hasSameName(one: Side, other: Side): boolean {
  return basename(one.path) === basename(other.path);
}
