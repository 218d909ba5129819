import type { AppError } from "../../core/app-error.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { Refusal } from "../../texts/texts.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import type { AgentCore, RequestContext } from "../deps.ts";
import { findLast, noteReported, toolsInDoubt } from "./begun-change.ts";

export { noteAsked, noteQuestion, workStateOf } from "./asked-work.ts";
export {
  findEnded,
  findStayed,
  listUnreported,
  makeChange,
  noteMade,
  noteReported,
  noteUnreported,
  tellOutcome,
  tellUnreported,
} from "./begun-change.ts";

/**
 * The last message about work that papa-yu leaves because it ends: that it resumes at the next start,
 * or, where nobody redelivers it, what it changed, and which calls may have taken effect. The
 * outcomes in `reported` were sent before.
 */
export async function endInterrupted(
  request: RequestContext,
  core: AgentCore,
  reported: readonly OutcomeView[],
): Promise<AppError> {
  const { emit, work } = request;
  if (work.isKept) return new Refusal("ERR_INTERRUPTED", ({ goesOnLater }) => goesOnLater);
  const unreported = endChanges(request, core).filter(
    ({ txId }) => !reported.some((each) => each.txId === txId),
  );
  for (const outcome of unreported) await emit({ kind: "outcome", outcome });
  const inDoubt = toolsInDoubt(core, request.work.id);
  if (inDoubt.length > 0) {
    const tools = inDoubt.map(toVisibleText).join(", ");
    return new Refusal("ERR_INTERRUPTED", ({ cutOffInCall }) => cutOffInCall(tools));
  }
  const hasChanged = [...reported, ...unreported].some(
    ({ ok, changes }) => ok && changes.length > 0,
  );
  return new Refusal("ERR_INTERRUPTED", ({ cutOff, cutOffBehind }) =>
    hasChanged ? cutOffBehind : cutOff,
  );
}

/** How the changes ended that a work made, by itself or by calls whose end it did not see. */
function endChanges(request: RequestContext, core: AgentCore): readonly OutcomeView[] {
  const { work } = request;
  return [work.id, ...core.approvals.openCalls(work.id)].flatMap((id) => {
    noteReported({ ...request, work: { ...work, id } }, core);
    return findLast(core, id)?.outcome ?? [];
  });
}
