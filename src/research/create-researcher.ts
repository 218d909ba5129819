import type { Failure } from "../core/app-error.ts";
import type { Log } from "../core/log.ts";
import {
  applyInjectionCheck,
  type InjectionCheck,
  suspectInjection,
} from "../security/injection.ts";
import { cleanQuery } from "./clean-query.ts";
import { type FetchPage, type Gathered, gatherPages, type Page } from "./gather-pages.ts";
import type { Researcher, ResearchFailure, ResearchResult } from "./research.ts";
import type { Search } from "./search.ts";
import { type Summariser, summarise } from "./summarise.ts";

/** What a researcher works with. */
export interface ResearcherDeps extends Summariser {
  readonly search: Search;
  readonly fetchPage: FetchPage;
  /** Most hits looked at and most pages read. */
  readonly maxSources: number;
  readonly maxPages: number;
  /** What is done about a page that seems to give orders. */
  readonly injectionCheck: InjectionCheck;
  readonly redact: (text: string) => string;
  readonly now: () => number;
  readonly log: Log;
}

/** Search, read the pages, have them summarised: one ONLINE_RESEARCH event for each query. */
export function createResearcher(deps: ResearcherDeps): Researcher {
  return async (query, signal) => {
    const startedAt = deps.now();
    const counts = { results: 0, pages: 0, chars: 0 };
    const cleaned = cleanQuery(query, deps.redact);
    const result = await research(deps, cleaned, counts, signal);
    deps.log("ONLINE_RESEARCH", {
      query: cleaned,
      ...counts,
      sources: result.ok ? result.research.sources.length : 0,
      ms: deps.now() - startedAt,
      ...(!result.ok && { code: result.code }),
    });
    return result;
  };
}

async function research(
  deps: ResearcherDeps,
  query: string,
  counts: { results: number; pages: number; chars: number },
  signal: AbortSignal,
): Promise<ResearchResult> {
  if (query === "")
    return fail("invalid_args", "Cannot research an empty query: say what to look for");
  const found = await deps.search.search(query, { limit: deps.maxSources, signal });
  if (!found.ok) return found;
  counts.results = found.hits.length;
  if (found.hits.length === 0)
    return fail("not_found", `Cannot find anything on the web about "${query}": use other words`);
  const { fetchPage, maxPages } = deps;
  const gathered = await gatherPages(found.hits, { fetchPage, maxPages, signal });
  counts.pages = gathered.pages.length;
  counts.chars = gathered.chars;
  if (signal.aborted) return fail("ERR_CANCELLED", "The research was cancelled");
  if (gathered.pages.length === 0) return noPages(query, gathered);
  const pages = screenPages(gathered.pages, deps);
  if (pages.every(({ isLeftOut }) => isLeftOut)) {
    const message = `Cannot use any page about "${query}": all of them seem to give orders to a model; security.injection_check decides`;
    return fail("denied", message);
  }
  return summarise(deps, { query, pages }, signal);
}

function noPages(query: string, { failures }: Gathered): ResearchFailure {
  const [first] = failures;
  const message = `Cannot read any page about "${query}": ${first?.message ?? "none was fetched"}; use other words`;
  return { ...fail("unavailable", message), isOfCall: true };
}

function fail(code: Failure["code"], message: string): Failure {
  return { ok: false, code, message };
}

/**
 * The pages as a model may read them: one that seems to give orders is marked, or a notice is in
 * its place.
 */
function screenPages(
  pages: readonly Page[],
  { injectionCheck: check, log }: { readonly injectionCheck: InjectionCheck; readonly log: Log },
): readonly Page[] {
  return pages.map((page) => {
    const { url, title, text } = page;
    const { origin, pathname } = new URL(url); // a query may be private
    const source = { tool: "research", page: origin + pathname };
    const kind = suspectInjection(`${title}\n${text}`, source, { check, log });
    if (kind === undefined) return page;
    const received = applyInjectionCheck(text, kind, check);
    if (check !== "block") return { ...page, text: received };
    return { url, title: url, text: received, isLeftOut: true };
  });
}
