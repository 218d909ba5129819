import { shorten } from "../core/cut-text.ts";
import type { Texts } from "../texts/texts.ts";
import type { OutcomeView, PartView, PlannedRow, PreviewView, Step } from "../transaction/views.ts";

/** How large a plan is, in a line; none where it is one change. */
export function toPlannedRowLines(
  row: PlannedRow | undefined,
  { tries: { row: texts } }: Pick<Texts, "tries">,
): readonly string[] {
  return row ? [texts.planned(row.files, row.parts, row.mostRequests)] : [];
}

/** What a person waits for, in a line; nothing of what a check prints, nor of how far it is. */
export function renderStep(
  step: Step,
  { agent, tries: { row } }: Pick<Texts, "agent" | "tries">,
): string | undefined {
  if (typeof step === "string") return agent.checking(step);
  if ("printed" in step || "counted" in step) return undefined;
  if ("part" in step) return row.asking(step.part, step.of);
  return row.checking(step.check, step.at, step.of);
}

/** The parts of a change set, a line each; none where it is one. `show` renders words of a model. */
export function toRowLines(
  { row }: Pick<PreviewView, "row">,
  { tries: { row: texts } }: Pick<Texts, "tries">,
  show: (words: string) => string,
): readonly string[] {
  if (!row) return [];
  const { done, parts } = row;
  const toLine = ({ summary, changes, added, removed, checks }: PartView, index: number) => {
    const said = summary === undefined ? texts.added : show(toFirstLine(summary));
    const line = texts.part(done + index + 1, changes, `+${added} −${removed}`, said);
    return checks === undefined ? line : `${line} — ${texts[checks]}`;
  };
  return [...(done > 0 ? [texts.done(done)] : []), texts.head(parts.length), ...parts.map(toLine)];
}

/** What else there is to say of an outcome of parts; none where it was one change set. */
export function toRowEndLines(
  { row, ok, made }: Pick<OutcomeView, "row" | "ok" | "made">,
  { tries: { row: texts } }: Pick<Texts, "tries">,
): readonly string[] {
  if (!row || made !== undefined) return [];
  const { done, parts, undoable = 0 } = row;
  const undo = undoable > 0 ? [texts.undoNewest(undoable, done + parts.length)] : [];
  return ok ? undo : [texts.rest, ...undo];
}

function toFirstLine(summary: string): string {
  const [line = ""] = summary.trim().split("\n", 1);
  return shorten(line, MOST_CHARS);
}

const MOST_CHARS = 100;
