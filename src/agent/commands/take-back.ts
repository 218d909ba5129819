import { buildUndoStacks, readHistory } from "../../transaction/journal/journal.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { RequestContext } from "../deps.ts";
import { makeChange, noteUntold, tellOutcome } from "../interrupted/interrupted.ts";
import { keepMeant, meantAtFirst, selectedWorkspace } from "../session/session.ts";
import { renderLeftAlone } from "./status-commands.ts";

/** Undoes or redoes the newest change; brought again, a message means the one that it meant first. */
export async function takeBack(request: RequestContext, kind: "undo" | "redo"): Promise<void> {
  const workspace = selectedWorkspace(request);
  const target =
    meantAtFirst(request) ?? buildUndoStacks(readHistory(workspace))[kind].at(-1)?.txId;
  if (target !== undefined) keepMeant(request, target);
  const outcome = await takeBackIn(request, workspace, kind, target);
  await tellOutcome(request, outcome);
  if (outcome.errorCode !== "UNDO_NOTHING") return;
  for (const text of renderLeftAlone(workspace, request.deps.texts.history)) {
    await request.emit({ kind: "content", text });
  }
}

/** Undoes or redoes `only` that transaction, while it is the next to go. */
export function takeBackIn(
  request: RequestContext,
  workspace: Workspace,
  kind: "undo" | "redo",
  only?: string,
): Promise<OutcomeView> {
  const { deps, signal, workId: work } = request;
  const which = { work, ...(only !== undefined && { only }) };
  noteUntold(request);
  return makeChange(request, {}, () => deps.operations[kind](workspace, signal, which));
}
