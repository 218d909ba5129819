import type { Texts } from "../texts/texts.ts";
import type { OutcomeView } from "../transaction/views.ts";

/** How a transaction ended, in one line; each surface draws the mark in its own way. */
export interface Headline {
  readonly mark: "done" | "undone" | "rolled back" | "warning" | "rejected" | "nothing";
  readonly text: string;
}

/** The line above an outcome; `where` is its workspace, and `show` renders a path. */
export function toHeadline(
  {
    status,
    changes,
    txId,
    kept = [],
    pending = [],
    row,
    ok,
    touched = true,
    errorCode,
  }: OutcomeView,
  { outcome: texts, tries }: Pick<Texts, "outcome" | "tries">,
  where: string,
  show: (text: string) => string,
): Headline {
  const made = row?.parts.filter((part) => part.status === "committed").length ?? 0;
  if (row && !ok && made > 0) {
    const all = row.done + row.parts.length;
    return { mark: "warning", text: tries.series.stopped(where, row.done + made, all) };
  }
  switch (status) {
    case "committed":
      return { mark: "done", text: texts.committed(where, changes.length) };
    case "rolled_back":
      return txId === undefined
        ? { mark: "rejected", text: texts.nothingWritten(where) }
        : { mark: "rolled back", text: texts.rolledBack(where) };
    case "incomplete": {
      const paths = [...pending.map(({ path }) => path), ...kept];
      return { mark: "warning", text: texts.notPutBack(where, paths.map(show)) };
    }
    case "rejected":
      return { mark: "rejected", text: texts.rejected(where) };
    case "no_changes":
      return { mark: "nothing", text: texts.noChanges(where) };
    case "undone":
      if (changes.length === 0) return { mark: "nothing", text: texts.undoneAlready(where) };
      return { mark: "undone", text: texts.undone(where, changes.length) };
    case "redone":
      if (changes.length === 0) return { mark: "nothing", text: texts.redoneAlready(where) };
      return { mark: "done", text: texts.redone(where, changes.length) };
    case "conflict":
      if (errorCode === "UNDO_CONFLICT" || kept.length === 0) {
        return { mark: touched ? "warning" : "rejected", text: texts.conflict(where, touched) };
      }
      return { mark: "warning", text: texts.rolledBackExcept(where, kept.map(show)) };
    default:
      return status satisfies never;
  }
}
