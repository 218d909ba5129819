import { findSequence } from "./find-sequence.ts";
import { sketchLine } from "./sketch-line.ts";
import type { LineEdit } from "./splice-edits.ts";

/** Finds blocks of lines in time that does not depend on how often their lines repeat. */
export interface LineIndex {
  /** Where the block occurs, ascending; at most `limit` places. Asked again: the same array. */
  find(block: readonly string[], limit: number): readonly number[];
  /** Where one line occurs, ascending. */
  positions(line: string): Int32Array;
  /** The index of the lines with one edit made, for a small part of the time of a new one. */
  after(edit: LineEdit): LineIndex;
}

/** This many comparisons cost less than a pass over the lines. */
const LITTLE_WORK = 1000;
/** To number the wanted lines only pays where the file has so many times as many. */
const FAR_MORE = 4;

type Key = (line: string) => string;

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
  key: Key,
  wanted?: readonly string[],
): LineIndex {
  let whole: LineIndex | undefined;
  const all = () => (whole ??= indexAll(lines, key));
  if (wanted === undefined || wanted.length * FAR_MORE > lines.length) return all();
  const names = new Map<string, number>();
  const some = indexNumbers(numberWanted(lines, key, wanted, names), nameBy(key, names, 1));
  const indexFor = (block: readonly string[]) =>
    block.every((line) => names.has(key(line))) ? some : all();
  return {
    find: (block, limit) => indexFor(block).find(block, limit),
    positions: (line) => indexFor([line]).positions(line),
    after: (edit) => all().after(edit),
  };
}

/** The numbers of lines. */
interface Names {
  idOf(line: string): number | undefined;
  /** Gives new lines new numbers. */
  toIds(lines: readonly string[]): Int32Array;
  count(): number;
}

function nameBy(key: Key, known: Map<string, number>, others = 0): Names {
  return {
    idOf: (line) => known.get(key(line)),
    toIds(lines) {
      const ids = new Int32Array(lines.length);
      // An index loop: an iterator costs more than the rest on a large file.
      for (let i = 0; i < lines.length; i++) {
        const k = key(lines[i] ?? "");
        let id = known.get(k);
        if (id === undefined) known.set(k, (id = known.size));
        ids[i] = id;
      }
      return ids;
    },
    count: () => known.size + others,
  };
}

function indexAll(lines: readonly string[], key: Key): LineIndex {
  const names = nameBy(key, new Map());
  return indexNumbers(names.toIds(lines), names);
}

/** Lines that are not wanted all have one number, behind those of the wanted ones. */
function numberWanted(
  lines: readonly string[],
  key: Key,
  wanted: readonly string[],
  names: Map<string, number>,
): Int32Array {
  const sketches = new Set<number | undefined>([undefined]);
  for (const k of new Set(wanted.map(key))) {
    names.set(k, names.size);
    sketches.add(sketchLine(k));
  }
  const ids = new Int32Array(lines.length).fill(names.size);
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const id = sketches.has(sketchLine(line)) ? names.get(key(line)) : undefined;
    if (id !== undefined) ids[i] = id;
  }
  return ids;
}

function indexNumbers(ids: Int32Array, names: Names): LineIndex {
  let groups: ((id: number) => Int32Array) | undefined;
  const places = (id: number) => (groups ??= groupById(ids, names.count()))(id);
  const known = new Map<string, readonly number[]>();
  return {
    positions(line) {
      const id = names.idOf(line);
      return id === undefined ? NOWHERE : places(id);
    },
    find(block, limit) {
      const sequence = new Int32Array(block.length);
      let rarest = { places: ids as ArrayLike<number>, offset: -1 };
      for (const [offset, line] of block.entries()) {
        const id = names.idOf(line);
        if (id === undefined) return [];
        sequence[offset] = id;
        const at = places(id);
        if (rarest.offset < 0 || at.length < rarest.places.length) rarest = { places: at, offset };
      }
      if (rarest.offset < 0) return [];
      const work = rarest.places.length * sequence.length;
      if (work <= LITTLE_WORK) return findAtPlaces(ids, sequence, rarest, limit);
      const question = `${limit} ${sequence.join()}`;
      const found =
        known.get(question) ??
        (work <= ids.length
          ? findAtPlaces(ids, sequence, rarest, limit)
          : findSequence(ids, sequence, limit));
      known.set(question, found);
      return found;
    },
    after({ at, remove, add }) {
      const renewed = new Int32Array(ids.length - remove + add.length);
      renewed.set(ids.subarray(0, at));
      renewed.set(names.toIds(add), at);
      renewed.set(ids.subarray(at + remove), at + add.length);
      return indexNumbers(renewed, names);
    },
  };
}

const NOWHERE = new Int32Array(0);

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
  return (id) => (id < idCount ? grouped.subarray(id === 0 ? 0 : ends[id - 1], ends[id]) : NOWHERE);
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
