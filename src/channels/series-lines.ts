import { shorten } from "../core/cut-text.ts";
import type { Texts } from "../texts/texts.ts";
import type {
  OutcomeView,
  PartView,
  PlannedSeries,
  PreviewView,
  Step,
} from "../transaction/views.ts";

/** How large a plan is, in a line; none where it is one change. */
export function toPlannedSeriesLines(
  series: PlannedSeries | undefined,
  { tries: { series: texts } }: Pick<Texts, "tries">,
): readonly string[] {
  return series ? [texts.planned(series.files, series.parts, series.mostRequests)] : [];
}

/** What a person waits for, in a line; nothing of what a check prints, nor of how far it is. */
export function renderStep(
  step: Step,
  { agent, tries: { series } }: Pick<Texts, "agent" | "tries">,
): string | undefined {
  if (typeof step === "string") return agent.checking(step);
  if ("printed" in step || "counted" in step) return undefined;
  if ("part" in step) return series.asking(step.part, step.of);
  return series.checking(step.check, step.at, step.of);
}

/** The parts of a change set, a line each; none where it is one. `show` renders words of a model. */
export function toSeriesLines(
  { row: series }: Pick<PreviewView, "row">,
  { tries: { series: texts } }: Pick<Texts, "tries">,
  show: (words: string) => string,
): readonly string[] {
  if (!series) return [];
  const { done, parts } = series;
  const toLine = ({ summary, changes, added, removed, checks }: PartView, index: number) => {
    const said = summary === undefined ? texts.added : show(toFirstLine(summary));
    const line = texts.part(done + index + 1, changes, `+${added} −${removed}`, said);
    return checks === undefined ? line : `${line} — ${texts[checks]}`;
  };
  return [...(done > 0 ? [texts.done(done)] : []), texts.head(parts.length), ...parts.map(toLine)];
}

/** What else there is to say of an outcome of parts; none where it was one change set. */
export function toSeriesEndLines(
  { row: series, ok, made }: Pick<OutcomeView, "row" | "ok" | "made">,
  { tries: { series: texts } }: Pick<Texts, "tries">,
): readonly string[] {
  if (!series || made !== undefined) return [];
  const { done, parts, undoable = 0 } = series;
  const undo = undoable > 0 ? [texts.undoNewest(undoable, done + parts.length)] : [];
  return ok ? undo : [texts.rest, ...undo];
}

function toFirstLine(summary: string): string {
  const [line = ""] = summary.trim().split("\n", 1);
  return shorten(line, MOST_CHARS);
}

const MOST_CHARS = 100;
