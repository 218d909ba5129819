import type { ResearchFailure } from "../../research/research.ts";
import type { Search, SearchHit } from "../../research/search.ts";
import { type Tool, toOwnersService } from "../tool.ts";

const LIMIT = 5;
const MAX_LIMIT = 10;

/** What `web_search` is bound to. */
export interface WebSearchDeps {
  readonly search: Search["search"];
  /** Masks secrets in what leaves the machine. */
  readonly redact: (text: string) => string;
}

/** `web_search`: title, address, snippet and date of what a search service finds. */
export function createWebSearchTool({ search, redact }: WebSearchDeps): Tool {
  let refusal: ResearchFailure | undefined; // of the search service, for the turn
  return {
    schema: {
      name: "web_search",
      description: "Searches the web",
      parameters: {
        type: "object",
        properties: {
          query: { type: "string" },
          limit: { type: "integer", description: `${LIMIT}, at most ${MAX_LIMIT}` },
        },
        required: ["query"],
      },
    },
    origin: "outside",
    leaves: toOwnersService,
    effect: () => "network",
    async run({ query: given, limit = LIMIT }, signal) {
      const [{ cleanQuery }, { toResearchFailure }] = await Promise.all([
        import("../../research/clean-query.ts"),
        import("./research-failure.ts"),
      ]);
      const query = cleanQuery(String(given), redact);
      if (query === "")
        return { ok: false, error: "query is empty", errorCode: "invalid_args", retryable: false };
      const most = Math.min(MAX_LIMIT, Math.max(1, Number(limit)));
      const found = refusal ?? (await search(query, { limit: most, signal }));
      if (!found.ok) {
        // It did not say for how long: within the turn it is asked for nothing else.
        if (found.isBusy && found.retryAfterMs === undefined) refusal = found;
        return toResearchFailure(found);
      }
      const content = found.hits.map(renderHit).join("\n\n");
      return { ok: true, content: content || "Nothing found." };
    },
  };
}

function renderHit({ title, url, snippet, date }: SearchHit, index: number): string {
  const head = `${index + 1}. ${title || url}${date ? ` (${date})` : ""}`;
  return [head, url, snippet].filter((line) => line !== "").join("\n");
}
