import { buildUndoStacks, type HistoryEntry, readHistory } from "../transaction/history.ts";
import type { OutcomeView } from "../transaction/views.ts";
import type { Exchange } from "./deps.ts";
import { keepMeant, meantAtFirst } from "./once.ts";
import { selectedWorkspace } from "./session-state.ts";

/** Undoes or redoes the newest change, once for each message, however often it is brought. */
export async function takeBack(exchange: Exchange, kind: "undo" | "redo"): Promise<void> {
  const { deps, emit, signal } = exchange;
  const workspace = selectedWorkspace(exchange);
  const history = readHistory(workspace);
  const meant = meantAtFirst(exchange);
  const target = meant ?? buildUndoStacks(history)[kind].at(-1)?.txId;
  if (target !== undefined) keepMeant(exchange, target);
  const done = history.find((each) => each.status === "committed" && each.reverses === meant);
  const outcome =
    meant !== undefined && done
      ? viewEntry(done, workspace.name)
      : await deps.operations[kind](workspace, signal, {
          ...(target !== undefined && { only: target }),
        });
  await emit({ kind: "outcome", outcome });
}

/** What was done before a crash, told again; how many lines it had nobody counts a second time. */
export function viewEntry({ txId, kind, changes }: HistoryEntry, workspace: string): OutcomeView {
  const unknown = { before_sha256: null, after_sha256: null, added: 0, removed: 0 };
  const views = changes.map((change) => ({ path: change.path, kind: change.kind, ...unknown }));
  return { ok: true, status: STATUS[kind], workspace, txId, changes: views };
}

const STATUS = { apply: "committed", undo: "undone", redo: "redone" } as const;
