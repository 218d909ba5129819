import { AppError } from "../core/app-error.ts";
import { toStatusFailure } from "../http/fetch-failure.ts";
import { fetchGuarded } from "../http/fetch-guarded.ts";
import type { FetchCode, FetchedResponse, FetchFailure } from "../http/fetch-result.ts";
import type { ResearchFailure } from "./research.ts";
import type { RawHit, Search, SearchHit, SearchResult, SearchService } from "./search.ts";
import { SEARCH_SERVICES } from "./search-services.ts";
import { toLine } from "./to-line.ts";
import { toWebAddress } from "./web-address.ts";

/** The `[online_research]` keys of a search. */
export interface SearchSettings {
  readonly service: keyof typeof SEARCH_SERVICES;
  /** Empty: the public one. */
  readonly baseUrl: string;
  /** Asked only for a service that needs a key. */
  readonly apiKey: () => string | undefined;
  readonly timeoutMs: number;
}

const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const MAX_TITLE_CHARS = 200;
const MAX_SNIPPET_CHARS = 500;

/**
 * The search service that the owner chose, at the endpoint that the owner chose: it may be
 * private.
 *
 * @throws AppError ERR_CONFIG_INVALID when the service needs a key or an address that is missing.
 */
export function createSearch({ service: name, ...settings }: SearchSettings): Search {
  const service: SearchService = SEARCH_SERVICES[name];
  const root = settings.baseUrl || need(name, "base_url", service.publicUrl);
  const baseUrl = root.replace(/\/+$/u, "");
  const apiKey = service.needsKey ? need(name, "api_key", settings.apiKey()) : "";
  return {
    identity: `${name} ${baseUrl}`,
    async search(query, { limit, signal }) {
      const { path, params = {}, ...request } = service.toRequest({ query, limit, apiKey });
      const response = await fetchGuarded({
        ...request,
        url: baseUrl + path + toQuery(params),
        trusted: true,
        timeoutMs: settings.timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
        signal,
      });
      if (!response.ok) return toSearchFailure(response);
      const refused = toStatusFailure(response);
      if (!refused) return readAnswer(name, service, response, limit);
      const reason = `the service answered with status ${response.status}`;
      const advice = refused.retryable ? "try again later" : service.advice;
      const message = `Cannot search with "${name}": ${reason}; ${advice}`;
      return toSearchFailure({ ...refused, message });
    },
  };
}

function toQuery(params: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(params).toString();
  return query === "" ? "" : `?${query}`;
}

function need(name: string, key: string, value: string | undefined): string {
  if (value) return value;
  const message = `Cannot search with "${name}": it needs online_research.${key}; set it, or choose another online_research.search`;
  throw new AppError("ERR_CONFIG_INVALID", message);
}

/** What passes by itself keeps its code; all else is the service's or the owner's to fix. */
const KEPT: ReadonlySet<FetchCode> = new Set(["rate_limited", "timeout", "ERR_CANCELLED"]);

function toSearchFailure(failure: FetchFailure): ResearchFailure {
  const { code, message, retryable, retryAfterMs, isBusy } = failure;
  return {
    ok: false,
    code: KEPT.has(code) ? code : "unavailable",
    message,
    retryable,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(isBusy && { isBusy }),
  };
}

function readAnswer(
  name: string,
  service: SearchService,
  { body }: FetchedResponse,
  limit: number,
): SearchResult {
  const results = service.toResults(parseJson(body));
  if (results) return { ok: true, hits: cleanHits(results).slice(0, limit) };
  const message = `Cannot search with "${name}": the answer is not the JSON that it documents; ${service.advice}`;
  return { ok: false, code: "unavailable", message };
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** Drops what is no web address or was there before. */
function cleanHits(results: readonly RawHit[]): readonly SearchHit[] {
  const hits = new Map<string, SearchHit>();
  for (const { url: given, title, snippet, date: published } of results) {
    const url = toWebAddress(given);
    if (url === undefined || hits.has(url)) continue;
    const date = toDate(published);
    hits.set(url, {
      url,
      title: toText(title, MAX_TITLE_CHARS),
      snippet: toText(snippet, MAX_SNIPPET_CHARS),
      ...(date !== undefined && { date }),
    });
  }
  return [...hits.values()];
}

/** The day of a date in any of the notations that services use. */
function toDate(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (/^\d{4}-\d\d-\d\d/u.test(value)) return value.slice(0, 10);
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 10);
}

function toText(value: unknown, maxChars: number): string {
  return typeof value === "string" ? toLine(value, maxChars) : "";
}
