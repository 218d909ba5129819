import { Buffer } from "node:buffer"; // not global in browsers

/** So many units of a text are told apart by a number. */
const GRAM = 4;
const TABLE = 1 << 18;
/** Where pieces of a text are this alike, to look for them together is no less work. */
const MOST_CANDIDATES = 2_000_000;

/**
 * Where each of many pieces occurs in a text, in two passes over it whatever their number: each is
 * looked for by the four units of it that are rarest there. Undefined where one is shorter, or all of
 * the text is so alike that this would take long. `most` places of a piece are enough.
 */
export function findMany(
  text: string,
  pieces: readonly string[],
  most: number,
): readonly (readonly number[])[] | undefined {
  if (pieces.some(({ length }) => length < GRAM)) return undefined;
  const grams = toGrams(text);
  const counts = new Uint32Array(TABLE);
  for (const gram of grams) counts[gram] = (counts[gram] ?? 0) + 1;
  const wanted = new Map<number, Wanted[]>();
  let candidates = 0;
  for (const [piece, own] of pieces.entries()) {
    const { gram, offset, count } = rarestOf(toGrams(own), counts);
    candidates += count;
    wanted.set(gram, [...(wanted.get(gram) ?? []), { piece, own, offset }]);
  }
  if (candidates > MOST_CANDIDATES) return undefined;
  const isWanted = new Uint8Array(TABLE);
  for (const gram of wanted.keys()) isWanted[gram] = 1;
  const found = pieces.map((): number[] => []);
  // An index loop: an iterator costs more than the rest on a large text.
  for (let at = 0; at < grams.length; at++) {
    const gram = grams[at] ?? 0;
    if (isWanted[gram] === 0) continue;
    for (const { piece, own, offset } of wanted.get(gram) ?? []) {
      const places = found[piece] ?? [];
      const isThere = at >= offset && text.startsWith(own, at - offset);
      if (isThere && places.length < most) places.push(at - offset);
    }
  }
  return found;
}

/** A piece, and where in it the units begin that it is looked for by. */
interface Wanted {
  readonly piece: number;
  readonly own: string;
  readonly offset: number;
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
