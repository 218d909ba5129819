import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { makePrivateDir } from "../make-private-dir.ts";

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

/** The files of a log that exist, the oldest first. */
export function listRotated(path: string): readonly string[] {
  const paths = [path];
  for (let number = 1; existsSync(`${path}.${number}`); number++) {
    paths.unshift(`${path}.${number}`);
  }
  return existsSync(path) ? paths : paths.slice(0, -1);
}

/**
 * Removes the files of a log that were set aside and last written before an instant, the oldest
 * first; gives how many. The newest file stays.
 */
export function removeRotated(path: string, before: number): number {
  const aside = listRotated(path).filter((file) => file !== path);
  const end = aside.findIndex((file) => (statSync(file, NONE)?.mtimeMs ?? before) >= before);
  const old = end === -1 ? aside : aside.slice(0, end);
  for (const file of old) rmSync(file, { force: true });
  return old.length;
}

const NONE = { throwIfNoEntry: false } as const;

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
  const nameOf = (number: number) => (number === 0 ? path : `${path}.${number}`);
  let free = 1;
  while (free < keptFiles && existsSync(nameOf(free))) free++;
  for (let number = free; number > 0; number--) renameSync(nameOf(number - 1), nameOf(number));
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
