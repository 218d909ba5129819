import { shorten } from "../../core/cut-text.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import { oneLine } from "../offline/offline.ts";
import type { Another } from "./another.ts";
import { changedLines, gradeOf, type Tries, type Try } from "./compare.ts";

/** What there is to know of a way that was tried beside others: all of them, what it took, what is left. */
export function toAnotherLines(
  { tries, left, spent }: Extract<Another, { ok: true }>,
  texts: Texts,
): readonly string[] {
  const { tokens, cost } = spent;
  const { status } = texts;
  const amount =
    cost > 0 ? status.tokensAndCost(tokens, Number(cost.toPrecision(3))) : status.tokens(tokens);
  return [
    ...toTriesNotes(tries, texts),
    ...toTryLines(tries, texts).map((line, index) => `${index + 1}. ${line.trim()}`),
    texts.tries.took(amount),
    left > 0 ? texts.tries.left(left) : texts.tries.noneLeft,
  ];
}

/** What there is to know of several ways, a sentence each. */
export function toTriesNotes({ order, basis }: Tries, { tries: texts }: Texts): readonly string[] {
  const ends = order.map(({ end }) => end);
  const green = ends.filter((end) => gradeOf(end) === "green").length;
  const hasChanges = ends.some(({ kind }) => kind === "changes");
  const [first] = order;
  return [
    ...(hasChanges && basis === "checks"
      ? [green > 0 ? texts.smallest(green, order.length) : texts.noneGreen]
      : []),
    ...(hasChanges && basis !== "checks" ? [texts.bySize[basis]] : []),
    ...(ends.some(isCapped) ? [texts.capped] : []),
    ...(first?.provider === "offline" ? [texts.oneWay] : []),
  ];
}

/** Whether a daily cap kept it from a plan, a change set or a correction. */
function isCapped(end: Try["end"]): boolean {
  if (end.kind === "failed") return end.code === "LLM_BUDGET";
  if (end.kind === "nothing") return false;
  const notes = end.preview.checked?.fixNotes ?? [];
  return notes.some(({ code }) => code === "LLM_BUDGET");
}

/** One line for each of them, with the id by which it is shown and applied. */
export function toTryLines(
  { order }: Tries,
  { tries: texts, failure }: Pick<Texts, "tries" | "failure">,
): readonly string[] {
  return order.map(({ end, same, provider, model, temperature }) => {
    const facts = [
      texts.states[gradeOf(end)],
      ...(end.kind === "changes" ? [texts.lines(changedLines(end.preview))] : []),
      ...(end.kind === "failed" ? [`${end.code}: ${whyFailed(end, failure)}`] : []),
      ...(same.length > 0 ? [texts.same(same.length)] : []),
    ];
    const who = [provider, model, ...(temperature === undefined ? [] : [temperature])].join(" ");
    const id = end.plan?.ok ? end.plan.planId : "-";
    return toVisibleText(`  ${id}  ${facts.join(" · ")}  (${who})`);
  });
}

/** In the person's language where there is a sentence for it; an answer of a server may be long. */
function whyFailed(
  { code, message }: Extract<Try["end"], { readonly kind: "failed" }>,
  failure: Texts["failure"],
): string {
  return shorten(oneLine(failure(code) || message), MOST_REASON_CHARS);
}

const MOST_REASON_CHARS = 200;
