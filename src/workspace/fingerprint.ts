import { createHash, randomUUID } from "node:crypto";
import { lstatSync, type Stats } from "node:fs";
import type { TellCounted } from "../core/few.ts";
import { listFiles } from "./files.ts";
import { readTracked } from "./tracked.ts";

/** Files that are asked for before anything else may run: a few milliseconds. */
const FILES_AT_ONCE = 1024;

/**
 * A hash that changes when a file of the workspace is added, removed or written:
 * or one of those that `which` says, a glob or a function: paths, sizes and times, no contents, so that it is cheap enough for every due routine.
 * `isExact` tells also a file whose time of writing was set back, or that took another's place, a
 * link, one in a folder like `build` that is not ignored, and one that is but that git keeps all the
 * same. What it cannot look at is never the same: a name that is no text, folders deeper than are
 * walked, an index of git's that cannot be read.
 *
 * A person waits for it behind a press: each file is asked for once, without a promise of its own,
 * which costs half of what asking for many at a time does.
 */
export async function readFingerprint(
  root: string,
  signal: AbortSignal,
  which?: string | ((path: string) => boolean),
  isExact = false,
  { look = lstatSync, tell }: Looking = {},
): Promise<string> {
  const { items: listed, leftOut } = await listFiles(root, {
    signal,
    limit: Number.POSITIVE_INFINITY,
    isWhole: isExact,
  });
  const tracked = isExact ? readTracked(root) : undefined;
  const all = tracked ? withTracked(listed, tracked.paths) : listed;
  const paths = which === undefined ? all : all.filter(toFilter(which));
  const hash = createHash("sha256").update(paths.join("\0"));
  let isSure = leftOut.length === 0 && tracked?.unknown === undefined;
  for (let start = 0; start < paths.length; start += FILES_AT_ONCE) {
    signal.throwIfAborted();
    const batch = paths.slice(start, start + FILES_AT_ONCE);
    const facts = new Float64Array(batch.length * FACTS);
    let at = 0;
    for (const path of batch) {
      writeFacts(facts, at, look, `${root}/${path}`, isExact);
      at += FACTS;
    }
    hash.update(facts);
    if (isExact && batch.some(isLossy)) isSure = false;
    tell?.({ counted: Math.min(paths.length, start + FILES_AT_ONCE), of: paths.length });
    await new Promise(setImmediate);
  }
  return isSure ? hash.digest("hex") : `${hash.digest("hex")}${DOUBT}${randomUUID()}`;
}

function toFilter(which: string | ((path: string) => boolean)): (path: string) => boolean {
  if (typeof which !== "string") return which;
  const glob = new Bun.Glob(which);
  return (path) => glob.match(path);
}

/** Both are in almost the same order, so that most of what git keeps is found where it is looked for. */
function withTracked(listed: readonly string[], tracked: readonly string[]): readonly string[] {
  let at = 0;
  const missed = tracked.filter((path) => {
    while (at < listed.length && (listed[at] ?? "") < path) at += 1;
    return listed[at] !== path;
  });
  if (missed.length === 0) return listed;
  const all = new Set(listed);
  return [...listed, ...missed.filter((path) => !all.has(path))];
}

/** Whether two fingerprints are the same as far as their folders could be looked at. */
export function isSameAsSeen(one: string, other: string): boolean {
  return seenOf(one).seen === seenOf(other).seen;
}

/** A fingerprint as what was seen, and what makes it another than all others where that is not all. */
export function seenOf(fingerprint: string): { readonly seen: string; readonly doubt: string } {
  const [seen = "", ...doubt] = fingerprint.split(DOUBT);
  return { seen, doubt: doubt.map((each) => DOUBT + each).join("") };
}

const DOUBT = "?";

/** Whether a name may have been made of bytes that are no text, so that nothing is found by it. */
function isLossy(path: string): boolean {
  return path.includes("\ufffd");
}

/** How files are looked at, and who is told how many were. */
interface Looking {
  readonly look?: Look;
  readonly tell?: TellCounted | undefined;
}

/** What is told of a file; throws where there is none. */
type Look = (path: string) => Pick<Stats, "size" | "mtimeMs" | "ctimeMs" | "ino" | "mode">;

/** Numbers for each file: written as text they would cost as much as a listing. */
const FACTS = 5;

function writeFacts(
  facts: Float64Array,
  at: number,
  look: Look,
  path: string,
  isExact: boolean,
): void {
  try {
    const found = look(path);
    facts[at] = found.size;
    facts[at + 1] = found.mtimeMs;
    facts[at + 2] = found.mode;
    if (!isExact) return;
    facts[at + 3] = found.ctimeMs;
    facts[at + 4] = found.ino;
  } catch {
    facts[at] = -1; // removed while we looked: a change like any other
  }
}
