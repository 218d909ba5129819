import type { Line } from "./lines.ts";
import { likeness } from "./words.ts";

/** A row of two sides; a side may be empty, and `isRevised` says that one line became the other. */
export interface Pair {
  readonly left?: Line;
  readonly right?: Line;
  readonly isRevised?: true;
}

/** Up to so many comparisons the best match of lines is looked for; past it they match by place. */
const MOST_COMPARED = 1600;
const LEAST_LIKENESS = 0.5;

/** The lines of a hunk side by side: what became of a line stands beside it. */
export function pairLines(lines: readonly Line[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let removed: Line[] = [];
  let added: Line[] = [];
  const settle = () => {
    for (const pair of pairBlock(removed, added)) pairs.push(pair);
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === "del") {
      if (added.length > 0) settle();
      removed.push(line);
    } else if (line.kind === "add") added.push(line);
    else {
      settle();
      pairs.push({ left: oldSideOf(line), right: line });
    }
  }
  settle();
  return pairs;
}

/** Where blanks do not count, a line that is the same may be written in another way. */
function oldSideOf(line: Line): Line {
  const { was, isOpenEnd: _, ...rest } = line;
  return was ? { ...rest, ...was } : line;
}

/** Lines that became each other, by the line itself, both ways. */
export function revisionsIn(lines: readonly Line[]): ReadonlyMap<Line, Line> {
  const found = new Map<Line, Line>();
  for (const { left, right, isRevised } of pairLines(lines)) {
    if (!isRevised || !left || !right) continue;
    found.set(left, right).set(right, left);
  }
  return found;
}

function pairBlock(removed: readonly Line[], added: readonly Line[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let [left, right] = [0, 0];
  const rest = (leftTo: number, rightTo: number) => {
    while (left < leftTo || right < rightTo) {
      const [one, other] = [
        left < leftTo ? removed[left++] : undefined,
        right < rightTo ? added[right++] : undefined,
      ];
      pairs.push({ ...(one && { left: one }), ...(other && { right: other }) });
    }
  };
  for (const [one, other] of matchesOf(removed, added)) {
    rest(one, other);
    const [line, became] = [removed[left++], added[right++]];
    if (line && became) pairs.push({ left: line, right: became, isRevised: true });
  }
  rest(removed.length, added.length);
  return pairs;
}

/** Places of lines that are alike, in order on both sides, with the most likeness in all. */
function matchesOf(
  removed: readonly Line[],
  added: readonly Line[],
): readonly (readonly [number, number])[] {
  const [rows, columns] = [removed.length, added.length];
  if (rows === columns && (rows === 1 || rows * columns > MOST_COMPARED)) {
    return removed.map((_, at) => [at, at] as const);
  }
  if (rows * columns > MOST_COMPARED) return [];
  const like = removed.map((one) => added.map((other) => likeness(one.text, other.text)));
  const best = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1));
  const at = (row: number, column: number) => best[row]?.[column] ?? 0;
  const likeAt = (row: number, column: number) => {
    const share = like[row]?.[column] ?? 0;
    return share < LEAST_LIKENESS ? -1 : share;
  };
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const both = likeAt(row, column) + at(row + 1, column + 1);
      const most = Math.max(both, at(row + 1, column), at(row, column + 1));
      best[row]?.fill(most, column, column + 1);
    }
  }
  const matches: (readonly [number, number])[] = [];
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    const share = likeAt(row, column);
    if (share >= 0 && at(row, column) === share + at(row + 1, column + 1)) {
      matches.push([row++, column++]);
    } else if (at(row, column) === at(row + 1, column)) row++;
    else column++;
  }
  return matches;
}
