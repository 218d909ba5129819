import { toVisibleText } from "../core/visible-text.ts";
import type { AgentEvent } from "./channel.ts";

/** Findings from the web as text for a terminal, hidden characters made visible. */
export function renderResearch(event: Extract<AgentEvent, { kind: "research" }>): string {
  const { query, answerMd, notes, sources, autoUsed } = event;
  const parts = [
    `Found on the web: ${query}`,
    answerMd,
    ...(notes === undefined ? [] : [`Notes: ${notes}`]),
    sources.map(({ url, title }, index) => `${index + 1}. ${title} ${url}`).join("\n"),
    autoUsed
      ? "Auto-used ✓ (/autouse off ends this for the workspace)"
      : "/use plans again with it, once",
  ];
  return toVisibleText(parts.join("\n\n"));
}
