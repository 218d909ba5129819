import { readPath, toRawHits } from "./raw-hits.ts";
import type { SearchService } from "./search.ts";

/** The service refuses longer queries. */
const MAX_WORDS = 50;

/** Brave Search: `GET /res/v1/web/search` with a subscription token. */
export const brave: SearchService = {
  publicUrl: "https://api.search.brave.com",
  needsKey: true,
  advice: "check online_research.api_key",
  toRequest: ({ query, limit, apiKey }) => ({
    path: "/res/v1/web/search",
    params: {
      q: query.split(" ").slice(0, MAX_WORDS).join(" "),
      count: String(limit),
      result_filter: "web",
      text_decorations: "false",
    },
    method: "GET",
    headers: { accept: "application/json", "x-subscription-token": apiKey },
  }),
  toResults: (answer) => {
    // An answer without results leaves "web" out.
    const isEmpty = readPath(answer, "type") === "search" && readPath(answer, "web") === undefined;
    return isEmpty
      ? []
      : toRawHits(readPath(answer, "web", "results"), { snippet: "description", date: "page_age" });
  },
};
