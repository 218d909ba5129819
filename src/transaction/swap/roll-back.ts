import { unlinkSync } from "node:fs";
import { AppError, describeDiskError, orElse, systemErrorCode } from "../../core/app-error.ts";
import type { FileNote } from "../../texts/notes/notes.ts";
import { isProtectedPath } from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Change } from "../change.ts";
import { isFolder, markOf } from "../journal/journal.ts";
import { isPathBlocked, type LookedAgain, lookAgain, type Refusal, WHOLE } from "../look-again.ts";
import {
  clearBeside,
  clearStage,
  listKeptFiles,
  openImages,
  removeKnown,
  removeLitter,
  type Slot,
  slotOf,
  transactionPath,
} from "../stage/stage.ts";
import { openTree, type Tree } from "../tree.ts";
import { bringFrom, LostImage } from "./bring-back.ts";
import { placesOf } from "./empty-slots.ts";
import { rescue } from "./rescue.ts";
import { type BringBack, revertChange } from "./revert-change.ts";
import { inOrder, readSurviving } from "./surviving-contents.ts";
import type { TakenFile } from "./swap-change.ts";

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
 * refused is tried again, and then reported in the result. Where nothing is pending, the stage is empty
 * afterwards.
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
    const find = (hash: string) => read(hash) ?? surviving.get(hash);
    const saved = new Map(listKeptFiles(tree, txId, changes));
    /** Gives what was found to be somebody's, undefined where the machine refused to keep it. */
    const save = (index: number, change: Change, places: readonly string[]) => {
      try {
        const found = places.flatMap((place) => rescue(tree, place, { txId, index, change }) ?? []);
        const kept = found.filter((place) => place !== change.path);
        if (kept.length > 0) saved.set(change.path, [...(saved.get(change.path) ?? []), ...kept]);
        return found;
      } catch (error) {
        refuse(WHOLE, error); // the stage is not emptied before
        return undefined;
      }
    };
    for (const { index, change } of inOrder(changes, surviving)) {
      const slot = slotOf(txId, index, change.path);
      const aside = [slot.aside, slot.siblingAside];
      // What could not be kept would be overwritten there.
      if (!save(index, change, aside)) continue;
      try {
        if (change.kind === "mkdir") clearBeside(tree, txId, changes, change.path);
        for (const place of aside) removeKnown(tree, place, change); // of an earlier attempt
        const sources = { change, slot, taken: taken?.get(index), read: find };
        const notes = takeBack(workspace, tree, change, slot, bringFrom(tree, sources));
        overruled.set(change.path, [...(overruled.get(change.path) ?? []), ...notes]);
        if ("before" in change && surviving.has(change.before.sha256)) tree.sync();
        onStep(`back ${change.path}`);
      } catch (error) {
        if (!isPathBlocked(error)) refuse(change.path, error);
      } finally {
        save(index, change, placesOf(slot));
      }
    }
    for (;;) {
      try {
        tree.sync();
      } catch (error) {
        refuse(WHOLE, error);
      }
      const looked = lookAgain(tree, changes, refused, { saved, overruled });
      if (looked.status === "incomplete") return { looked, codes };
      // Whoever has a file open that went may have written into it since.
      const late = changes.map((change, index) =>
        save(index, change, placesOf(slotOf(txId, index, change.path))),
      );
      if (late.some((found) => found?.length !== 0)) continue;
      removeLitter(tree, txId, changes);
      return { looked, codes };
    }
  } catch (error) {
    refuse(WHOLE, error);
    return { looked: lookAgain(describeDiskError(error), changes, refused), codes };
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
  removeCopy(tree, slot);
  try {
    return revertChange(tree, change, bringBack, slot);
  } finally {
    removeCopy(tree, slot);
  }
}

/** A crash left it; it may be a second name of the file that it was to become. */
function removeCopy(tree: Tree, { sibling }: Slot): void {
  orElse(
    () => {
      if (tree.has(sibling)) unlinkSync(tree.touch(sibling));
    },
    isPathBlocked,
    () => {},
  );
}
