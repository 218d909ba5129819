import { hasCode, orElse } from "../../core/app-error.ts";
import type { Change } from "../change.ts";
import { removeLitter, type Slot, slotOf } from "../stage/stage.ts";
import type { Tree } from "../tree.ts";
import { type Origin, rescue } from "./rescue.ts";
import type { TakenFile } from "./swap-change.ts";

/** Where what was moved out of the paths of a change set waits until it goes. */
export function placesOf({ old, siblingOld, aside, siblingAside }: Slot): readonly string[] {
  return [old, siblingOld, aside, siblingAside];
}

/**
 * Removes what a transaction that ended has in its stage and beside its targets. What is somebody's by
 * now is kept, and given by the path that it was at: whoever had a file open may have written into it.
 *
 * @throws Error with the system's code where such a thing cannot be kept; nothing is removed then
 */
export function emptySlots(
  tree: Tree,
  txId: string,
  changes: readonly Change[],
  taken: ReadonlyMap<number, TakenFile> = new Map(),
): ReadonlyMap<string, readonly string[]> {
  const saved = new Map<string, readonly string[]>();
  for (const [index, change] of changes.entries()) {
    const origin: Origin = { txId, index, change, isCommitted: true, taken: taken.get(index) };
    const slot = slotOf(txId, index, change.path);
    for (const place of placesOf(slot)) {
      const isBeside = place === slot.siblingOld || place === slot.siblingAside;
      const keep = () => rescue(tree, place, origin);
      // Beside a path that nobody may reach by now there is nothing to keep, and the others go.
      const kept = isBeside ? orElse(keep, hasCode("EACCES"), () => undefined) : keep();
      if (kept !== undefined) saved.set(change.path, [...(saved.get(change.path) ?? []), kept]);
    }
  }
  removeLitter(tree, txId, changes);
  return saved;
}
