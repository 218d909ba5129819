import type { LogValue } from "../../src/core/log.ts";
import { createCapabilities } from "../../src/providers/capabilities.ts";
import { createOpenAiProvider } from "../../src/providers/openai.ts";
import { createCachedSearch } from "../../src/research/cached-search.ts";
import { createPageFetcher } from "../../src/research/create-page-fetcher.ts";
import { createResearcher, type ResearcherDeps } from "../../src/research/create-researcher.ts";
import { createSearch } from "../../src/research/create-search.ts";
import { createRedactor } from "../../src/security/redact/redact.ts";
import { createSearchCache } from "../../src/store/online/search-cache.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { type Reply, type Script, startModelServer } from "../support/model-server.ts";
import { SEARCH_KEY, type SearchScript, startSearchServer } from "../support/search-server.ts";

const never = new AbortController().signal;

/** Everything real, on loopback: a search service, the pages it finds, and a scripted model. */
export function openScene(web: SearchScript, model: Script, deps: Partial<ResearcherDeps> = {}) {
  const server = startSearchServer(web);
  const models = startModelServer(model);
  const events: { event: string; fields: Readonly<Record<string, LogValue>> | undefined }[] = [];
  const log: ResearcherDeps["log"] = (event, fields) => void events.push({ event, fields });
  const redactor = createRedactor();
  const cache = createSearchCache(memoryStore());
  const clock = { now: 1_000_000 };
  const now = () => clock.now;
  const search = createSearch({
    service: "tavily",
    baseUrl: server.url,
    apiKey: () => SEARCH_KEY,
    timeoutMs: 60_000,
  });
  const research = createResearcher({
    search: createCachedSearch(search, { cache, now }),
    fetchPage: createPageFetcher({
      timeoutMs: 60_000,
      maxBytes: 200_000,
      allowedHosts: ["127.0.0.1"],
    }),
    provider: createOpenAiProvider({
      name: "local",
      baseUrl: models.url,
      apiKey: "sk-test",
      model: "m-1",
      timeoutMs: 60_000,
      capabilities: createCapabilities(),
      log: () => {},
    }),
    strict: true,
    maxSources: 5,
    maxPages: 4,
    injectionCheck: "review",
    redact: redactor.redact,
    now,
    log,
    ...deps,
  });
  return {
    server,
    models,
    events,
    clock,
    redactor,
    research: (query: string, signal = never) => research(query, signal),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await models.stop();
    },
  };
}

/** A model's summary as it would send it. */
export function summary(answer: Readonly<Record<string, unknown>>): Reply {
  const whole = { answer_md: "It is 42.", confidence: 0.8, sources: [], ...answer };
  return { kind: "text", text: JSON.stringify(whole) };
}

/** A page of a site with a title and some prose. */
export function html(title: string, body: string): string {
  return `<!doctype html><html><head><title>${title}</title></head><body><p>${body}</p></body></html>`;
}
