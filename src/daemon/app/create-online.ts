import type { Database } from "bun:sqlite";
import type { Config } from "../../config/schema/schema.ts";
import { toAppError } from "../../core/app-error.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { OnlineDeps } from "../../planner/online/online.ts";
import type { Provider } from "../../providers/provider.ts";
import { createCachedSearch } from "../../research/cached-search.ts";
import { createPageFetcher } from "../../research/create-page-fetcher.ts";
import { createResearcher } from "../../research/create-researcher.ts";
import { createSearch } from "../../research/create-search.ts";
import type { Researcher } from "../../research/research.ts";
import type { Search } from "../../research/search.ts";
import { toInjectionCheck } from "../../security/injection.ts";
import {
  createOnlineChains,
  createResearchStore,
  createSearchCache,
} from "../../store/online/online.ts";
import type { Settings } from "../../store/settings/settings.ts";

/** What research for plans is made of. */
interface OnlineParts extends ResearchParts {
  readonly settings: Settings;
}

/** What research is made of. */
interface ResearchParts {
  readonly config: Config;
  readonly store: Database;
  readonly secret: (reference: string) => string | undefined;
  readonly redact: (text: string) => string;
  /** Summarises what was found. */
  readonly provider: Provider;
  readonly strict: boolean;
  readonly log: Log;
  readonly clock: Clock;
}

/** Research on the web for plans, as configured. */
export function createOnline(parts: OnlineParts): OnlineDeps {
  const { config, store, settings } = parts;
  const { context_max_chars, context_max_sources, auto_use_as_context } = config.online_research;
  return {
    research: createConfiguredResearcher(parts),
    limits: { maxChars: context_max_chars, maxSources: context_max_sources },
    autoUse: auto_use_as_context,
    chains: createOnlineChains(store),
    researches: createResearchStore(store),
    settings,
  };
}

/** Made at the first query: a wrong setting stops research, and nothing else. */
export function createConfiguredResearcher(parts: ResearchParts): Researcher {
  let researcher: Researcher | undefined;
  return async (query, signal) => {
    try {
      researcher ??= openResearcher(parts);
    } catch (error) {
      const { code, message } = toAppError(error);
      return { ok: false, code, message };
    }
    return researcher(query, signal);
  };
}

/** The configured search with its cache, made at the first query. */
export function createConfiguredSearch(parts: SearchParts): Search["search"] {
  let search: Search | undefined;
  return async (query, options) => {
    try {
      search ??= openSearch(parts);
    } catch (error) {
      const { code, message } = toAppError(error);
      return { ok: false, code, message };
    }
    return search.search(query, options);
  };
}

/** What a search is made of. */
type SearchParts = Pick<OnlineParts, "config" | "store" | "secret" | "clock">;

function openSearch({ config, store, secret, clock }: SearchParts): Search {
  const settings = config.online_research;
  const search = createSearch({
    service: settings.search,
    baseUrl: settings.base_url,
    apiKey: () => secret(settings.api_key),
    timeoutMs: settings.timeout_s * 1000,
  });
  return createCachedSearch(search, { cache: createSearchCache(store), now: clock.now });
}

function openResearcher({ config, store, secret, ...parts }: ResearchParts): Researcher {
  const settings = config.online_research;
  return createResearcher({
    ...parts,
    search: openSearch({ config, store, secret, clock: parts.clock }),
    fetchPage: createPageFetcher({
      timeoutMs: settings.timeout_s * 1000,
      maxBytes: settings.page_max_bytes,
      allowedHosts: config.security.http_allowed_hosts,
    }),
    maxSources: settings.max_sources,
    maxPages: settings.max_pages,
    injectionCheck: toInjectionCheck(config.security.injection_check),
    now: parts.clock.now,
  });
}
