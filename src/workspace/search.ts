import { closeSync, constants, openSync, readSync } from "node:fs";
import { listFiles } from "./files.ts";

const MAX_FILE_BYTES = 2 * 1024 * 1024;
/** Longest stretch without letting others run. */
const SLICE_MS = 8;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** A NUL byte this early means binary, as git and grep judge. */
const SNIFF_BYTES = 8000;
const TEXT_BEFORE_BYTES = 120;
const TEXT_BYTES = 400;

/** One line that holds the query. */
export interface SearchHit {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The line, or of a very long one the part around the query. */
  readonly text: string;
}

/** What to look for and where. */
export interface SearchOptions {
  /** Literal, case-sensitive; may not span lines. */
  readonly query: string;
  /** Over relative paths; without a "/" it holds for names in any folder, as in .gitignore. */
  readonly glob?: string;
  readonly limit?: number;
  /** Paths that may not be shown. */
  readonly skip?: (path: string) => boolean;
  readonly signal?: AbortSignal;
}

/**
 * Finds lines that hold a literal text, by path and line; one hit a line, at most `limit` (50).
 * Ignored and generated, binary and over-large files are left out, as are the ones `skip` names.
 */
export async function searchFiles(
  root: string,
  options: SearchOptions,
): Promise<readonly SearchHit[]> {
  const { query, limit = 50, skip = () => false, signal } = options;
  if (query === "" || /[\r\n]/.test(query)) return [];
  const needle = Buffer.from(query);
  const buffer = Buffer.allocUnsafe(MAX_FILE_BYTES + 1);
  const hits: SearchHit[] = [];
  let sliceEnd = 0;
  for (const path of await candidates(root, options)) {
    if (performance.now() > sliceEnd) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      sliceEnd = performance.now() + SLICE_MS;
    }
    const bytes = readSmall(`${root}/${path}`, buffer);
    if (!bytes.includes(needle) || isBinary(bytes) || skip(path)) continue;
    for (const hit of hitsIn(bytes, needle)) {
      hits.push({ path, ...hit });
      if (hits.length === limit) return hits;
    }
  }
  return hits;
}

async function candidates(root: string, options: SearchOptions): Promise<readonly string[]> {
  const { paths } = await listFiles(root, options.signal ? { signal: options.signal } : {});
  if (options.glob === undefined) return paths;
  const glob = new Bun.Glob(anchored(options.glob));
  return paths.filter((path) => glob.match(path));
}

function anchored(glob: string): string {
  const whole = glob.endsWith("/") ? `${glob}**` : glob;
  return whole.includes("/") ? whole.replace(/^\.?\//, "") : `**/${whole}`;
}

/**
 * The whole file in `buffer`, or nothing when it is too large or cannot be read. Synchronous:
 * over many small files that is three times as fast. A pipe that took a file's place is not waited for, a link not followed.
 */
function readSmall(absolutePath: string, buffer: Buffer): Buffer {
  try {
    const file = openSync(absolutePath, READ_FLAGS);
    try {
      const sizeBytes = readSync(file, buffer, 0, buffer.length, 0);
      return buffer.subarray(0, sizeBytes > MAX_FILE_BYTES ? 0 : sizeBytes);
    } finally {
      closeSync(file);
    }
  } catch {
    return buffer.subarray(0, 0);
  }
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, SNIFF_BYTES).includes(0);
}

function* hitsIn(bytes: Buffer, needle: Buffer): Generator<Omit<SearchHit, "path">> {
  let line = 1;
  let counted = 0;
  for (let at = bytes.indexOf(needle); at !== -1; ) {
    line += countNewlines(bytes, counted, at);
    counted = at;
    const newline = bytes.indexOf(10, at);
    const lineEnd = newline === -1 ? bytes.length : newline;
    yield { line, text: lineText(bytes, bytes.lastIndexOf(10, at) + 1, at, lineEnd) };
    at = newline === -1 ? -1 : bytes.indexOf(needle, newline);
  }
}

function countNewlines(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = bytes.indexOf(10, from); at !== -1 && at < to; at = bytes.indexOf(10, at + 1)) {
    count++;
  }
  return count;
}

/** Cut on whole characters. */
function lineText(bytes: Buffer, lineStart: number, at: number, lineEnd: number): string {
  const isContinuation = (index: number) => ((bytes[index] ?? 0) & 0xc0) === 0x80;
  let start = Math.max(lineStart, at - TEXT_BEFORE_BYTES);
  while (start < at && isContinuation(start)) start++;
  let end = Math.min(lineEnd, start + TEXT_BYTES);
  while (end > at && end < lineEnd && isContinuation(end)) end--;
  return bytes.toString("utf8", start, end).trimEnd();
}
