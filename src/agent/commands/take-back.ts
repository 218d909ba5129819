import { nextToTakeBack } from "../../transaction/journal/journal.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { PlanDeps, RequestContext } from "../deps.ts";
import { makeChange, noteUnreported, tellOutcome } from "../interrupted/interrupted.ts";
import { recordedIntent, recordIntent, selectedWorkspace } from "../session/session.ts";
import { renderLeftAlone } from "./status-commands.ts";

/** Undoes or redoes the newest change; redelivered, a message refers to the same change as before. */
export async function takeBack(
  request: RequestContext,
  deps: PlanDeps,
  kind: "undo" | "redo",
): Promise<void> {
  const { core } = deps;
  const workspace = selectedWorkspace(request, core);
  const target = recordedIntent(request, core) ?? nextToTakeBack(workspace, kind)?.txId;
  if (target !== undefined) recordIntent(request, core, target);
  const outcome = await takeBackIn(request, deps, workspace, kind, target);
  await tellOutcome(request, core, outcome);
  if (outcome.errorCode !== "UNDO_NOTHING") return;
  for (const text of renderLeftAlone(workspace, request.texts.history)) {
    await request.emit({ kind: "content", text });
  }
}

/** Undoes or redoes `only` that transaction, while it is the next to go, or with the row that it is of. */
export function takeBackIn(
  request: RequestContext,
  { core, operations }: PlanDeps,
  workspace: Workspace,
  kind: "undo" | "redo",
  only?: string,
  isRow = false,
): Promise<OutcomeView> {
  const { signal, workId: work } = request;
  const which = { work, isRow, ...(only !== undefined && { only }) };
  noteUnreported(request, core);
  return makeChange(request, core, {}, () => operations[kind](workspace, signal, which));
}
