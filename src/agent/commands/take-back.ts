import { buildUndoStacks, readHistory } from "../../transaction/journal/journal.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Exchange } from "../deps.ts";
import { makeChange, noteUntold, tellOutcome } from "../interrupted/interrupted.ts";
import { keepMeant, meantAtFirst, selectedWorkspace } from "../session/session.ts";
import { renderLeftAlone } from "./status-commands.ts";

/** Undoes or redoes the newest change; brought again, a message means the one that it meant first. */
export async function takeBack(exchange: Exchange, kind: "undo" | "redo"): Promise<void> {
  const workspace = selectedWorkspace(exchange);
  const target =
    meantAtFirst(exchange) ?? buildUndoStacks(readHistory(workspace))[kind].at(-1)?.txId;
  if (target !== undefined) keepMeant(exchange, target);
  const outcome = await takeBackIn(exchange, workspace, kind, target);
  await tellOutcome(exchange, outcome);
  if (outcome.errorCode !== "UNDO_NOTHING") return;
  for (const text of renderLeftAlone(workspace, exchange.deps.texts.history)) {
    await exchange.emit({ kind: "content", text });
  }
}

/** Undoes or redoes `only` that transaction, while it is the next to go. */
export function takeBackIn(
  exchange: Exchange,
  workspace: Workspace,
  kind: "undo" | "redo",
  only?: string,
): Promise<OutcomeView> {
  const { deps, signal, workId: work } = exchange;
  const which = { work, ...(only !== undefined && { only }) };
  noteUntold(exchange);
  return makeChange(exchange, {}, () => deps.operations[kind](workspace, signal, which));
}
