import { toFailureText } from "../../channels/failure-lines.ts";
import type { TakeBackKind } from "../../channels/http/http-channel.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { wordNotes } from "../../texts/notes/notes.ts";
import type { HistoryEntry } from "../../transaction/journal/journal.ts";
import { previewTakeBack } from "../../transaction/undo/undo.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { App } from "../app/app.ts";
import { toFileRows } from "./documents.ts";
import { withoutRefused } from "./review-document.ts";

type Document = Readonly<Record<string, unknown>>;

/**
 * What the next undo or redo of a workspace would do to the files as they are, computed by what
 * does it; nothing is written. A press that carries `digest` does exactly this or nothing.
 */
export function describeTakeBack(
  { current }: Pick<App, "current">,
  workspace: Workspace,
  kind: TakeBackKind,
  found: ReturnType<typeof previewTakeBack>,
): Document {
  const texts = current.texts();
  const head = { workspace: workspace.name, kind, ...toTarget(found.target) };
  if (!found.ok) {
    const { result, conflicts = [] } = found;
    const { code, message } = result.ok ? { code: undefined, message: "" } : result;
    const refused = {
      code: code ?? null,
      message: toFailureText({ code, message }, texts, "owner"),
    };
    return { ...head, refused, files: [], merged: [], conflicts, notes: [], actions: [] };
  }
  const { target, reversal } = found;
  const { changeSet, conflicts } = reversal;
  const merged = changeSet.notes.flatMap((note) =>
    typeof note !== "string" && note.kind === "merged" ? [note.facts.path] : [],
  );
  const others = changeSet.notes.filter(
    (note) => typeof note === "string" || note.kind !== "merged",
  );
  return {
    ...head,
    digest: changeSet.id,
    files: toFileRows(changeSet, new Set(), undefined),
    merged,
    conflicts,
    notes: wordNotes(others, texts.notes),
    ...withoutRefused(current.agent.core.security, [
      { act: kind, ref: target.txId, label: texts.buttons[kind] },
    ]),
  };
}

function toTarget(target: HistoryEntry | undefined): Document {
  if (!target) return {};
  const { txId, at, summary } = target;
  return { tx_id: txId, at: new Date(at).toISOString(), summary: toVisibleText(summary) };
}
