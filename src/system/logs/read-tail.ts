import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { listRotated } from "./rotating-file.ts";

/** The end of a rotating file. */
export interface Tail {
  /** Whole lines. */
  readonly text: string;
  /** Nothing is before it. */
  readonly isAll: boolean;
  /** Where the newest file ended. */
  readonly end: Position | undefined;
}

/** A place in one of the files of a log, which keeps its number when it is set aside. */
export interface Position {
  readonly ino: number;
  readonly offset: number;
}

/** Whole lines from the end of a rotating file, over as many of its files as `maxBytes` takes. */
export function readTail(path: string, maxBytes: number): Tail {
  const parts: Buffer[] = [];
  let room = maxBytes;
  let end: Position | undefined;
  let isAll = true;
  for (const file of listRotated(path).toReversed()) {
    using opened = openToRead(file);
    if (!opened) continue; // removed a moment ago
    const { size, ino } = fstatSync(opened.descriptor);
    end ??= { ino, offset: size };
    const from = Math.max(0, size - room);
    parts.unshift(readBytes(opened.descriptor, from, size));
    room -= size - from;
    isAll &&= from === 0;
  }
  const text = Buffer.concat(parts).toString("utf8");
  return { text: isAll ? text : text.slice(text.indexOf("\n") + 1), isAll, end };
}

/** Opens a file to read; undefined when it is not there. */
export function openToRead(
  path: string,
): ({ readonly descriptor: number } & Disposable) | undefined {
  try {
    const descriptor = openSync(path, "r");
    return { descriptor, [Symbol.dispose]: () => closeSync(descriptor) };
  } catch {
    return undefined;
  }
}

/** What is between two places of a file, or less where it is shorter. */
export function readBytes(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from));
}
