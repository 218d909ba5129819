import { toVisibleText } from "../core/visible-text.ts";
import type { Texts } from "../texts/texts.ts";
import type { AgentEvent } from "./channel.ts";

/** Findings from the web as text for a terminal, hidden characters made visible. */
export function renderResearch(
  event: Extract<AgentEvent, { kind: "research" }>,
  { research }: Texts,
): string {
  const { query, answerMd, notes, sources, autoUsed } = event;
  const parts = [
    `${research.head} ${query}`,
    answerMd,
    ...(notes === undefined ? [] : [`${research.notes}: ${notes}`]),
    sources.map(({ url, title }, index) => `${index + 1}. ${title} ${url}`).join("\n"),
    autoUsed ? research.autoUsedHow : research.useHow,
  ];
  return toVisibleText(parts.join("\n\n"));
}
