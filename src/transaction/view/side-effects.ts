import { chmodSync, lstatSync, readlinkSync, type Stats } from "node:fs";
import { normalisePath } from "../../core/relative-path.ts";
import { type OverlayCalls, openOverlayCalls } from "../../system/sandbox/overlay/overlay.ts";
import { isGenerated } from "../../workspace/files.ts";
import { type IgnoreRules, isIgnored, rulesInside } from "../../workspace/ignore-rules.ts";
import { isProtectedPath } from "../../workspace/path-guard/path-guard.ts";
import { createTracked, type Tracked } from "../../workspace/tracked.ts";
import type { Change, ChangeSet, FileState } from "../change.ts";
import { openTree, type Tree } from "../tree.ts";
import { type Expected, type ExpectedTree, expectTree } from "./expected.ts";
import type { SideEffects, SkippedEffect } from "./opened.ts";
import { createSlices } from "./slices.ts";

/** No sane check changes more files than this. */
const MOST_CHANGES = 2000;
/** All contents together, from before and after. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Of one file. */
const MOST_FILE_BYTES = 8 * 1024 * 1024;
/** No tree that a person made is deeper. */
const MOST_DEPTH = 64;
/** What an owner needs to look into a folder and change it. */
const OWNER_RIGHTS = 0o700;

/** What was laid over a folder, and what it was laid over. */
export interface LookRequest {
  readonly root: string;
  readonly upper: string;
  /** It holds all of the folder: what is not there is gone. */
  readonly isWhole?: boolean;
  readonly changeSet: ChangeSet | undefined;
  readonly protectedPaths: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * What commands did to files of the project: all that differs on top from what was put there. What
 * the ignore rules hold is passed over, as they were before the commands ran, but for what git keeps
 * all the same.
 */
export async function findSideEffects(request: LookRequest): Promise<SideEffects> {
  using calls = openOverlayCalls();
  if (!calls) throw new Error("an overlay was begun without what it takes");
  using lower = openTree(request.root);
  // A command may have taken rights on what it made away from itself.
  using _rights = openToOwner(request.upper);
  using upper = openTree(request.upper, "roll back");
  const expected = expectTree(lower, request.changeSet);
  const found = collect(request.protectedPaths);
  const look: Look = {
    upper,
    expected,
    found,
    calls,
    isCopy: request.isWhole ?? false,
    tracked: createTracked(request.root),
    signal: request.signal,
    slice: createSlices(),
  };
  await compareFolder(look, {
    path: "",
    rules: expected.rules("", []),
    depth: 0,
    isNew: request.isWhole ?? false,
    isTools: false,
  });
  lookForMissing(look, request.changeSet);
  return found.result();
}

/** Gives the owner's rights on the folder itself back, until the look is over. */
function openToOwner(folder: string): Disposable {
  const mode = lstatSync(folder).mode & 0o7777;
  const isOpen = (mode & OWNER_RIGHTS) === OWNER_RIGHTS;
  if (!isOpen) chmodSync(folder, mode | OWNER_RIGHTS);
  return { [Symbol.dispose]: () => (isOpen ? undefined : chmodSync(folder, mode)) };
}

interface Look {
  readonly upper: Tree;
  readonly expected: ExpectedTree;
  readonly found: Found;
  readonly calls: OverlayCalls;
  /** A pipe or a socket was never in it. */
  readonly isCopy: boolean;
  readonly tracked: Tracked;
  readonly signal: AbortSignal;
  readonly slice: () => Promise<void>;
}

/** A folder that has a part on top. */
interface FolderOnTop {
  readonly path: string;
  readonly rules: IgnoreRules;
  readonly depth: number;
  /** Nothing below shows through. */
  readonly isNew: boolean;
  /** It is a tool's: nothing counts in it but what git keeps. */
  readonly isTools: boolean;
}

async function compareFolder(look: Look, folder: FolderOnTop): Promise<void> {
  const { upper, expected, found, calls } = look;
  const names = upper.list(folder.path);
  for (const name of names) {
    if (found.isFull()) return;
    await look.slice();
    look.signal.throwIfAborted();
    const path = within(folder.path, name);
    const stat = lstatSync(upper.at(path), { throwIfNoEntry: false });
    if (!stat && folder.isTools) continue;
    if (!stat)
      found.skip(path, "name"); // of bytes that are no text
    else if (isWhiteout(stat)) removed(look, path, folder);
    else if (stat.isDirectory()) {
      const isTools = folder.isTools || isGenerated(folder.rules, `${path}/`, name);
      if (isTools && look.tracked.below(path).length === 0) continue;
      const before = expected.at(path);
      if (before.kind === "nothing") found.add({ kind: "mkdir", path, mode: stat.mode & 0o777 });
      else if (before.kind !== "folder") {
        found.skip(path, "replaced");
        continue;
      }
      if (folder.depth === MOST_DEPTH) return found.cut();
      const rules = expected.rules(`${path}/`, rulesInside(folder.rules, `${path}/`));
      const isNew = folder.isNew || before.kind === "nothing" || calls.isOpaque(upper.at(path));
      await compareFolder(look, { path, rules, depth: folder.depth + 1, isNew, isTools });
    } else if (isProjects(look, path, folder)) compareEntry(look, path, stat);
  }
  if (!folder.isNew) return;
  const there = new Set(names);
  for (const name of expected.list(folder.path)) {
    if (!there.has(name)) removed(look, within(folder.path, name), folder);
  }
}

/** Whether a file is one of the project: no rule ignores it, or git keeps it all the same. */
function isProjects(
  { tracked }: Look,
  path: string,
  { rules, isTools }: Pick<FolderOnTop, "rules" | "isTools">,
): boolean {
  return (!isTools && !isIgnored(rules, path)) || tracked.has(path);
}

function compareEntry({ upper, expected, found }: Look, path: string, stat: Stats): void {
  const before = expected.at(path);
  if (stat.isSymbolicLink()) {
    const isSame = before.kind === "link" && readlinkSync(upper.at(path)) === before.target;
    return isSame ? undefined : found.skip(path, "link");
  }
  if (!stat.isFile()) return found.skip(path, "special");
  if (before.kind !== "file" && before.kind !== "nothing") return found.skip(path, "replaced");
  if (stat.size > MOST_FILE_BYTES) {
    const isSame = before.kind === "file" && before.isLike(stat);
    return isSame ? undefined : found.skip(path, "large");
  }
  const now = upper.look(path);
  if (now.kind !== "file") return found.skip(path, "special");
  const after = { sha256: now.state.sha256, mode: now.state.mode, sizeBytes: now.bytes.length };
  if (before.kind === "nothing") return found.add({ kind: "create", path, after }, now.bytes);
  const was = readBefore(before);
  if (!was) return found.skip(path, "large");
  if (was.state.sha256 === after.sha256 && was.state.mode === after.mode) return;
  found.add({ kind: "update", path, before: was.state, after }, was.bytes, now.bytes);
}

/** All of the project that was there is gone; what is ignored may be gone with it, or not. */
function removed(look: Look, path: string, folder: Pick<FolderOnTop, "rules" | "isTools">): void {
  const { expected, found, tracked } = look;
  const { rules } = folder;
  const before = expected.at(path);
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (found.isFull() || found.isGone(path) || before.kind === "nothing") return;
  if (before.kind === "folder") {
    const isTools = folder.isTools || isGenerated(rules, `${path}/`, name);
    if (isTools && tracked.below(path).length === 0) return;
    const inner = expected.rules(`${path}/`, rulesInside(rules, `${path}/`));
    const names = expected.list(path);
    for (const each of names) removed(look, within(path, each), { rules: inner, isTools });
    if (names.every((each) => found.isGone(within(path, each)))) {
      found.add({ kind: "rmdir", path, mode: before.mode });
    }
    return;
  }
  if (!isProjects(look, path, folder) || (look.isCopy && before.kind === "other")) return;
  if (before.kind !== "file") return found.skip(path, before.kind === "link" ? "link" : "special");
  const was = readBefore(before);
  if (!was) return found.skip(path, "large");
  found.add({ kind: "delete", path, before: was.state }, was.bytes);
}

/** What the change set brings has nothing below that would have to be hidden. */
function lookForMissing(look: Look, changeSet: ChangeSet | undefined): void {
  const brought = changeSet?.changes.filter(({ kind }) => kind === "mkdir" || kind === "create");
  for (const { path } of brought ?? []) {
    if (!look.upper.has(path)) removed(look, path, { rules: [], isTools: false });
  }
}

function readBefore(before: Extract<Expected, { kind: "file" }>) {
  return before.sizeBytes > MOST_FILE_BYTES ? undefined : before.read();
}

/** The entry by which overlayfs hides a name below: a character device without a number. */
function isWhiteout(stat: Stats): boolean {
  return stat.isCharacterDevice() && stat.rdev === 0;
}

function within(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Collects effects, as many and as large as are worth keeping. */
interface Found {
  add(change: Change, ...contents: readonly Uint8Array[]): void;
  skip(path: string, why: SkippedEffect["why"]): void;
  cut(): void;
  isFull(): boolean;
  /** Whether it was found to be gone. */
  isGone(path: string): boolean;
  result(): SideEffects;
}

function collect(protectedPaths: readonly string[]): Found {
  const changes: Change[] = [];
  const contents = new Map<string, Uint8Array>();
  const skipped: SkippedEffect[] = [];
  const gone = new Set<string>();
  let bytes = 0;
  let isCut = false;

  const skip = (path: string, why: SkippedEffect["why"]) => {
    if (skipped.length < MOST_CHANGES) skipped.push({ path, why });
    else isCut = true;
  };
  return {
    add(change, ...added) {
      const { path } = change;
      const normal = normalisePath(path);
      if (!normal.ok || normal.path !== path) return skip(path, "name");
      if (isProtectedPath(path, protectedPaths, "read")) return skip(path, "protected");
      bytes += added.reduce((sum, { length }) => sum + length, 0);
      isCut ||= bytes > MOST_BYTES || changes.length >= MOST_CHANGES;
      if (isCut) return;
      changes.push(change);
      if (change.kind === "delete" || change.kind === "rmdir") gone.add(path);
      for (const [index, state] of statesOf(change).entries()) {
        const content = added[index];
        if (content) contents.set(state.sha256, content);
      }
    },
    skip,
    cut: () => void (isCut = true),
    isFull: () => isCut,
    isGone: (path) => gone.has(path),
    result: () => ({ changes, contents, skipped, isCut }),
  };
}

function statesOf(change: Change): readonly FileState[] {
  return [
    ...("before" in change ? [change.before] : []),
    ...("after" in change ? [change.after] : []),
  ];
}
