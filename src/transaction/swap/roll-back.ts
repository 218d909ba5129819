import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  unlinkSync,
} from "node:fs";
import {
  AppError,
  describeDiskError,
  hasCode,
  orElse,
  systemErrorCode,
} from "../../core/app-error.ts";
import type { FileNote } from "../../texts/notes/notes.ts";
import { isProtectedPath } from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Change, FileState } from "../change.ts";
import { isFolder, markOf } from "../journal/journal.ts";
import { isPathBlocked, type LookedAgain, lookAgain, type Refusal, WHOLE } from "../look-again.ts";
import {
  clearStage,
  isKnown,
  keepOwner,
  listKeptFiles,
  openImages,
  type Slot,
  slotOf,
  transactionPath,
  writeNew,
} from "../stage/stage.ts";
import { hasContent, isSameFile, openTree, parentOf, type Tree } from "../tree.ts";
import { rescue } from "./rescue.ts";
import { inOrder, readSurviving, type SurvivingContents } from "./surviving-contents.ts";
import { type BringBack, revertChange, type TakenFile } from "./swap-change.ts";

/** Called after every step that reaches the disk, so that tests can stop the process there. */
export type OnStep = (step: string) => void;

/** What a roll-back may use besides the disk. */
export interface RollBackOptions {
  /** Before-images that are still in memory, by sha256; the others are in the archive. */
  readonly images?: ReadonlyMap<string, Uint8Array>;
  /** The folder that was changed; in another one at its path there is nothing to take back. */
  readonly folder?: string;
  readonly onStep?: OnStep;
  /** The files whose place was taken, by the number of the change. */
  readonly taken?: ReadonlyMap<number, TakenFile>;
}

/** Pauses before further attempts: what failed may work once the rest is rolled back. */
const PAUSES_MS = [20, 200];

/** Refusals that may pass by themselves, so that a pause is worth it. */
const PASSING = /^(EMFILE|ENFILE|ENOMEM|EAGAIN|EINTR|EBUSY|EIO)$/;

/**
 * Takes back what of a transaction was done, by comparing hashes, and looks at every path again. It
 * may be interrupted and repeated at any point. A file goes back as itself where the stage still
 * has it, which takes no space; else its before-image is written. Never throws: what the machine
 * refused is tried again, and then reported in the result.
 */
export function rollBack(
  workspace: Workspace,
  txId: string,
  changes: readonly Change[],
  options: RollBackOptions = {},
): LookedAgain {
  const overruled = new Map<string, readonly FileNote[]>();
  for (const pauseMs of PAUSES_MS) {
    const { looked, codes } = attempt(workspace, txId, changes, { ...options, overruled });
    if (looked.status !== "incomplete") return looked;
    if (codes.some((code) => PASSING.test(code))) Bun.sleepSync(pauseMs);
  }
  return attempt(workspace, txId, changes, { ...options, overruled }).looked;
}

const MOVED =
  "its folder was moved away and another one is there; move it back, or give -w its new path";

/** What somebody did meanwhile and goes with the change, by the path, of all attempts. */
interface Overruling {
  readonly overruled: Map<string, readonly FileNote[]>;
}

interface Attempt {
  readonly looked: LookedAgain;
  /** The system's error codes of what was refused. */
  readonly codes: readonly string[];
}

function attempt(
  workspace: Workspace,
  txId: string,
  changes: readonly Change[],
  { images, folder, onStep = () => {}, taken, overruled }: RollBackOptions & Overruling,
): Attempt {
  const refused = new Map<string, Refusal>();
  const codes: string[] = [];
  const refuse = (path: string, error: unknown): void => {
    const isLost = error instanceof LostImage;
    refused.set(path, { reason: describeDiskError(error), ...(isLost && { isLost }) });
    codes.push(systemErrorCode(error) ?? "");
  };
  try {
    using tree = openTree(workspace.root, "roll back");
    // Not every disk keeps its numbers: what the transaction itself has there says more.
    const isSame = folder === undefined || markOf(workspace.root) === folder;
    if (!isSame && !isFolder(tree, transactionPath(txId))) throw new AppError("ERR_IO", MOVED);
    using stored = openImages(workspace, txId);
    clearStage(tree, txId);
    onStep("stage cleared");
    const read = (hash: string) => images?.get(hash) ?? stored.read(hash);
    const surviving = readSurviving(tree, changes, read);
    const saved = new Map<string, string>();
    for (const [index, place] of listKeptFiles(tree, txId)) {
      const path = changes[index]?.path;
      if (path !== undefined) saved.set(path, place);
    }
    for (const { index, change } of inOrder(changes, surviving)) {
      const slot = slotOf(txId, index, change.path);
      const save = (...places: readonly string[]) => {
        try {
          for (const place of places) {
            const kept = rescue(tree, place, change, { txId, index });
            if (kept !== undefined) saved.set(change.path, kept);
          }
        } catch (error) {
          refuse(WHOLE, error); // the stage is not emptied before
        }
      };
      try {
        save(slot.aside, slot.siblingAside);
        const hasIt = (state: FileState) =>
          hasOld(tree, slot.old, change, state, taken?.get(index));
        const bringBack = bringFrom(tree, slot, hasIt, read, surviving);
        const notes = takeBack(workspace, tree, change, slot, bringBack);
        overruled.set(change.path, [...(overruled.get(change.path) ?? []), ...notes]);
        save(slot.old);
        if ("before" in change && surviving.has(change.before.sha256)) tree.sync();
        onStep(`back ${change.path}`);
      } catch (error) {
        if (!isPathBlocked(error)) refuse(change.path, error);
      }
    }
    try {
      tree.sync();
    } catch (error) {
      refuse(WHOLE, error);
    }
    return { looked: lookAgain(tree, changes, refused, { saved, overruled }), codes };
  } catch (error) {
    refuse(WHOLE, error);
    return { looked: lookAgain(describeDiskError(error), changes, refused), codes };
  }
}

/** The content from before is lost. */
class LostImage extends AppError {
  constructor(hash: string) {
    const advice = "put it back by hand, from version control or a backup";
    super("ERR_IO", `its before-image is missing or damaged (sha256 ${hash}); ${advice}`);
  }
}

function takeBack(
  workspace: Workspace,
  tree: Tree,
  change: Change,
  slot: Slot,
  bringBack: BringBack,
): readonly FileNote[] {
  // A journal may come with a folder from elsewhere: it gets no further than an action would.
  if (isProtectedPath(change.path, workspace.protectedPaths, "tool")) {
    throw new Error("it is protected now, which stops the roll-back as well");
  }
  removeCopies(tree, slot, change);
  try {
    return revertChange(tree, change, bringBack, slot);
  } finally {
    removeCopies(tree, slot, change);
  }
}

function bringFrom(
  tree: Tree,
  { old, staged, sibling }: Slot,
  hasIt: (state: FileState) => boolean,
  read: (hash: string) => Uint8Array | undefined,
  surviving: SurvivingContents,
): BringBack {
  return (state, place) => {
    if (hasIt(state)) {
      try {
        return place({ path: old, isItself: true });
      } catch (error) {
        // What cannot be moved can be copied: a disk of its own, a file of somebody else's.
        if (!isElsewhere(error)) throw error;
      }
    }
    const bytes = read(state.sha256) ?? surviving.get(state.sha256);
    if (!bytes) throw new LostImage(state.sha256);
    if (isWritten(tree, staged, bytes, state)) {
      try {
        return place({ path: staged, isItself: false });
      } catch (error) {
        if (!isElsewhere(error)) throw error;
      }
    }
    writeImage(tree, sibling, bytes, state);
    place({ path: sibling, isItself: false });
  };
}

const isElsewhere = hasCode("EXDEV", "EPERM", "EMLINK");

/** Where the stage is gone or blocked, a copy next to the target does as well, though others see it. */
function isWritten(tree: Tree, staged: string, bytes: Uint8Array, state: FileState): boolean {
  try {
    writeImage(tree, staged, bytes, state);
    return true;
  } catch {
    return false;
  }
}

/** A crash left them; one may be a second name of the file that it was to become. */
function removeCopies(tree: Tree, { sibling, siblingAside }: Slot, change: Change): void {
  orElse(
    () => {
      if (tree.has(sibling)) unlinkSync(tree.touch(sibling));
      const isOurs = tree.has(siblingAside) && isKnown(tree.look(siblingAside), change);
      if (isOurs) unlinkSync(tree.touch(siblingAside));
    },
    isPathBlocked,
    () => {},
  );
}

/**
 * Whether the stage still has the file; a check may have changed its mode in there. With another
 * content it is that file as well, where it is known by its number: a program that has it open wrote
 * into it, and that is nobody's to take away. After a crash no number is known, and what holds neither
 * the old content nor the new is no less somebody's.
 */
function hasOld(
  tree: Tree,
  old: string,
  change: Change,
  { mode, sha256 }: FileState,
  taken: TakenFile | undefined,
): boolean {
  try {
    const stat = lstatSync(tree.at(old));
    if (!stat.isFile()) return false;
    if (!(taken && isSameFile(stat, taken))) {
      const found = tree.look(old);
      const isOld = hasContent(found, { sha256 });
      if (!isOld && (taken || isKnown(found, change))) return false;
    }
    if ((stat.mode & 0o777) === mode) return true;
    const fd = openSync(tree.at(old), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      fchmodSync(fd, mode);
      return true;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false; // a check may have put anything there
  }
}

/** Its access list is in no image: the file has the mode that it would have without. */
function writeImage(tree: Tree, path: string, bytes: Uint8Array, state: FileState): void {
  tree.change(parentOf(path), () => {
    const fd = writeNew(tree.touch(path), bytes, state.unlisted ?? state.mode);
    try {
      keepOwner(tree, path, state);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  });
}
