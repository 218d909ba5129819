import {
  closeSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { makePrivateDir } from "../make-private-dir.ts";
import { listOrEmpty } from "../read-or-empty.ts";

/** How large a file becomes before it is set aside, and how many of those are kept. */
export interface Rotation {
  readonly maxBytes: number;
  readonly keptFiles: number;
}

/** A file of lines that never outgrows its bounds; closed with its process. */
export interface RotatingFile {
  readonly path: string;
  /**
   * Appends one line with its newline, whole or not at all. It never throws: what a full disk
   * refuses is lost, and `onLost` writes how much that was once there is room again.
   */
  write(line: string): void;
}

/**
 * Opens a file of lines with its first line. `x.log` is the newest; `x.log.1` was set aside
 * last. One process may write it; any number may read.
 */
export function createRotatingFile(
  path: string,
  { maxBytes, keptFiles }: Rotation,
  renderLost: (lines: number) => string,
): RotatingFile {
  let descriptor: number | undefined;
  let lost = 0;

  function append(text: string): void {
    const bytes = Buffer.from(text);
    descriptor = readyFor(path, bytes.length, descriptor, { maxBytes, keptFiles });
    writeWhole(descriptor, bytes);
  }

  return {
    path,
    write(line) {
      try {
        append(lost > 0 ? renderLost(lost) + line : line);
        lost = 0;
      } catch {
        lost++;
      }
    },
  };
}

/** The files of a log that exist and can be read, the oldest first; others may be gone. */
export function listRotated(path: string): readonly string[] {
  const numbers = listNumbers(path).filter((number) =>
    statSync(nameOf(path, number), NONE)?.isFile(),
  );
  return numbers.map((number) => nameOf(path, number));
}

/**
 * Removes the files of a log that were set aside and last written before an instant, the oldest
 * first; gives how many. The newest file stays, and so does what is no file. Of a link only the link
 * goes.
 */
export function removeRotated(path: string, before: number): number {
  const aside = listNumbers(path).flatMap((number) => {
    const file = nameOf(path, number);
    const stat = lstatSync(file, NONE);
    const isOne = stat !== undefined && (stat.isFile() || stat.isSymbolicLink());
    return number > 0 && isOne ? { file, writtenAt: stat.mtimeMs } : [];
  });
  const end = aside.findIndex(({ writtenAt }) => writtenAt >= before);
  const old = end === -1 ? aside : aside.slice(0, end);
  for (const { file } of old) rmSync(file, { force: true });
  return old.length;
}

const NONE = { throwIfNoEntry: false } as const;

/** Of all names that a log has, the oldest first: what was removed by hand leaves a gap. */
function listNumbers(path: string): readonly number[] {
  const start = `${basename(path)}.`;
  return listOrEmpty(dirname(path))
    .flatMap((name) => {
      const number = name.startsWith(start) ? name.slice(start.length) : "";
      if (name === basename(path)) return 0;
      return /^[1-9]\d{0,3}$/u.test(number) ? Number(number) : [];
    })
    .toSorted((a, b) => b - a);
}

function nameOf(path: string, number: number): string {
  return number === 0 ? path : `${path}.${number}`;
}

/** An open file with room: another one when it was removed, or is full. */
function readyFor(
  path: string,
  byteCount: number,
  open: number | undefined,
  { maxBytes, keptFiles }: Rotation,
): number {
  const descriptor = open ?? openForLines(path);
  const { size, nlink } = fstatSync(descriptor);
  const isFull = size > 0 && size + byteCount > maxBytes;
  if (nlink > 0 && !isFull) return descriptor;
  if (nlink > 0) setAside(path, keptFiles);
  const next = openForLines(path);
  closeSync(descriptor);
  return next;
}

/** Each file moves one number up, into the first gap: an end in the middle of it loses nothing. */
function setAside(path: string, keptFiles: number): void {
  let free = 1;
  while (free < keptFiles && lstatSync(nameOf(path, free), NONE)) free++;
  for (let number = free; number > 0; number--) {
    renameSync(nameOf(path, number - 1), nameOf(path, number));
  }
}

/** What a power cut left of a last line is ended, so that the next one is a line of its own. */
function openForLines(path: string): number {
  makePrivateDir(dirname(path));
  const descriptor = openSync(path, "a+", 0o600);
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  if (size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a) {
    writeSync(descriptor, "\n");
  }
  return descriptor;
}

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  const { size } = fstatSync(descriptor);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
  } catch (error) {
    ftruncateSync(descriptor, size);
    throw error;
  }
}
