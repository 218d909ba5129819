import { type Texts, wordFor } from "../../texts/texts.ts";
import type { Run } from "./wire.ts";

/** What a run looks like to who tells no colours apart. */
const RUN_SIGNS: Readonly<Record<string, string>> = {
  ok: "✓",
  failed: "✗",
  skipped: "–",
  missed: "○",
  unknown: "?",
  running: "▶",
  due: "…",
};

/** And what its message does, which is another thing. */
const DELIVERY_SIGNS: Readonly<Record<string, string>> = {
  none: "·",
  delivered: "✉",
  queued: "⧗",
  pending: "⧗",
  nobody: "∅",
  failed: "!",
  unknown: "?",
};

/** Outcomes of runs, the newest last: above how it went, below what became of its message. */
export function Strip({
  texts: { routines: texts, language },
  runs,
}: {
  readonly texts: Texts;
  readonly runs: readonly Run[];
}) {
  return (
    <ol class="strip" aria-label={texts.history}>
      {runs.toReversed().map(({ due_at: at, state, delivery, cause }) => {
        const words = [
          new Date(at).toLocaleString(language),
          wordFor(texts.runs, state, texts.runs.other),
          wordFor(texts.deliveries, delivery, texts.deliveries.other),
          wordFor(texts.causes, cause, texts.causes.other),
        ].join(", ");
        return (
          <li key={at} class={`run run-${state}`} title={words}>
            <span aria-hidden="true">{RUN_SIGNS[state] ?? "•"}</span>
            <span aria-hidden="true" class="delivery">
              {DELIVERY_SIGNS[delivery] ?? "•"}
            </span>
            <span class="only-heard">{words}</span>
          </li>
        );
      })}
    </ol>
  );
}
