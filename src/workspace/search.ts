import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { systemErrorCode } from "../core/app-error.ts";
import type { TellCounted } from "../core/few.ts";
import { EXACT_FLAGS, expectExact } from "../system/open-exact.ts";
import { type Listing, listFiles } from "./files.ts";
import { type LeftOut, type Part, toLeftOut } from "./part.ts";
import {
  classifyName,
  createFindSecretName,
  type FindSecretName,
} from "./path-guard/path-guard.ts";
import { countNewlines, readStretches } from "./search-large.ts";
import type { Workspace } from "./workspace.ts";

/** Up to this size a file is read at once. */
const SMALL_BYTES = 2 * 1024 * 1024;
/** A larger file is no text that anybody looks for a line in. */
const MAX_FILE_BYTES = 4 * 1024 ** 3;
/** Longest stretch without letting others run. */
const SLICE_MS = 8;
/** Hits behind the limit that are counted: whoever narrows a search knows then how much. */
export const MOST_COUNTED = 10_000;
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
  /** Hits behind the limit are counted, up to {@link MOST_COUNTED}; else the first of them is enough. */
  readonly isCounted?: boolean;
  readonly signal?: AbortSignal;
  /** Is told how many files were searched, each time that others get their turn. */
  readonly tell?: TellCounted;
}

/**
 * Finds lines that hold a literal text, by path and line; one hit a line, at most `limit` (50), and
 * how many more there are.
 * Ignored and generated, binary and protected files are not searched; what else was not is said.
 */
export async function searchFiles(
  workspace: Workspace,
  options: SearchOptions,
): Promise<Part<SearchHit>> {
  const { query, limit = 50, perFile = Infinity, signal, tell } = options;
  const hits: SearchHit[] = [];
  if (query === "" || /[\r\n]/.test(query)) return { items: hits, leftOut: [] };
  const listing = await candidates(workspace.root, options);
  const mostFurther = options.isCounted ? MOST_COUNTED : 1;
  let further = 0;
  const missed: Record<Missed, string[]> = { large: [], unreadable: [], names: [] };
  const search: Search = {
    workspace,
    needle: Buffer.from(query),
    buffer: Buffer.allocUnsafe(SMALL_BYTES + 1),
    findSecretName: createFindSecretName(workspace),
    rest: createRest(signal),
  };
  for (const [index, path] of listing.items.entries()) {
    const pause = search.rest();
    if (pause) {
      tell?.({ counted: index, of: listing.items.length });
      await pause;
    }
    const found = readFound(search, path);
    if (typeof found === "string" && found !== "stretches") {
      if (found !== "nothing") missed[found].push(path);
      continue;
    }
    const lines =
      found === "stretches" ? hitsInStretches(search, path) : hitsIn(found, search.needle);
    let ofFile = 0;
    for await (const hit of lines) {
      if (hits.length < limit) hits.push({ path, ...hit });
      else if (++further === mostFurther) return { items: hits, leftOut: [{ what: "hits" }] };
      if (++ofFile === perFile) break;
    }
  }
  const more: LeftOut[] = further > 0 ? [{ what: "hits", count: further }] : [];
  return { items: hits, leftOut: [...more, ...listing.leftOut, ...toldOf(missed)] };
}

/** Why a file that may hold the query gives no hits. */
type Missed = "large" | "unreadable" | "names";

function toldOf(missed: Readonly<Record<Missed, readonly string[]>>): readonly LeftOut[] {
  return (["large", "unreadable", "names"] as const).flatMap((what) =>
    toLeftOut(what, missed[what]),
  );
}

/** Gives others their turn, every few milliseconds, and a signal too. */
function createRest(signal: AbortSignal | undefined): () => Promise<void> | undefined {
  let sliceEnd = 0;
  return () => {
    if (performance.now() <= sliceEnd) return undefined;
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      signal?.throwIfAborted();
      sliceEnd = performance.now() + SLICE_MS;
    });
  };
}

async function candidates(root: string, options: SearchOptions): Promise<Listing> {
  const listing = await listFiles(root, options.signal ? { signal: options.signal } : {});
  if (options.glob === undefined) return listing;
  const glob = new Bun.Glob(anchored(options.glob));
  return { ...listing, items: listing.items.filter((path) => glob.match(path)) };
}

function anchored(glob: string): string {
  const whole = glob.endsWith("/") ? `${glob}**` : glob;
  return whole.includes("/") ? whole.replace(/^\.?\//, "") : `**/${whole}`;
}

interface Search {
  readonly workspace: Workspace;
  readonly needle: Buffer;
  readonly buffer: Buffer;
  readonly findSecretName: FindSecretName;
  readonly rest: () => Promise<void> | undefined;
}

/**
 * The whole file in `buffer` if the needle is in it and it may be shown; else why not. Synchronous:
 * over many small files that is three times as fast. Where nothing was found nobody asks what the
 * file was.
 */
function readFound(
  { workspace, needle, buffer, findSecretName }: Search,
  path: string,
): Buffer | "nothing" | "stretches" | Missed {
  const realPath = `${workspace.root}/${path}`;
  try {
    const fd = openSync(realPath, EXACT_FLAGS);
    try {
      const sizeBytes = readSync(fd, buffer, 0, buffer.length, 0);
      const bytes = buffer.subarray(0, Math.min(sizeBytes, SMALL_BYTES));
      const isSmall = sizeBytes <= SMALL_BYTES;
      if ((isSmall && !bytes.includes(needle)) || isBinary(bytes)) return "nothing";
      const kind = classifyName(workspace, path);
      if (kind !== "readable") return kind === "unusable" ? "names" : "nothing";
      if (findSecretName(expectExact(fd, realPath)) !== undefined) return "nothing";
      if (isSmall) return bytes;
      return fstatSync(fd).size > MAX_FILE_BYTES ? "large" : "stretches";
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    // Gone since it was listed, or another thing by now: there is nothing to search.
    return /^(?:EACCES|EPERM|EIO)$/u.test(systemErrorCode(error) ?? "") ? "unreadable" : "nothing";
  }
}

async function* hitsInStretches(
  { workspace, needle, findSecretName, rest }: Search,
  path: string,
): AsyncGenerator<Omit<SearchHit, "path">> {
  const overlap = needle.length - 1 + TEXT_BEFORE_BYTES;
  let last = 0;
  const realPath = `${workspace.root}/${path}`;
  const mayRead = (fd: number) => findSecretName(expectExact(fd, realPath)) === undefined;
  for (const { bytes, lines } of readStretches(realPath, overlap, mayRead)) {
    for (const hit of hitsIn(bytes, needle)) {
      const line = lines + hit.line;
      if (line !== last) yield { ...hit, line }; // once, however long the line is
      last = line;
    }
    await rest();
  }
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, SNIFF_BYTES).includes(0);
}

function* hitsIn(bytes: Buffer, needle: Buffer): Generator<Omit<SearchHit, "path">> {
  let line = 1;
  let counted = 0;
  for (let at = bytes.indexOf(needle); at !== -1; ) {
    line += countNewlines(bytes.subarray(counted, at));
    counted = at;
    const newline = bytes.indexOf(10, at);
    const lineEnd = newline === -1 ? bytes.length : newline;
    yield { line, text: lineText(bytes, bytes.lastIndexOf(10, at) + 1, at, lineEnd) };
    at = newline === -1 ? -1 : bytes.indexOf(needle, newline);
  }
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
