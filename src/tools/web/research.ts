import type { Research, Researcher, ResearchFailure } from "../../research/research.ts";
import type { Tool } from "../tool.ts";

/** `research`: a question answered from several pages, with its sources. */
export function createResearchTool(research: Researcher): Tool {
  let refusal: ResearchFailure | undefined; // of the search service, for the turn
  return {
    schema: {
      name: "research",
      description:
        "Searches the web, reads several pages and answers a question from them, with sources",
      parameters: {
        type: "object",
        properties: { query: { type: "string" } },
        required: ["query"],
      },
    },
    isRare: true,
    origin: "outside",
    leaves: "arguments",
    effect: () => "network",
    async run({ query }, signal) {
      const result = refusal ?? (await research(String(query), signal));
      if (result.ok) return { ok: true, content: renderResearch(result.research) };
      if (result.isBusy && result.retryAfterMs === undefined) refusal = result;
      const { toResearchFailure } = await import("./research-failure.ts");
      return toResearchFailure(result);
    },
  };
}

const AS_A_WHOLE = 'http_request with part = "navigation" or raw = true';

function renderResearch({ answerMd, confidence, notes, sources }: Research): string {
  const list = sources.map(
    ({ title, url, missing }) => `- ${title} ${url}${missing ? ` (${missing})` : ""}`,
  );
  const hint = sources.some(({ missing }) => missing) && `To read what was left out: ${AS_A_WHOLE}`;
  const parts = [answerMd, notes && `Notes: ${notes}`, `Sources:\n${list.join("\n")}`, hint];
  return [...parts.filter(Boolean), `Confidence: ${confidence}`].join("\n\n");
}
