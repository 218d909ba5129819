import { AppError, hasCode, orElse } from "../../core/app-error.ts";
import type { FileNote } from "../../texts/notes/notes.ts";
import { STATE_DIR } from "../../workspace/workspace.ts";
import type { Journal } from "../journal/journal.ts";
import type { Run } from "../recover/recover.ts";
import { imagesPath, journalPath, needsImages, slotOf } from "../stage/stage.ts";
import { emptySlots, isFilledSince, isWrittenSince } from "../swap/swap.ts";
import { openTree, type Tree } from "../tree.ts";
import { quote } from "./quote.ts";

/**
 * A check such as `git clean -fdx` may take away what every roll-back needs; and what somebody wrote
 * into a file or a folder whose place was taken goes with the stage.
 */
export function assertIntact({ request, txId, journal, taken }: Run): void {
  const { workspace, intent } = request;
  using tree = openTree(workspace.root);
  const written = intent.changeSet.changes.filter((change, index) => {
    const file = taken.get(index);
    const slot = slotOf(txId, index, change.path);
    if (change.kind === "rmdir") return isFilledSince(tree, slot);
    return file !== undefined && isWrittenSince(tree, slot, file);
  });
  if (written.length > 0) {
    const paths = quote(written.map(({ path }) => path));
    const message = `Cannot change ${paths}: a program that has it open wrote into it meanwhile`;
    throw new AppError("ERR_CHANGE_SET_STALE", message);
  }
  const hasImages = !needsImages(intent.changeSet.changes) || tree.has(imagesPath(txId));
  if (hasImages && hasJournal(tree, txId, journal)) return;
  throw new AppError(
    "APPLY_FAILED_ROLLED_BACK",
    `A check removed or changed ${STATE_DIR}, which holds what an undo needs; keep it out of what the checks clean`,
  );
}

/**
 * Only when it is committed: a crash before finds the files themselves, which go back as they were. Says
 * where what somebody wrote since the last look is: a program may still have a file open that went.
 */
export function emptyStage({ request, txId, taken }: Run): readonly FileNote[] {
  try {
    using tree = openTree(request.workspace.root);
    const saved = emptySlots(tree, txId, request.intent.changeSet.changes, taken);
    return [...saved].flatMap(([path, places]) =>
      places.map((at): FileNote => ({ kind: "written late", facts: { path, at } })),
    );
  } catch {
    return []; // the next command finds it
  }
}

function hasJournal(tree: Tree, txId: string, journal: Journal): boolean {
  return orElse(
    () => journal.isWholeAt(tree.at(journalPath(txId))),
    hasCode("ENOENT", "ENOTDIR", "ELOOP"),
    () => false,
  );
}
