import { readPath, toRawHits } from "./raw-hits.ts";
import type { SearchService } from "./search.ts";

/** SearXNG: `GET /search`, one's own instance, no key. */
export const searxng: SearchService = {
  publicUrl: undefined,
  needsKey: false,
  advice: "check online_research.base_url, and that search.formats in its settings.yml has json",
  toRequest: ({ query }) => ({
    path: "/search",
    params: { q: query, format: "json" },
    method: "GET",
    headers: { accept: "application/json" },
  }),
  toResults: (answer) =>
    toRawHits(readPath(answer, "results"), { snippet: "content", date: "publishedDate" }),
};
