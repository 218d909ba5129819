const ESCAPE = String.fromCharCode(27);
/** What a terminal is told of colours, and to clear the rest of a line. */
const COLOUR = String.raw`${ESCAPE}\[(?:[\d;:]*m|K)`;
const COLOURS = new RegExp(COLOUR, "g");
const APART = new RegExp(`(${COLOUR})`);
/** Shows which part of a line differs; all else that a terminal colours is at the ends of a line. */
const REVERSE = new RegExp(String.raw`^${ESCAPE}\[2?7m$`);
const COLOURED_CHANGE = new RegExp(`^(?:${COLOUR})+(?:@@|[-+])`, "m");
const CHANGED = /^(?:@@|[-+]|diff --git )/;
const HEADER = /^(?:@@|diff --git )/;

/**
 * A patch as it was before a terminal coloured it; undefined where it was not: each changed line and
 * each header begins with a colour, and no line has one between its words. What is coloured there is
 * text of the file, which would be lost.
 */
export function withoutColours(patch: string): string | undefined {
  if (!patch.includes(ESCAPE)) return undefined;
  const all = patch.split("\n").map((text) => ({ text, bare: text.replace(COLOURS, "") }));
  const isColoured = ({ text, bare }: { text: string; bare: string }) => text !== bare;
  // What is said above and below may have none, or others: a commit, a list of files.
  const head = all.findIndex(({ bare }) => HEAD.test(bare));
  const lines = all.slice(Math.max(head, 0), all.findLastIndex(isColoured) + 1);
  const framed = lines.filter(({ bare }) => CHANGED.test(bare));
  if (!framed.some(({ bare }) => HEADER.test(bare))) return undefined;
  if (!framed.every(({ text }) => text.startsWith(ESCAPE))) return undefined;
  const isShown = ({ text, bare }: (typeof all)[number]) =>
    bare.startsWith("@@") || !hasOwnColour(text);
  if (!lines.every(isShown)) return undefined;
  return all.map(({ bare }) => bare).join("\n");
}

/** Whether there is a colour between words of a line, other than what shows where it differs. */
function hasOwnColour(line: string): boolean {
  const pieces = line.split(APART); // text, colour, text, …
  const sign = pieces.findIndex((piece, i) => i % 2 === 0 && piece !== "");
  const isWord = (piece: string, i: number) =>
    i % 2 === 0 && (i === sign ? piece.slice(1) : piece).trim() !== "";
  const between = pieces.slice(pieces.findIndex(isWord), pieces.findLastIndex(isWord) + 1);
  return between.some((piece, i) => i % 2 === 1 && !REVERSE.test(piece));
}

/** Whether a changed line or header begins with a colour: read as it is, half of a change would be lost. */
export function hasColouredChange(patch: string): boolean {
  return patch.includes(ESCAPE) && COLOURED_CHANGE.test(patch);
}

/**
 * Whether a line is the header of a hunk or a file behind a colour, a number, a quote mark, a bullet or
 * blanks, which others of its patch do not have: it belongs to a part that would be passed over.
 */
export function isWrappedHeader(line: string): boolean {
  return !HEAD.test(line) && WRAPPED.test(line.replace(COLOURS, ""));
}

const WRAPPED = /^[ \t\d|│:.)>*•-]*(?:@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|diff --git \S)/;

/** A number at the beginning of a line. */
const NUMBER = /^[ \t]*(\d+)(?!\d)/;
/** What is between a number and its line, the longest first. */
const BETWEEN = [" | ", " │ ", "| ", "│ ", "|", "│", "\t", ": ", ":", ". ", ") ", "  ", " "];
const HEAD = /^(?:@@|diff --git |--- \S)/;

/**
 * A patch as it was before each of its lines got its number, as `cat -n`, `grep -n` and editors show
 * text; undefined where not every line has one, each one higher than the one above, with the same
 * between it and its line.
 */
export function withoutCounting(patch: string): string | undefined {
  const lines = patch.split("\n");
  const rests = lines.map((line) => line.replace(NUMBER, ""));
  const first = lines.findIndex((line, i) => {
    const rest = (rests[i] ?? "").replace(/^[ \t|│:.)]+/, "");
    return NUMBER.test(line) && HEAD.test(rest);
  });
  if (first < 0) return undefined;
  const from = numberOf(lines[first]);
  let end = first;
  while (end < lines.length && numberOf(lines[end]) === from + end - first) end++;
  const counted = rests.slice(first, end);
  const between = BETWEEN.find((one) =>
    counted.every((rest) => rest.startsWith(one) || rest === one.trimEnd()),
  );
  if (between === undefined) return undefined;
  const bare = counted.map((rest) => rest.slice(between.length));
  // One number alone is a bullet.
  const isEnd = bare.length > 1 && lines.slice(end).every((line) => !mayBeOfIt(line));
  if (!isEnd || !bare.some((line) => line.startsWith("@@"))) return undefined;
  return [...lines.slice(0, first), ...bare, ...lines.slice(end)].join("\n");
}

/** Whether a line behind the counted ones looks as if it were of the patch. */
function mayBeOfIt(line: string): boolean {
  return /^[ \t]*\d+[ \t|│:.)]|^(?:@@|[-+])/.test(line);
}

function numberOf(line = ""): number {
  return Number(NUMBER.exec(line)?.[1]);
}
