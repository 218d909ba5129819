import { MARK, noteParts, reverse } from "./cut-secrets.ts";
import { createFinder, NOTHING, type Stretch, united } from "./finder.ts";
import { MIN_SECRET_CHARS } from "./spellings.ts";

/** Finds secrets in dumps of bytes, whose rows cut them in two. */
export interface Dumped {
  readonly add: (secret: string) => void;
  readonly find: (text: string) => readonly Stretch[];
}

/** An address, bytes or words of two bytes in hexadecimal digits, and what they are as text. */
const ROW =
  /^[ \t>|+-]{0,8}[0-9a-f]{6,16}:?((?:[ \t]{1,3}(?:[0-9a-f]{2}){1,8}(?![0-9a-f])){1,32})[^\n]*$/gim;

/** What a cut has left of a row's beginning; any line with a mark there may be one. */
const CUT_ROW =
  /^[ \t>|+"-]{0,8}(?:[0-9a-f]{1,16}:?[ \t]{0,3}[0-9a-f]{0,15})?…(?:0[0-9a-f]{5,15}:?[ \t]{1,3})?((?:[ \t]{0,3}(?:[0-9a-f]{2}){1,8}(?![0-9a-f])){0,32})[^\n]*$/gim;

/** Rows of `xxd`, `hexdump`, `od -tx1` and the like are put together and looked at as bytes. */
export function createDumped(): Dumped {
  const secrets: Secrets = { whole: createFinder(), reversed: createFinder(), parts: new Set() };
  return {
    add(secret) {
      const bytes = Buffer.from(secret).toString("latin1");
      secrets.whole.add([bytes]);
      secrets.reversed.add([reverse(bytes)]);
      noteParts(secrets.parts, bytes);
    },
    find(text) {
      if (secrets.whole.longest() === 0) return NOTHING;
      if (!text.includes(MARK) && text.search(ROW) === -1) return NOTHING;
      const rows = [...text.matchAll(CUT_ROW), ...text.matchAll(ROW)]
        .map(({ 0: whole, 1: digits = "", index }) => ({
          start: index,
          end: index + whole.length,
          words: digits.split(/\s+/).filter((word) => word !== ""),
          text: textOf(whole),
          isCut: whole.includes(MARK) || text.startsWith(`\n${MARK}`, index + whole.length),
        }))
        .toSorted((a, b) => a.start - b.start);
      return ORDERS.flatMap((toBytes) => findIn(rows, toBytes, secrets));
    },
  };
}

interface Secrets {
  readonly whole: ReturnType<typeof createFinder>;
  /** From back to front. */
  readonly reversed: ReturnType<typeof createFinder>;
  /** As long as the shortest secret. */
  readonly parts: Set<string>;
}

interface Row extends Stretch {
  readonly words: readonly string[];
  /** What may be its text column: of a row that is cut it may be there without its bytes. */
  readonly text: string;
  /** It has the mark of a cut, or is above one. */
  readonly isCut: boolean;
}

/** Words of two bytes are in the order of the bytes, or in that of the machine. */
const ORDERS: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => (word.match(/../g) ?? []).toReversed().join(""),
];

/** Every row of a dump that has a part of a secret, as a whole: its text column has it, too. */
function findIn(
  rows: readonly Row[],
  toBytes: (word: string) => string,
  secrets: Secrets,
): readonly Stretch[] {
  const ends: number[] = [];
  let bytes = "";
  for (const { words } of rows) {
    bytes += Buffer.from(words.map(toBytes).join(""), "hex").toString("latin1");
    ends.push(bytes.length);
  }
  const cut = rows.flatMap((row, i) =>
    row.isCut ? besideCut(bytes, ends[i - 1] ?? 0, ends[i] ?? 0, secrets) : [],
  );
  const found = united([...secrets.whole.find(bytes), ...cut]);
  let next = 0;
  return rows.filter((row, i) => {
    const [from, to] = [ends[i - 1] ?? 0, ends[i] ?? 0];
    while ((found[next]?.end ?? Infinity) <= from) next++;
    return (
      (found[next]?.start ?? Infinity) < to ||
      (isAdjacent(row, rows[i + 1]) && tells(row.text, secrets))
    );
  });
}

/** Whether a row is cut, and shows by bytes of its own or by the next row that it is one. */
function isAdjacent(row: Row, next: Row | undefined): boolean {
  return row.isCut && (row.words.length > 0 || next?.start === row.end + 1);
}

/** The end of a line, as far as it can be what the bytes of a row are as text. */
function textOf(line: string): string {
  return line.slice(-MOST_TEXT_CHARS);
}

const MOST_TEXT_CHARS = 80;

function tells(text: string, { parts }: Secrets): boolean {
  for (let at = 0; at + MIN_SECRET_CHARS <= text.length; at++) {
    if (parts.has(text.slice(at, at + MIN_SECRET_CHARS))) return true;
  }
  return false;
}

/** The beginning of a secret up to the end of a row, and the end of one from its beginning on. */
function besideCut(
  bytes: string,
  from: number,
  to: number,
  { whole, reversed, parts }: Secrets,
): readonly Stretch[] {
  const found: Stretch[] = [];
  // Beside most marks there is nothing of the kind, and that is said the fastest.
  if (parts.has(bytes.slice(Math.max(0, to - MIN_SECRET_CHARS), to))) {
    const head = bytes.slice(Math.max(0, to - whole.longest()), to);
    found.push({ start: to - (head.length - whole.startOfOpen(head)), end: to });
  }
  if (parts.has(bytes.slice(from, from + MIN_SECRET_CHARS))) {
    const tail = reverse(bytes.slice(from, from + reversed.longest()));
    found.push({ start: from, end: from + (tail.length - reversed.startOfOpen(tail)) });
  }
  return found.filter(({ start, end }) => end - start >= MIN_SECRET_CHARS);
}
