import { closeSync, existsSync, openSync, readSync } from "node:fs";

/** The pages of a database file as they are on the disk, whatever SQLite thinks of them. */
export interface Pages extends Disposable {
  /** How much of a page SQLite uses. */
  readonly usableBytes: number;
  /** Numbered from 1; undefined for one that is not there or was cut off. */
  page(number: number): Buffer | undefined;
  /** Those of which the log holds a newer content. */
  readonly inLog: readonly number[];
}

const MAGIC = "SQLite format 3\0";
/** What `bun:sqlite` makes; for a file whose header is gone. */
const USUAL_PAGE_BYTES = 4096;
/** Of a log that a little-endian machine wrote; papa-yu runs on no other. */
const LOG_MAGIC = 0x377f0682;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** Which pages are looked at: those of the file, with those of the log instead, or of the log alone. */
export interface PageChoice {
  readonly withLog: boolean;
  readonly withFile?: boolean;
}

/** Opens the pages of a database, on top of them those of its write-ahead log if `withLog`. */
export function openPages(path: string, { withLog, withFile = true }: PageChoice): Pages {
  using opened = new DisposableStack();
  const file = openFile(path, opened);
  const header = file.read(0, 100);
  const isKnown = header?.toString("latin1", 0, 16) === MAGIC;
  const pageBytes = (isKnown && toPageBytes(header.readUInt16BE(16))) || USUAL_PAGE_BYTES;
  const log = withLog ? readLog(`${path}-wal`, pageBytes, opened) : undefined;
  const resources = opened.move();
  return {
    usableBytes: pageBytes - (isKnown ? (header[20] ?? 0) : 0),
    page(number) {
      const at = log?.newest.get(number);
      if (at !== undefined) return log?.read(at, pageBytes);
      return withFile ? file.read((number - 1) * pageBytes, pageBytes) : undefined;
    },
    inLog: [...(log?.newest.keys() ?? [])],
    [Symbol.dispose]: () => resources.dispose(),
  };
}

function toPageBytes(stored: number): number | undefined {
  const bytes = stored === 1 ? 65_536 : stored;
  return bytes >= 512 && Number.isInteger(Math.log2(bytes)) ? bytes : undefined;
}

interface OpenFile {
  /** Undefined where the file is not as long. */
  readonly read: (at: number, length: number) => Buffer | undefined;
}

function openFile(path: string, opened: DisposableStack): OpenFile {
  const fd = openSync(path, "r");
  opened.defer(() => closeSync(fd));
  return {
    read(at, length) {
      const bytes = Buffer.alloc(length);
      try {
        return readSync(fd, bytes, 0, length, at) === length ? bytes : undefined;
      } catch {
        return undefined; // the disk cannot read it any more
      }
    },
  };
}

interface Log {
  /** Where the newest committed content of a page begins. */
  readonly newest: ReadonlyMap<number, number>;
  readonly read: OpenFile["read"];
}

/** What of a log was committed, as far as its chain of checksums holds: the rule of SQLite. */
function readLog(path: string, pageBytes: number, opened: DisposableStack): Log | undefined {
  if (!existsSync(path)) return undefined;
  const { read } = openFile(path, opened);
  const newest = new Map<number, number>();
  const log = { newest, read };
  const header = read(0, LOG_HEADER_BYTES);
  if (!header || header.readUInt32BE(0) !== LOG_MAGIC) return log;
  let sum = addUp(header.subarray(0, 24), [0, 0]);
  if (!isSum(header, 24, sum)) return log;
  const pending = new Map<number, number>();
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  for (let at = LOG_HEADER_BYTES; ; at += frameBytes) {
    const frame = read(at, frameBytes);
    if (!frame || frame.compare(header, 16, 24, 8, 16) !== 0) break;
    sum = addUp(frame.subarray(0, 8), sum);
    sum = addUp(frame.subarray(FRAME_HEADER_BYTES), sum);
    if (!isSum(frame, 16, sum)) break;
    pending.set(frame.readUInt32BE(0), at + FRAME_HEADER_BYTES);
    if (frame.readUInt32BE(4) === 0) continue;
    for (const [number, place] of pending) newest.set(number, place);
  }
  return log;
}

type Sum = readonly [number, number];

function addUp(bytes: Buffer, [first, second]: Sum): Sum {
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + bytes.readUInt32LE(at) + b) >>> 0;
    b = (b + bytes.readUInt32LE(at + 4) + a) >>> 0;
  }
  return [a, b];
}

function isSum(bytes: Buffer, at: number, [a, b]: Sum): boolean {
  return bytes.readUInt32BE(at) === a && bytes.readUInt32BE(at + 4) === b;
}
