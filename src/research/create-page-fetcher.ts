import { toStatusFailure } from "../http/fetch-failure.ts";
import { fetchGuarded } from "../http/fetch-guarded.ts";
import { readPage } from "../http/read-page.ts";
import type { FetchPage } from "./gather-pages.ts";

const MAX_REDIRECTS = 5;

/** The bounds of one page, and the private hosts it may stand on. */
export interface PageLimits {
  readonly timeoutMs: number;
  /** What is beyond is left out. */
  readonly maxBytes: number;
  readonly allowedHosts: readonly string[];
}

/** Reads pages that search results name: by the guarded fetch, stripped to their text. */
export function createPageFetcher(limits: PageLimits): FetchPage {
  return async (url, signal) => {
    const response = await fetchGuarded({ ...limits, url, maxRedirects: MAX_REDIRECTS, signal });
    if (!response.ok) return response;
    const failure = toStatusFailure(response);
    if (failure) return failure;
    const page = await readPage(response);
    return page.ok ? { ...page, url: response.url } : page;
  };
}
