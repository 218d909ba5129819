import type { RawHit, SearchService } from "./search.ts";

/** The services that can be chosen: how each is asked and read. */
export const SEARCH_SERVICES = {
  /** Tavily: `POST /search` with a bearer key. */
  tavily: {
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
  },
  /** SearXNG: `GET /search`, one's own instance, no key. */
  searxng: {
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
  },
  /** Brave Search: `GET /res/v1/web/search` with a subscription token. */
  brave: {
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
      const isEmpty =
        readPath(answer, "type") === "search" && readPath(answer, "web") === undefined;
      return isEmpty
        ? []
        : toRawHits(readPath(answer, "web", "results"), {
            snippet: "description",
            date: "page_age",
          });
    },
  },
} as const satisfies Readonly<Record<string, SearchService>>;

/** Brave refuses longer queries. */
const MAX_WORDS = 50;

/** The value at the end of a path of keys; undefined where there is none. */
function readPath(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => {
    return typeof at === "object" && at !== null && Object.hasOwn(at, key)
      ? Reflect.get(at, key)
      : undefined;
  }, value);
}

/** A list of results whose text and date are under these keys; undefined when it is no list. */
function toRawHits(
  results: unknown,
  keys: { readonly snippet: string; readonly date: string },
): readonly RawHit[] | undefined {
  if (!Array.isArray(results)) return undefined;
  return results.map((result: unknown) => ({
    url: readPath(result, "url"),
    title: readPath(result, "title"),
    snippet: readPath(result, keys.snippet),
    date: readPath(result, keys.date),
  }));
}
