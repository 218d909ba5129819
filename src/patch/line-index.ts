import { findSequence } from "./find-sequence.ts";
import { sketchLine } from "./sketch-line.ts";

/** Finds blocks of lines in time that does not depend on how often their lines repeat. */
export interface LineIndex {
  /** Where the block stands, ascending; at most `limit` places. Asked again: the same array. */
  find(block: readonly string[], limit: number): readonly number[];
  /** Where one line stands, ascending. */
  positions(line: string): Int32Array;
}

/** So many comparisons cost less than a pass over the lines. */
const LITTLE_WORK = 1000;
/** To number the wanted lines only pays where the file has so many times as many. */
const FAR_MORE = 4;

/** Lines as numbers: the same key, the same number. */
interface Numbering {
  readonly ids: Int32Array;
  readonly idOf: ReadonlyMap<string, number>;
  readonly places: (id: number) => Int32Array;
}

/**
 * Indexes lines by `key`: two lines are the same when their keys are. A key may change blanks,
 * quotes and Unicode forms, nothing else.
 *
 * Lines become numbers, so that comparing is cheap. A block is looked for at the places of its
 * rarest line; where that may cost more than one pass by Knuth, Morris and Pratt, in one pass.
 * What costs more than a little is done once for all blocks that are alike.
 *
 * With `wanted`, the lines that will be asked for, no others get numbers, which is far cheaper;
 * all get some once another one is asked for after all.
 */
export function createLineIndex(
  lines: readonly string[],
  key: (line: string) => string,
  wanted?: readonly string[],
): LineIndex {
  let isWhole = wanted === undefined || wanted.length * FAR_MORE > lines.length;
  let numbering = isWhole ? numberAll(lines, key) : numberWanted(lines, key, wanted ?? []);
  const numberingFor = (keys: readonly string[]) => {
    if (!isWhole && keys.some((k) => !numbering.idOf.has(k))) {
      numbering = numberAll(lines, key);
      isWhole = true;
    }
    return numbering;
  };
  const known = new Map<string, readonly number[]>();
  return {
    positions(line) {
      const k = key(line);
      const { idOf, places } = numberingFor([k]);
      const id = idOf.get(k);
      return id === undefined ? NOWHERE : places(id);
    },
    find(block, limit) {
      const keys = block.map(key);
      const { ids, idOf, places } = numberingFor(keys);
      const sequence = new Int32Array(block.length);
      let rarest = { places: ids as ArrayLike<number>, offset: -1 };
      for (const [offset, k] of keys.entries()) {
        const id = idOf.get(k);
        if (id === undefined) return [];
        sequence[offset] = id;
        const at = places(id);
        if (rarest.offset < 0 || at.length < rarest.places.length) rarest = { places: at, offset };
      }
      if (rarest.offset < 0) return [];
      const work = rarest.places.length * sequence.length;
      if (work <= LITTLE_WORK) return findAtPlaces(ids, sequence, rarest, limit);
      const question = `${limit} ${keys.join("\n")}`;
      const found =
        known.get(question) ??
        (work <= ids.length
          ? findAtPlaces(ids, sequence, rarest, limit)
          : findSequence(ids, sequence, limit));
      known.set(question, found);
      return found;
    },
  };
}

const NOWHERE = new Int32Array(0);

function numberAll(lines: readonly string[], key: (line: string) => string): Numbering {
  const idOf = new Map<string, number>();
  const ids = new Int32Array(lines.length);
  for (let i = 0; i < lines.length; i++) {
    const k = key(lines[i] ?? "");
    let id = idOf.get(k);
    if (id === undefined) idOf.set(k, (id = idOf.size));
    ids[i] = id;
  }
  return { ids, idOf, places: groupById(ids, idOf.size) };
}

/** Lines that are not wanted all have one number, behind those of the wanted ones. */
function numberWanted(
  lines: readonly string[],
  key: (line: string) => string,
  wanted: readonly string[],
): Numbering {
  const idOf = new Map<string, number>();
  const sketches = new Set<number | undefined>([undefined]);
  for (const k of new Set(wanted.map(key))) {
    idOf.set(k, idOf.size);
    sketches.add(sketchLine(k));
  }
  const ids = new Int32Array(lines.length).fill(idOf.size);
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const id = sketches.has(sketchLine(line)) ? idOf.get(key(line)) : undefined;
    if (id !== undefined) ids[i] = id;
  }
  return { ids, idOf, places: groupById(ids, idOf.size + 1) };
}

/** For each id the indexes that have it, ascending, all in one array. */
function groupById(ids: Int32Array, idCount: number): (id: number) => Int32Array {
  const ends = new Int32Array(idCount);
  for (const id of ids) ends[id] = (ends[id] ?? 0) + 1;
  for (let id = 1; id < idCount; id++) ends[id] = (ends[id] ?? 0) + (ends[id - 1] ?? 0);
  const grouped = new Int32Array(ids.length);
  const next = ends.slice();
  for (let i = ids.length - 1; i >= 0; i--) {
    const id = ids[i] ?? 0;
    const slot = (next[id] ?? 0) - 1;
    next[id] = slot;
    grouped[slot] = i;
  }
  return (id) => grouped.subarray(id === 0 ? 0 : ends[id - 1], ends[id]);
}

function findAtPlaces(
  ids: Int32Array,
  wanted: Int32Array,
  { places, offset }: { readonly places: ArrayLike<number>; readonly offset: number },
  limit: number,
): readonly number[] {
  const found: number[] = [];
  for (let i = 0; i < places.length && found.length < limit; i++) {
    const at = (places[i] ?? 0) - offset;
    if (fits(ids, wanted, at)) found.push(at);
  }
  return found;
}

function fits(ids: Int32Array, wanted: Int32Array, at: number): boolean {
  if (at < 0 || at + wanted.length > ids.length) return false;
  for (let k = 0; k < wanted.length; k++) if (ids[at + k] !== wanted[k]) return false;
  return true;
}
