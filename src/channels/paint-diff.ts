/** How the lines of a diff look. What a painter gives shows the line it was given, and nothing else. */
export interface DiffPainter {
  /** A line outside of hunks: names of files, the beginning of a hunk. */
  head(line: string): string;
  /**
   * A line of a hunk. Of each side they come in the order of its file. `turned` is what differs from
   * the line in whose place it came, from and to.
   */
  line(line: string, turned?: readonly [from: number, to: number]): string;
}

/**
 * A unified diff in colours: heads bold, added lines green, removed ones red, and in lines that took
 * each other's place what differs turned round; or as another painter has it. Its text is not
 * changed. What is a head and what a line that begins like one is told by the counts of the hunk.
 */
export function paintDiff(diff: string, painter: DiffPainter = PLAIN): string {
  const lines = diff.split("\n");
  const painted: string[] = [];
  let hunk = { removed: 0, added: 0 };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    if (hunk.removed + hunk.added === 0) {
      hunk = readHunk(line);
      painted.push(painter.head(line));
      at++;
      continue;
    }
    const addedAt = endOfRun(lines, at, "-", hunk.removed);
    const end = endOfRun(lines, addedAt, "+", hunk.added);
    const [removed, added] = [lines.slice(at, addedAt), lines.slice(addedAt, end)];
    for (const each of paintRun(removed, added, painter)) painted.push(each);
    at = end;
    hunk.removed -= removed.length;
    hunk.added -= added.length;
    if (removed.length + added.length > 0) continue;
    painted.push(painter.line(line));
    at++;
    if (line.startsWith("\\")) continue; // of the line before
    hunk = { removed: Math.max(0, hunk.removed - 1), added: Math.max(0, hunk.added - 1) };
  }
  return painted.join("\n");
}

const [BOLD, RED, GREEN, CYAN, END] = ["\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[0m"];
const [TURNED, UPRIGHT] = ["\x1b[7m", "\x1b[27m"];

const PLAIN: DiffPainter = {
  head(line) {
    if (isFileHead(line)) return BOLD + line + END;
    return line.startsWith("@@") ? CYAN + line + END : line;
  },
  line(line, turned) {
    const color = line.startsWith("-") ? RED : line.startsWith("+") ? GREEN : "";
    if (color === "") return line;
    if (!turned) return color + line + END;
    const [from, to] = turned;
    const middle = TURNED + line.slice(from, to) + UPRIGHT;
    return color + line.slice(0, from) + middle + line.slice(to) + END;
  },
};

/** Of the lines outside of hunks, those that name a file. */
export function isFileHead(line: string): boolean {
  return /^(?:\+\+\+|---|diff )/.test(line);
}

/** How many lines of each side a hunk has; none where no hunk begins. */
function readHunk(line: string): { removed: number; added: number } {
  const found = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
  if (!found) return { removed: 0, added: 0 };
  const [, removed = "1", added = "1"] = found;
  return { removed: Number(removed), added: Number(added) };
}

/** Behind the lines in a row that begin with a sign, no more than are left of them. */
function endOfRun(lines: readonly string[], at: number, sign: string, most: number): number {
  for (let end = at; ; end++) if (end - at >= most || !lines[end]?.startsWith(sign)) return end;
}

/** As many lines for as many: each took the place of one. */
function paintRun(
  removed: readonly string[],
  added: readonly string[],
  painter: DiffPainter,
): readonly string[] {
  if (removed.length !== added.length) {
    return [...removed, ...added].map((line) => painter.line(line));
  }
  const pairs = removed.map((line, index) => compare(line, added[index] ?? ""));
  return [
    ...removed.map((line, index) => painter.line(line, pairs[index]?.[0])),
    ...added.map((line, index) => painter.line(line, pairs[index]?.[1])),
  ];
}

/** Longer lines are compared by nobody. */
const MOST_CHARS = 2000;

type Stretch = readonly [from: number, to: number];

/** What differs between two lines, in each; nothing where they have less in common than that. */
function compare(before: string, after: string): readonly (Stretch | undefined)[] {
  if (before.length > MOST_CHARS || after.length > MOST_CHARS) return [];
  const [old, now] = [before.slice(1), after.slice(1)];
  const start = startOfWord(old, now, countSame(old, now));
  const [oldRest, nowRest] = [reverse(old.slice(start)), reverse(now.slice(start))];
  const end = startOfWord(oldRest, nowRest, countSame(oldRest, nowRest));
  const shared = start + end;
  if (shared * 2 < Math.max(old.trim().length, now.trim().length)) return [];
  const toStretch = (line: string): Stretch | undefined =>
    1 + start < line.length - end ? [1 + start, line.length - end] : undefined;
  return [toStretch(before), toStretch(after)];
}

function countSame(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one[count] === other[count]) count++;
  return count;
}

/** No word, and no character of several units, is cut in two. */
function startOfWord(one: string, other: string, end: number): number {
  let start = end;
  const isInside = [one, other].some((text) => WORD.test(text.charAt(end)));
  if (isInside) while (start > 0 && WORD.test(one.charAt(start - 1))) start--;
  return start;
}

const WORD = /[\p{L}\p{N}_\p{Cs}\p{Emoji}]|\p{M}|\u200d|\ufe0f/u;

function reverse(text: string): string {
  return text.split("").toReversed().join("");
}
