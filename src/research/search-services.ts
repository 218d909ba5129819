import { readPath, toRawHits } from "./raw-hits.ts";
import type { SearchService } from "./search.ts";

/** Tavily: `POST /search` with a bearer key. */
export const tavily: SearchService = {
  publicUrl: "https://api.tavily.com",
  needsKey: true,
  advice: "check online_research.api_key",
  toRequest: ({ query, limit, apiKey }) => ({
    path: "/search",
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ query, max_results: limit, search_depth: "basic" }),
  }),
  toResults: (answer) =>
    toRawHits(readPath(answer, "results"), { snippet: "content", date: "published_date" }),
};
