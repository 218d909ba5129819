import { sha256 } from "../../core/sha256.ts";
import type { Change, ChangeSet, FileState } from "../change.ts";
import { buildChangeSet, contentOf } from "../change-set.ts";
import { diffOf } from "../preview.ts";

/** A file that is left out of a change set, or some of its hunks, by their numbers in the shown diff. */
export interface LeftPart {
  readonly path: string;
  /** From 0; missing: the whole file. */
  readonly hunks?: readonly number[];
}

/** A change set without what was left out of it, or why there is none. */
export type LeftOut =
  | { readonly ok: true; readonly changeSet: ChangeSet; readonly left: readonly LeftPart[] }
  /** It has no such file, or the file no such hunk. */
  | { readonly ok: false; readonly why: "unknown"; readonly path: string; readonly hunk?: number }
  /** All of it was to be left out. */
  | { readonly ok: false; readonly why: "nothing left" }
  /** What stays needs what was to be left out. */
  | { readonly ok: false; readonly why: "needed"; readonly needs: readonly Need[] };

/** A change that stays, and the one that it cannot do without. */
export interface Need {
  readonly path: string;
  readonly needs: string;
}

/**
 * The part of a change set that stays when files or hunks are left out, made for the same files:
 * what was left out, done after it, gives the whole again. Folders that were to be made for nothing
 * but files that are left out go with them. Nothing left out is the same change set.
 */
export function leaveOut(whole: ChangeSet, parts: readonly LeftPart[]): LeftOut {
  const contents = new Map(whole.contents);
  const left = new Map<string, LeftPart>();
  const kept = new Map(whole.changes.map((change) => [change.path, change]));
  for (const part of parts) {
    const change = kept.get(part.path);
    if (!change || left.has(part.path)) return { ok: false, why: "unknown", path: part.path };
    const found = without(whole, change, part.hunks);
    if (found.kind === "unknown") {
      return { ok: false, why: "unknown", path: part.path, hunk: found.hunk };
    }
    if (found.kind === "same") continue;
    left.set(part.path, found.kind === "nothing" ? { path: part.path } : part);
    if (found.kind === "nothing") kept.delete(part.path);
    else {
      kept.set(part.path, found.change);
      contents.set(found.change.after.sha256, found.bytes);
    }
  }
  for (const path of idleFolders(whole.changes, kept)) {
    kept.delete(path);
    left.set(path, { path });
  }
  if (left.size === 0) return { ok: true, changeSet: whole, left: [] };
  if (kept.size === 0) return { ok: false, why: "nothing left" };
  const needs = whole.changes.flatMap((change) =>
    kept.has(change.path) ? needsOf(change, whole.changes, kept) : [],
  );
  if (needs.length > 0) return { ok: false, why: "needed", needs };
  const changes = [...kept.values()];
  const used = new Set(changes.flatMap(statesOf).map((state) => state.sha256));
  const some = new Map([...contents].filter(([hash]) => used.has(hash)));
  return { ok: true, changeSet: buildChangeSet(changes, some), left: [...left.values()] };
}

type Without =
  | { readonly kind: "same" }
  | { readonly kind: "nothing" }
  | { readonly kind: "unknown"; readonly hunk: number }
  | { readonly kind: "changed"; readonly change: Written; readonly bytes: Uint8Array };

type Written = Extract<Change, { readonly kind: "create" | "update" }>;

function without(whole: ChangeSet, change: Change, hunks: readonly number[] | undefined): Without {
  if (hunks === undefined) return { kind: "nothing" };
  const all = isFolder(change) ? [] : (diffOf(whole, change) ?? []);
  const out = new Set(hunks);
  const strange = hunks.find((hunk) => all[hunk] === undefined);
  if (strange !== undefined) return { kind: "unknown", hunk: strange };
  if (out.size === 0) return { kind: "same" };
  // A file that comes or goes is one hunk: half of it is none of the two.
  if (out.size === all.length || change.kind !== "update") return { kind: "nothing" };
  const [before, after] = [change.before, change.after].map((state) =>
    linesOf(contentOf(whole, state)),
  );
  const pieces: Uint8Array[] = [];
  const keep = (lines: readonly Uint8Array[] = [], from: number, to?: number) => {
    for (const line of lines.slice(from, to)) pieces.push(line);
  };
  let [old, now] = [0, 0];
  for (const [number, { oldStart, oldLines, newStart, newLines }] of all.entries()) {
    keep(after, now, newStart - 1);
    const [side, from, count] = out.has(number)
      ? [before, oldStart - 1, oldLines]
      : [after, newStart - 1, newLines];
    keep(side, from, from + count);
    [old, now] = [oldStart - 1 + oldLines, newStart - 1 + newLines];
  }
  keep(before, old);
  const bytes = Buffer.concat(pieces);
  const state = { ...change.after, sha256: sha256(bytes), sizeBytes: bytes.byteLength };
  return { kind: "changed", change: { ...change, after: state }, bytes };
}

/** Lines with their ends, as the diff counts them. */
function linesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, at);
    const next = end < 0 ? bytes.length : end + 1;
    lines.push(bytes.subarray(at, next));
    at = next;
  }
  return lines;
}

const LINE_FEED = 10;

/** Folders that were to be made, and of what was to come into them nothing does. */
function idleFolders(all: readonly Change[], kept: ReadonlyMap<string, Change>): readonly string[] {
  return all.flatMap(({ kind, path }) => {
    if (kind !== "mkdir" || !kept.has(path)) return [];
    const inside = all.filter((each) => each.kind !== "mkdir" && isIn(each.path, path));
    return inside.length > 0 && !inside.some((each) => kept.has(each.path)) ? [path] : [];
  });
}

/** What a change that stays cannot do without. */
function needsOf(
  change: Change,
  all: readonly Change[],
  kept: ReadonlyMap<string, Change>,
): readonly Need[] {
  const { path } = change;
  const gone = all.filter((each) => !kept.has(each.path));
  const needed = gone.filter((each) => {
    if (change.kind === "mkdir" || change.kind === "create") {
      return each.kind === "mkdir" && isIn(path, each.path);
    }
    if (change.kind === "rmdir") {
      return (each.kind === "delete" || each.kind === "rmdir") && isIn(each.path, path);
    }
    // Moved to another place: without that its content would be lost.
    if (change.kind !== "delete" || each.kind !== "create") return false;
    if (change.before.sizeBytes === 0) return false;
    return each.after.sha256 === change.before.sha256 && !isElsewhere(change.before, all, kept);
  });
  return needed.map((each) => ({ path, needs: each.path }));
}

function isElsewhere(
  { sha256: hash }: FileState,
  all: readonly Change[],
  kept: ReadonlyMap<string, Change>,
): boolean {
  return all.some(
    (each) => kept.has(each.path) && each.kind === "create" && each.after.sha256 === hash,
  );
}

function isFolder({ kind }: Change): boolean {
  return kind === "mkdir" || kind === "rmdir";
}

function isIn(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

function statesOf(change: Change): readonly FileState[] {
  return [
    ...("before" in change ? [change.before] : []),
    ...("after" in change ? [change.after] : []),
  ];
}
