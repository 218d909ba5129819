/** So many units of a text are told apart by a number. */
const GRAM = 4;
const TABLE = 1 << 18;
/** Where pieces of a text are this alike, to look for them together is no less work. */
const MOST_CANDIDATES = 20_000_000;

/** Texts that are looked for together. */
export interface Needles {
  /** Where in a text each of them occurs that does, in one pass, whatever their number. */
  scan(text: string): ReadonlyMap<string, readonly number[]>;
}

/** A needle, and where in it the units begin that it is looked for by. */
interface Wanted {
  readonly needle: string;
  readonly offset: number;
}

/**
 * Makes many needles ready to be looked for in texts like `sample`: each by the four units of it that
 * are rarest there. Those with fewer units are not found. Undefined where all of the sample is so
 * alike that this would take long.
 */
export function createNeedles(wanted: Iterable<string>, sample: string): Needles | undefined {
  const counts = new Uint32Array(TABLE);
  for (const gram of toGrams(sample)) counts[gram] = (counts[gram] ?? 0) + 1;
  const byGram = new Map<number, Wanted[]>();
  let candidates = 0;
  for (const needle of wanted) {
    if (needle.length < GRAM) continue;
    const { gram, offset } = rarestOf(toGrams(needle), counts);
    candidates += counts[gram] ?? 0;
    const own = byGram.get(gram);
    if (own === undefined) byGram.set(gram, [{ needle, offset }]);
    else own.push({ needle, offset });
  }
  if (candidates > MOST_CANDIDATES) return undefined;
  const isWanted = new Uint8Array(TABLE);
  for (const gram of byGram.keys()) isWanted[gram] = 1;
  return {
    scan(text) {
      const found = new Map<string, number[]>();
      const grams = toGrams(text);
      // An index loop: an iterator costs more than the rest on a large text.
      for (let at = 0; at < grams.length; at++) {
        const gram = grams[at] ?? 0;
        if (isWanted[gram] === 0) continue;
        for (const { needle, offset } of byGram.get(gram) ?? []) {
          if (at < offset || !text.startsWith(needle, at - offset)) continue;
          const places = found.get(needle);
          if (places === undefined) found.set(needle, [at - offset]);
          else places.push(at - offset);
        }
      }
      return found;
    },
  };
}

/** Whether a needle is too short to be looked for with others. */
export function isShort(needle: string): boolean {
  return needle.length < GRAM;
}

function rarestOf(grams: Uint32Array, counts: Uint32Array) {
  let rarest = { gram: 0, offset: 0, count: Number.POSITIVE_INFINITY };
  for (const [offset, gram] of grams.entries()) {
    const count = counts[gram] ?? 0;
    if (count < rarest.count) rarest = { gram, offset, count };
  }
  return rarest;
}

/** Numbers of all runs of four units; different runs may have one number. */
function toGrams(text: string): Uint32Array {
  const units = new Uint16Array(text.length);
  Buffer.from(units.buffer).write(text, "utf16le");
  const grams = new Uint32Array(Math.max(0, text.length - GRAM + 1));
  for (let i = 0; i < grams.length; i++) {
    const a = ((units[i] ?? 0) << 8) ^ (units[i + 1] ?? 0);
    const b = ((units[i + 2] ?? 0) << 8) ^ (units[i + 3] ?? 0);
    const mixed = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b);
    grams[i] = (mixed >>> 14) & (TABLE - 1);
  }
  return grams;
}
