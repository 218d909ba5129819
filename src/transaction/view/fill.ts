import { closeSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import {
  AppError,
  describeDiskError,
  hasCode,
  orElse,
  systemErrorCode,
} from "../../core/app-error.ts";
import { type PinnedDir, pinDirectory } from "../../system/pinned-dir.ts";
import { type OverlayCalls, openOverlayCalls } from "../../system/sandbox/overlay/overlay.ts";
import type { Change, ChangeSet } from "../change.ts";
import { contentOf } from "../change-set.ts";
import { writeNew } from "../stage/stage.ts";
import { parentOf } from "../tree.ts";

/** What a folder must be able to do for its owner while it is filled. */
const OWNER_RIGHTS = 0o700;
/** Including setgid and sticky, which pass a group or a deletion rule on to what is made in it. */
const FOLDER_MODE = 0o3777;

/**
 * Puts a change set on top of a folder: new contents and folders, and what hides that which it
 * deletes. Goes through folders held open, so that no link on the way leads a write elsewhere.
 *
 * @throws AppError ERR_CHANGE_SET_STALE when the folder is not what the change set is about
 */
export function fillUpper(root: string, upper: string, changeSet: ChangeSet | undefined): void {
  using calls = openOverlayCalls();
  if (!calls) throw new Error("an overlay was begun without what it takes");
  const changes = changeSet?.changes ?? [];
  const filling: Filling = {
    root,
    upper,
    calls,
    made: new Map(
      changes.flatMap((each) => (each.kind === "mkdir" ? [[each.path, each.mode]] : [])),
    ),
    removed: new Set(
      changes.flatMap(({ kind, path }) => (/^(delete|rmdir)$/.test(kind) ? [path] : [])),
    ),
    tight: new Map(),
  };
  enter(filling, "")[Symbol.dispose]();
  for (const change of changes) {
    if (filling.removed.has(parentOf(change.path))) continue; // it is hidden with its folder
    try {
      using folder = enter(filling, parentOf(change.path));
      put(filling, folder, change, changeSet);
    } catch (error) {
      throw toFault(change, error);
    }
  }
  for (const [path, mode] of [...filling.tight].toReversed()) {
    using folder = enter(filling, path);
    folder.upper.setMode(mode);
  }
}

interface Filling {
  readonly root: string;
  readonly upper: string;
  readonly calls: OverlayCalls;
  /** Modes of the folders that the change set makes. */
  readonly made: ReadonlyMap<string, number>;
  readonly removed: ReadonlySet<string>;
  /** Folders that their owner must not write to in the end. */
  readonly tight: Map<string, number>;
}

/** A folder of the view: its part on top, and the one of the workspace that it covers. */
interface Folder extends Disposable {
  readonly upper: PinnedDir;
  /** None: the change set makes it. */
  readonly lower: PinnedDir | undefined;
}

function enter(filling: Filling, path: string): Folder {
  let folder = openTop(filling);
  let at = "";
  for (const name of path === "" ? [] : path.split("/")) {
    at = at === "" ? name : `${at}/${name}`;
    using outer = folder;
    folder = step(filling, outer, name, at);
  }
  return folder;
}

function openTop({ root, upper }: Filling): Folder {
  const top = toFolder(pinDirectory(upper), pinDirectory(root));
  top.upper.setMode(lstatSync(root).mode & FOLDER_MODE);
  return top;
}

function step(filling: Filling, outer: Folder, name: string, path: string): Folder {
  const made = filling.made.get(path);
  const lower = made === undefined ? outer.lower?.open(name) : undefined;
  const mode =
    made ?? (outer.lower ? lstatSync(outer.lower.entry(name)).mode & FOLDER_MODE : 0o755);
  makeFolder(outer.upper.entry(name));
  const upper = outer.upper.open(name);
  upper.setMode(mode | OWNER_RIGHTS);
  if ((mode & OWNER_RIGHTS) !== OWNER_RIGHTS) filling.tight.set(path, mode);
  return toFolder(upper, lower);
}

function makeFolder(path: string): void {
  orElse(
    () => mkdirSync(path),
    hasCode("EEXIST"),
    () => {},
  );
}

function toFolder(upper: PinnedDir, lower: PinnedDir | undefined): Folder {
  const close = () => {
    upper.close();
    lower?.close();
  };
  return { upper, lower, [Symbol.dispose]: close };
}

function put(filling: Filling, folder: Folder, change: Change, changeSet: ChangeSet | undefined) {
  const name = change.path.slice(change.path.lastIndexOf("/") + 1);
  const below = folder.lower && lstatSync(folder.lower.entry(name), { throwIfNoEntry: false });
  const target = folder.upper.entry(name);
  switch (change.kind) {
    case "mkdir":
      if (below) throw new StaleError("something is there");
      return step(filling, folder, name, change.path)[Symbol.dispose]();
    case "create":
    case "update":
      if (change.kind === "create" ? below : !below?.isFile()) throw new StaleError("changed");
      if (!changeSet) throw new Error("a change without its change set");
      return closeSync(writeNew(target, contentOf(changeSet, change.after), change.after.mode));
    case "delete":
      if (!below?.isFile()) throw new StaleError("it is no file any more");
      return filling.calls.makeWhiteout(target);
    case "rmdir":
      if (!folder.lower || !below?.isDirectory()) throw new StaleError("it is no folder any more");
      assertAllRemoved(filling, folder.lower.open(name), change.path);
      return filling.calls.makeWhiteout(target);
    default:
      return change satisfies never;
  }
}

/** A folder that still has something in it cannot be removed from the workspace either. */
function assertAllRemoved(filling: Filling, folder: PinnedDir, path: string): void {
  try {
    for (const { name, isDirectory } of entriesOf(folder)) {
      const inner = `${path}/${name}`;
      if (!filling.removed.has(inner)) throw new StaleError(`"${inner}" is in it`);
      if (isDirectory) assertAllRemoved(filling, folder.open(name), inner);
    }
  } finally {
    folder.close();
  }
}

function entriesOf(folder: PinnedDir) {
  const entries = readdirSync(folder.entry("."), { withFileTypes: true });
  return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
}

/** The folder is not what the change set was computed from. */
class StaleError extends Error {}

function toFault({ kind, path }: Change, error: unknown): unknown {
  const code = systemErrorCode(error) ?? "";
  const isStale = error instanceof StaleError || /^(ENOENT|ENOTDIR|ELOOP|EEXIST)$/.test(code);
  if (!isStale && !code.startsWith("E")) return error;
  const message = `Cannot ${kind} "${path}" in a view: ${describeDiskError(error)}`;
  return new AppError(isStale ? "ERR_CHANGE_SET_STALE" : "ERR_IO", message, { cause: error });
}
