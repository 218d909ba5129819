import { closeSync, openSync, readSync } from "node:fs";
import { normalisePath } from "../core/relative-path.ts";
import { EXACT_FLAGS, expectExact } from "../system/open-exact.ts";
import { listFiles } from "./files.ts";
import {
  createFindSecretName,
  type FindSecretName,
  isProtectedPath,
} from "./path-guard/path-guard.ts";
import type { Workspace } from "./workspace.ts";

const MAX_FILE_BYTES = 2 * 1024 * 1024;
/** Longest stretch without letting others run. */
const SLICE_MS = 8;
/** A NUL byte this early means binary, as in git and grep. */
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
  /** Most hits of one file; for who wants to know which files hold it. */
  readonly perFile?: number;
  readonly signal?: AbortSignal;
}

/**
 * Finds lines that hold a literal text, by path and line; one hit a line, at most `limit` (50).
 * Ignored and generated, binary, over-large and protected files are left out.
 */
export async function searchFiles(
  workspace: Workspace,
  options: SearchOptions,
): Promise<readonly SearchHit[]> {
  const { query, limit = 50, perFile = limit, signal } = options;
  if (query === "" || /[\r\n]/.test(query)) return [];
  const needle = Buffer.from(query);
  const buffer = Buffer.allocUnsafe(MAX_FILE_BYTES + 1);
  const findSecretName = createFindSecretName(workspace);
  const hits: SearchHit[] = [];
  let sliceEnd = 0;
  for (const path of await candidates(workspace.root, options)) {
    if (performance.now() > sliceEnd) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      sliceEnd = performance.now() + SLICE_MS;
    }
    const bytes = readFound({ workspace, path, needle, buffer, findSecretName });
    if (bytes === undefined) continue;
    for (const hit of hitsIn(bytes, needle).take(perFile)) {
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

interface Place {
  readonly workspace: Workspace;
  readonly path: string;
  readonly needle: Buffer;
  readonly buffer: Buffer;
  readonly findSecretName: FindSecretName;
}

/**
 * The whole file in `buffer` if the needle is in it and it may be shown. Synchronous: over many
 * small files that is three times as fast. Where nothing was found nobody asks what the file was.
 */
function readFound({ workspace, path, needle, buffer, findSecretName }: Place): Buffer | undefined {
  const realPath = `${workspace.root}/${path}`;
  try {
    const fd = openSync(realPath, EXACT_FLAGS);
    try {
      const sizeBytes = readSync(fd, buffer, 0, buffer.length, 0);
      if (sizeBytes > MAX_FILE_BYTES) return undefined;
      const bytes = buffer.subarray(0, sizeBytes);
      if (!bytes.includes(needle) || isBinary(bytes) || !mayShow(workspace, path)) return undefined;
      return findSecretName(expectExact(fd, realPath)) === undefined ? bytes : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

/** By its name: a listing follows no links. */
function mayShow({ protectedPaths }: Workspace, path: string): boolean {
  return normalisePath(path).ok && !isProtectedPath(path, protectedPaths, "read");
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
