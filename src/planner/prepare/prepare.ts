import { createOneAtATime } from "../../core/one-at-a-time.ts";
import type { StoredPlan } from "../../store/plans/plans.ts";
import type { Step } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { prepareOne } from "./one.ts";
import type { ChangeDeps, Prepared, Waiting } from "./prepared.ts";

export { type Answered, askForActions } from "./ask-for-actions.ts";
export { committedIn } from "./committed.ts";
export { isByPerson, openApplyContext } from "./one.ts";
export type { ChangeDeps, MadePart, Origin, Part, Prepared, PreparedChanges } from "./prepared.ts";
export { approvalIdOf, approvedContentOf, baseIdsOf, changeSetsOf } from "./series-id.ts";

/** Makes the change set of a plan, see {@link createPreparation}. */
export type Prepare = (
  plan: StoredPlan,
  workspace: Workspace,
  signal: AbortSignal,
  onProgress?: (step: Step) => void,
) => Promise<Prepared>;

/**
 * Prepares changes one after another per plan: a button and a message that ask for the same change
 * set at the same time cost one request to the author, and the later one gets what is stored of it.
 */
export function createPreparation(deps: ChangeDeps): Prepare {
  const oneAtATime = createOneAtATime();
  return (plan, workspace, signal, onProgress) =>
    oneAtATime(plan.planId, signal, async () => {
      const prepared = await prepareAny(deps, plan, workspace, { signal, onProgress });
      if (prepared.ok) {
        const { id, changes } = prepared.changeSet;
        const fields = { plan_id: plan.planId, change_set_id: id, changes: changes.length };
        deps.answers.log("PREVIEW_READY", fields);
      }
      return prepared;
    });
}

async function prepareAny(
  deps: ChangeDeps,
  plan: StoredPlan,
  workspace: Workspace,
  waiting: Waiting,
): Promise<Prepared> {
  const { parts } = plan;
  if (!parts) return prepareOne(deps, plan, workspace, waiting.signal);
  const { prepareSeries } = await import("./series.ts"); // most plans are none
  return prepareSeries(deps, { ...plan, parts }, workspace, waiting);
}
