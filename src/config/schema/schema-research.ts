import { BY_PERSON, key, NOT_TAKEN, OFF, SMALLER, secret } from "./schema-facts.ts";
import { choice, flag, integer, table, text, urlOrNone } from "./schema-parts.ts";

/** Research on the web. */
export const OnlineResearch = table(
  "Research on the web when a plan needs it",
  {
    enabled: key(flag("Allow research", false), OFF, BY_PERSON),
    auto_use_as_context: key(flag("Plan again at once with what was found", false), OFF, BY_PERSON),
    search: key(
      choice("Search service", ["tavily", "searxng", "brave"], "tavily"),
      NOT_TAKEN,
      BY_PERSON,
    ),
    api_key: key(
      text("Key of the search service", "env:PAPAYU_TAVILY_API_KEY"),
      NOT_TAKEN,
      secret(["base_url", "search"]),
    ),
    base_url: key(
      urlOrNone("Root of the search service; empty: its public one", "http://127.0.0.1:8080"),
      NOT_TAKEN,
      BY_PERSON,
    ),
    max_sources: key(integer("Search results looked at", 5, 1, 20), SMALLER, BY_PERSON),
    max_pages: key(integer("Pages fetched", 4, 1, 10), SMALLER, BY_PERSON),
    page_max_bytes: key(integer("Bytes of one page", 200_000, 10_000, 500_000), SMALLER, BY_PERSON),
    timeout_s: key(integer("Seconds for one request", 20, 5, 60), SMALLER, BY_PERSON),
    context_max_chars: key(
      integer("Characters handed to the plan", 8000, 256, 32_000),
      SMALLER,
      BY_PERSON,
    ),
    context_max_sources: key(integer("Sources handed to the plan", 10, 1, 20), SMALLER, BY_PERSON),
  },
  "research.md",
);
