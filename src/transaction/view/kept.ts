import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isMapOf, isObject, isText, parseJsonAs } from "../../core/guards.ts";
import { sha256 } from "../../core/sha256.ts";
import { listOrEmpty, readOrEmpty } from "../../system/read-or-empty.ts";
import { type OverlayCalls, openOverlayCalls } from "../../system/sandbox/overlay/overlay.ts";
import type { ChangeSet } from "../change.ts";
import { openTree } from "../tree.ts";
import { type ExpectedTree, expectTree } from "./expected.ts";
import { isStillKept } from "./is-kept.ts";
import { mergeBelow, pruneToIgnored } from "./kept-layer.ts";
import { type FolderMark, markFolder } from "./mark.ts";
import { markHidden } from "./mark-hidden.ts";

/** What ignored folders hold on top of the real ones, of views that were kept. */
export interface Kept {
  /** The name of its folder in that of all views; undefined: there is none that fits. */
  readonly name: string | undefined;
  /** The folder in it that goes between the workspace and a view. */
  readonly layer: string | undefined;
  /** What the next one is called. */
  readonly nextName: string;
  /** Marks of the real folders, by path. */
  readonly marks: Readonly<Record<string, string>>;
  /** What changed in the real folders since then may have been seen by a command, or not. */
  readonly openedAtMs: number;
}

const PREFIX = "kept-";
/** Not yet kept: nobody has committed the change set that left it. */
const WAITING = "waits-";
const LAYER = "layer";
const MARKS = "marks.json";
/** The file in a view's folder that names the kept layer below it. */
const USES = "uses";
/** A kept layer that no view has used for so long is removed. */
const MOST_AGE_MS = 14 * 24 * 3_600_000;
/** Whoever says yes later pays with a slower next check. */
const MOST_WAIT_MS = 24 * 3_600_000;

/** Whose view it is, and what is laid over the folder in it. */
interface FindRequest {
  readonly root: string;
  readonly viewsDir: string;
  /** The view's own folder, in which its kept layer is noted. */
  readonly folder: string;
  readonly changeSet: ChangeSet | undefined;
}

/**
 * What was kept of a workspace, as long as its real ignored folders are as they were then, and
 * ignored still: what is not ignored any more would show files that the project does not have.
 */
export async function findKept(request: FindRequest): Promise<Kept> {
  const { root, viewsDir, folder, changeSet } = request;
  const prefix = `${PREFIX}${sha256(root).slice(0, 16)}-`;
  const numbers = listOrEmpty(viewsDir)
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter(Number.isSafeInteger);
  const newest = Math.max(0, ...numbers);
  const openedAtMs = Date.now();
  const none: Kept = {
    name: undefined,
    layer: undefined,
    nextName: `${prefix}${newest + 1}`,
    marks: {},
    openedAtMs,
  };
  const name = `${prefix}${newest}`;
  const noted = newest === 0 ? undefined : readNote(join(viewsDir, name));
  if (!noted) return none;
  const { marks, hidden } = noted;
  using lower = openTree(root);
  const expected = expectTree(lower, changeSet);
  const isSame = (path: string) =>
    markFolder(root, path)?.hash === marks[path] && isStillKept(expected, path);
  if (!Object.keys(marks).every(isSame)) return none;
  useKept(viewsDir, folder, name); // nobody removes it while it is looked at
  const layer = `${name}/${LAYER}`;
  return (await hashHidden(root, join(viewsDir, layer))) === hidden
    ? { ...none, name, layer, marks }
    : none;
}

async function hashHidden(root: string, layer: string): Promise<string | undefined> {
  try {
    using calls = openOverlayCalls();
    return calls && (await markHidden(root, layer, calls))?.hash;
  } catch {
    return undefined; // something of it cannot be read: it is not known what it hides
  }
}

/** Notes in a view's folder which kept layer it uses, so that nobody removes that. */
function useKept(viewsDir: string, folder: string, name: string): void {
  writeFileSync(join(folder, USES), name);
  const now = new Date();
  utimesSync(join(viewsDir, name, MARKS), now, now);
}

/** A view that ran its last command. */
export interface KeepRequest {
  readonly root: string;
  readonly viewsDir: string;
  /** The view's own. */
  readonly folder: string;
  readonly upper: string;
  readonly kept: Kept;
  readonly changeSet: ChangeSet | undefined;
  /** When its first command began. */
  readonly startedAtMs: number;
  /** The change set that has to be committed before it counts. */
  readonly until: string | undefined;
}

/**
 * Keeps what a view wrote to ignored folders for the next one. Not when somebody worked in the real
 * ones meanwhile, when another view was kept first, when it is too much or cannot be read: the
 * next view is slower then, and no worse. Never throws.
 */
export async function keepQuietly(request: KeepRequest): Promise<void> {
  try {
    using calls = openOverlayCalls();
    using lower = openTree(request.root);
    const expected = expectTree(lower, request.changeSet);
    if (calls) await keepIgnored(request, expected, calls);
  } catch {
    // what is left of it goes with the view
  }
}

async function keepIgnored(
  request: KeepRequest,
  expected: ExpectedTree,
  calls: OverlayCalls,
): Promise<void> {
  const { root, viewsDir, folder, upper, kept, startedAtMs, until } = request;
  const paths = await pruneToIgnored(request, expected, calls);
  const marks: Record<string, string> = {};
  for (const path of new Set([...Object.keys(kept.marks), ...paths])) {
    const mark = markFolder(root, path);
    const isSame =
      path in kept.marks ? mark?.hash === kept.marks[path] : isOlder(mark, startedAtMs);
    if (!mark || !isSame) return;
    marks[path] = mark.hash;
  }
  if (paths.length === 0) return;
  const below = kept.layer === undefined ? undefined : join(viewsDir, kept.layer);
  if ((await mergeBelow(upper, below, calls)) === "too much") return;
  const hidden = await markHidden(root, upper, calls);
  if (!hidden || !isOlder(hidden, kept.openedAtMs)) return;
  const made = join(folder, "kept");
  mkdirSync(made, { mode: 0o700 });
  renameSync(upper, join(made, LAYER));
  const note = { boot: bootId(), marks, hidden: hidden.hash };
  const waits = until !== undefined && { until, name: kept.nextName };
  writeFileSync(join(made, MARKS), JSON.stringify({ ...note, ...waits }));
  if (!waits) return renameSync(made, join(viewsDir, kept.nextName)); // refused when another was first
  const waiting = join(viewsDir, waitingName(root));
  if (existsSync(waiting)) renameSync(waiting, join(folder, "replaced")); // which goes with the view
  renameSync(made, waiting);
}

/** One for each workspace: the newest change set that was checked is the likeliest to be committed. */
function waitingName(root: string): string {
  return `${WAITING}${sha256(root).slice(0, 16)}`;
}

/**
 * Keeps what waited for exactly this change set, now that it is committed. Nothing when another one
 * was checked since, or another view was kept. Never throws.
 */
export function keepCommitted(viewsDir: string, root: string, changeSetId: string): void {
  const waiting = join(viewsDir, waitingName(root));
  const { until, name } = parseJsonAs(readText(join(waiting, MARKS)), isWaiting) ?? {};
  if (until !== changeSetId || !name?.startsWith(PREFIX) || name.includes("/")) return;
  try {
    renameSync(waiting, join(viewsDir, name)); // refused when another was first
  } catch {
    // the next view is slower, and no worse
  }
}

function isOlder(mark: FolderMark | undefined, startedAtMs: number): boolean {
  return mark !== undefined && mark.changedAtMs <= startedAtMs;
}

/** Names of kept folders that no view uses and that are not the newest of their workspace. */
export function findUnusedKept(viewsDir: string, now: number): readonly string[] {
  const names = listOrEmpty(viewsDir);
  const used = new Set(names.map((name) => readText(join(viewsDir, name, USES))));
  const kept = names.filter((name) => name.startsWith(PREFIX));
  const newest = new Map<string, number>();
  for (const name of kept) {
    const [prefix, number] = splitName(name);
    newest.set(prefix, Math.max(number, newest.get(prefix) ?? 0));
  }
  const waiting = names.filter((name) => {
    return name.startsWith(WAITING) && now - ageOf(join(viewsDir, name, MARKS)) > MOST_WAIT_MS;
  });
  const unused = kept.filter((name) => {
    const [prefix, number] = splitName(name);
    const isOld = now - ageOf(join(viewsDir, name, MARKS)) > MOST_AGE_MS;
    return !used.has(name) && (isOld || number !== newest.get(prefix));
  });
  return [...waiting, ...unused];
}

function splitName(name: string): readonly [prefix: string, number: number] {
  const at = name.lastIndexOf("-");
  return [name.slice(0, at), Number(name.slice(at + 1)) || 0];
}

function ageOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Undefined when it cannot be trusted: a power cut may have taken a part of what it tells of. */
function readNote(folder: string): Note | undefined {
  if (!existsSync(join(folder, LAYER))) return undefined;
  const read = parseJsonAs(readText(join(folder, MARKS)), isMarks);
  return read?.boot === bootId() ? read : undefined;
}

/** The note that is stored next to a layer. */
interface Note {
  readonly marks: Readonly<Record<string, string>>;
  /** Of all that the layer hides. */
  readonly hidden: string;
}

const isWaiting = isObject({ until: isText, name: isText });
const isMarks = isObject({ boot: isText, marks: isMapOf(isText), hidden: isText });

/** What is written is not synced: after another start of the machine it is not believed. */
function bootId(): string {
  return readOrEmpty("/proc/sys/kernel/random/boot_id").trim();
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
