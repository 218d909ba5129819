import type { AppError } from "../../core/app-error.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import type { RequestContext } from "../deps.ts";
import { refusal } from "../refusal.ts";
import { findLast } from "./begun-change.ts";
import { noteTold } from "./untold.ts";

export { endedOf, findEnded, makeChange, noteMade } from "./begun-change.ts";
export { noteTold, noteUntold, reportUntold, tellOutcome, tellUntold } from "./untold.ts";

/**
 * The last word on work that papa-yu leaves because it ends: that it goes on at the next start, or,
 * where nobody brings it again, what it changed. `told` are the outcomes that were heard before.
 */
export async function toldInterrupted(
  request: RequestContext,
  told: readonly OutcomeView[],
): Promise<AppError> {
  const { deps, emit, isKept } = request;
  if (isKept) return refusal("ERR_INTERRUPTED", deps.texts, ({ goesOnLater }) => goesOnLater);
  const untold = endChanges(request).filter(({ txId }) => !told.some((each) => each.txId === txId));
  for (const outcome of untold) await emit({ kind: "outcome", outcome });
  const hasChanged = [...told, ...untold].some(({ ok, changes }) => ok && changes.length > 0);
  return refusal("ERR_INTERRUPTED", deps.texts, ({ cutOff, cutOffBehind }) =>
    hasChanged ? cutOffBehind : cutOff,
  );
}

/** How the changes ended that a work made, by itself or by calls whose end it did not see. */
function endChanges(request: RequestContext): readonly OutcomeView[] {
  const { deps, workId: turnId } = request;
  return [turnId, ...deps.approvals.openCalls(turnId)].flatMap((workId) => {
    noteTold({ ...request, workId });
    return findLast(deps, workId)?.outcome ?? [];
  });
}
