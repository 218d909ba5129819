import { fstatSync } from "node:fs";
import { openToRead, type Position, readBytes } from "./read-tail.ts";
import { listRotated } from "./rotating-file.ts";

/** A line of a rotating file, and where it begins. */
export interface LineAt {
  readonly at: Position;
  /** Without its newline; of a very long line the beginning. */
  readonly text: string;
  readonly sizeBytes: number;
}

const CHUNK_BYTES = 64 * 1024;
/** More of one line is read by nobody. */
const MOST_LINE_BYTES = 4 * CHUNK_BYTES;

/**
 * The lines of a rotating file before a place, the newest first, over all of its files, read as they
 * are taken. Nothing where the file of that place is gone.
 */
export function* readBack(path: string, before: Position): Generator<LineAt> {
  let isBehind = true;
  for (const file of listRotated(path).toReversed()) {
    using opened = openToRead(file);
    if (!opened) continue; // removed a moment ago
    const { ino, size } = fstatSync(opened.descriptor);
    if (isBehind && ino !== before.ino) continue;
    yield* linesOf(opened.descriptor, ino, isBehind ? Math.min(size, before.offset) : size);
    isBehind = false;
  }
}

function* linesOf(descriptor: number, ino: number, end: number): Generator<LineAt> {
  let lineEnd = end;
  let rest: Uint8Array = new Uint8Array();
  const toLine = (offset: number, bytes: Uint8Array): LineAt => {
    const sizeBytes = lineEnd - offset;
    lineEnd = offset;
    const kept = bytes.subarray(0, MOST_LINE_BYTES);
    const text = Buffer.from(kept).toString("utf8").replace(/\n$/u, "");
    return { at: { ino, offset }, text, sizeBytes };
  };
  for (let to = end; to > 0; ) {
    const from = Math.max(0, to - CHUNK_BYTES);
    const bytes = Buffer.concat([readBytes(descriptor, from, to), rest]);
    let last = bytes.length;
    for (let at = beginning(bytes, last); at > 0; at = beginning(bytes, last)) {
      yield toLine(from + at, bytes.subarray(at, last));
      last = at;
    }
    rest = bytes.subarray(0, Math.min(last, MOST_LINE_BYTES));
    to = from;
  }
  if (lineEnd > 0) yield toLine(0, rest);
}

/** Where the last line before `end` begins behind a newline; 0: in what is not read yet. */
function beginning(bytes: Buffer, end: number): number {
  return end < 2 ? 0 : bytes.lastIndexOf(0x0a, end - 2) + 1;
}
