import type { Pages } from "./pages.ts";

/** What a column holds. */
export type Value = number | bigint | string | Uint8Array | null;

/** One row as it is stored: a table with row numbers keeps them outside of the values. */
export interface StoredRow {
  readonly rowid: number | bigint | undefined;
  readonly values: readonly Value[];
}

/** Where a tree begins, and whether it is a table with row numbers, not an index. */
export interface Tree {
  readonly root: number;
  readonly isTable: boolean;
}

/** How a walk over a tree went. */
export interface Walk {
  /** False when a page or a row on the way could not be read. */
  readonly isWhole: boolean;
  readonly rows: number;
}

const TABLE_INNER = 0x05;
const TABLE_LEAF = 0x0d;
const INDEX_INNER = 0x02;
const INDEX_LEAF = 0x0a;
/** No page has this number. */
const NOWHERE = 0;
/** Of a tree with more pages than a disk has. */
const MOST_DEPTH = 24;

/**
 * Gives every row below `root` that can still be read, in order, around the pages that cannot.
 * The format is https://sqlite.org/fileformat2.html; nothing in the file is trusted. A row
 * that `take` gives false for counts as one that cannot be read.
 */
export function readTree(
  pages: Pages,
  { root, isTable }: Tree,
  take: (row: StoredRow) => boolean,
): Walk {
  const [inner, leaf] = isTable ? [TABLE_INNER, TABLE_LEAF] : [INDEX_INNER, INDEX_LEAF];
  const visited = new Set<number>();
  let isWhole = true;
  let rows = 0;

  function walk(number: number, depth: number): void {
    const page = visited.has(number) || depth > MOST_DEPTH ? undefined : pages.page(number);
    visited.add(number);
    const start = number === 1 ? 100 : 0;
    const type = page?.[start];
    const isInner = type === inner;
    if (!page || !(isInner || type === leaf)) {
      isWhole = false;
      return;
    }
    const below = depth + 1;
    const pointers = start + (isInner ? 12 : 8);
    for (let index = 0; index < page.readUInt16BE(start + 3); index++) {
      const at = within(() => page.readUInt16BE(pointers + index * 2)) ?? page.length;
      if (isInner) walk(within(() => page.readUInt32BE(at)) ?? NOWHERE, below);
      if (isInner && isTable) continue;
      const row = within(() => readCell(pages, page, isInner ? at + 4 : at, isTable));
      if (row && take(row)) rows++;
      else isWhole = false;
    }
    if (isInner) walk(page.readUInt32BE(start + 8), below);
  }

  walk(root, 0);
  return { isWhole, rows };
}

/** Undefined for what points out of its page. */
function within<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Undefined for what is no row; throws where it leads out of its page. */
function readCell(
  pages: Pages,
  page: Buffer,
  start: number,
  isTable: boolean,
): StoredRow | undefined {
  const bytes = createReader(page, start);
  const size = Number(bytes.varint());
  const rowid = isTable ? bytes.varint() : undefined;
  const payload = readPayload(pages, page, { at: bytes.at(), size, isTable });
  const values = payload && readRecord(payload);
  return values && { rowid, values };
}

/** The bytes of a row: those on its page, and those on the pages that overflow. */
function readPayload(
  pages: Pages,
  page: Buffer,
  cell: { readonly at: number; readonly size: number; readonly isTable: boolean },
): Buffer | undefined {
  const { at, size, isTable } = cell;
  const usable = pages.usableBytes;
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (size <= most) return page.subarray(at, at + size); // what is cut off there adds up to no row
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((size - least) % (usable - 4));
  const local = fitting <= most ? fitting : least;
  const parts = [page.subarray(at, at + local)];
  let next = page.readUInt32BE(at + local);
  const visited = new Set<number>();
  for (let left = size - local; left > 0; ) {
    const overflow = visited.has(next) ? undefined : pages.page(next);
    if (!overflow) return undefined;
    visited.add(next);
    const part = overflow.subarray(4, Math.min(usable, 4 + left));
    parts.push(part);
    left -= part.length;
    next = overflow.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

/** Undefined when its parts do not add up to its length. */
function readRecord(payload: Buffer): readonly Value[] | undefined {
  const header = createReader(payload, 0);
  const headerSize = Number(header.varint());
  const types: number[] = [];
  while (header.at() < headerSize) types.push(Number(header.varint()));
  if (header.at() !== headerSize) return undefined;
  let at = headerSize;
  const values = types.map((type) => {
    const size = sizeOf(type);
    const bytes = payload.subarray(at, at + size);
    at += size;
    return bytes.length === size ? readValue(type, bytes) : null;
  });
  const isOdd = (type: number) => type < 0 || type === 10 || type === 11;
  return at === payload.length && !types.some(isOdd) ? values : undefined;
}

const FIXED_SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0];

function sizeOf(type: number): number {
  return FIXED_SIZES[type] ?? (type - (type % 2 === 0 ? 12 : 13)) / 2;
}

function readValue(type: number, bytes: Buffer): Value {
  if (type === 0) return null;
  if (type < 6) return bytes.readIntBE(0, bytes.length);
  if (type === 6) return toNumber(bytes.readBigInt64BE(0));
  if (type === 7) return bytes.readDoubleBE(0);
  if (type === 8 || type === 9) return type - 8;
  return type % 2 === 0 ? new Uint8Array(bytes) : bytes.toString("utf8");
}

/** A number where it can be one. */
function toNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Reads SQLite's numbers of one to nine bytes; throws a RangeError at the end. */
function createReader(bytes: Buffer, start: number) {
  let at = start;
  return {
    at: () => at,
    varint(): number | bigint {
      let value = 0;
      for (let index = 0; index < 7; index++) {
        const byte = bytes.readUInt8(at++);
        value = value * 128 + (byte & 0x7f);
        if (byte < 0x80) return value;
      }
      const [eighth, ninth] = [bytes.readUInt8(at++), bytes.readUInt8(at)];
      const long = (BigInt(value) << 7n) | BigInt(eighth & 0x7f);
      if (eighth < 0x80) return toNumber(long);
      at++;
      return toNumber(BigInt.asIntN(64, (long << 8n) | BigInt(ninth)));
    },
  };
}
