import { createFinder, NOTHING, type Stretch } from "./finder.ts";

/** Finds secrets in dumps of bytes, whose rows cut them in two. */
export interface Dumped {
  readonly add: (secret: string) => void;
  readonly find: (text: string) => readonly Stretch[];
}

/** An address, bytes or words of two bytes in hexadecimal digits, and what they are as text. */
const ROW =
  /^[ \t>|+-]{0,8}[0-9a-f]{6,16}:?((?:[ \t]{1,3}(?:[0-9a-f]{2}){1,8}(?![0-9a-f])){1,32})[^\n]*$/gim;

/** Rows of `xxd`, `hexdump`, `od -tx1` and the like are put together and looked at as bytes. */
export function createDumped(): Dumped {
  const secrets = createFinder();
  return {
    add: (secret) => secrets.add([Buffer.from(secret).toString("latin1")]),
    find(text) {
      if (secrets.longest() === 0 || text.search(ROW) < 0) return NOTHING;
      const rows: Row[] = Array.from(text.matchAll(ROW), ({ 0: whole, 1: digits = "", index }) => ({
        start: index,
        end: index + whole.length,
        words: digits.trim().split(/\s+/),
      }));
      return ORDERS.flatMap((toBytes) => findIn(rows, toBytes, secrets));
    },
  };
}

interface Row extends Stretch {
  readonly words: readonly string[];
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
  secrets: ReturnType<typeof createFinder>,
): readonly Stretch[] {
  const ends: number[] = [];
  let bytes = "";
  for (const { words } of rows) {
    bytes += Buffer.from(words.map(toBytes).join(""), "hex").toString("latin1");
    ends.push(bytes.length);
  }
  const found = secrets.find(bytes);
  let next = 0;
  return rows.filter((_, i) => {
    const [from, to] = [ends[i - 1] ?? 0, ends[i] ?? 0];
    while ((found[next]?.end ?? Infinity) <= from) next++;
    return (found[next]?.start ?? Infinity) < to;
  });
}
