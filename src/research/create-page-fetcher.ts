import { toStatusFailure } from "../http/fetch-failure.ts";
import { fetchOpen } from "../http/fetch-guarded.ts";
import { type FetchFailure, renderUrl } from "../http/fetch-result.ts";
import { renderLeftOut } from "../http/html-to-text/html-to-text.ts";
import { type ReadPage, readPage } from "../http/read-page.ts";
import type { FetchPage, Page } from "./gather-pages.ts";

const MAX_REDIRECTS = 5;

/** The bounds of one page, and the private hosts it may be on. */
export interface PageLimits {
  readonly timeoutMs: number;
  /** What is beyond is left out. */
  readonly maxBytes: number;
  readonly allowedHosts: readonly string[];
}

/** Reads pages that search results name: by the guarded fetch, stripped to their text. */
export function createPageFetcher(limits: PageLimits): FetchPage {
  return (url, signal) =>
    fetchOpen({ ...limits, url, maxRedirects: MAX_REDIRECTS, signal }, async (response) => {
      return toStatusFailure(response) ?? toReadable(await readPage(response));
    });
}

function toReadable({ url, content }: ReadPage): ({ readonly ok: true } & Page) | FetchFailure {
  switch (content.kind) {
    case "html":
      if (content.needsScripts) return toFailure(url, "the page shows nothing without JavaScript");
      return {
        ok: true,
        url,
        title: content.title,
        text: content.text,
        missing: renderLeftOut(content.leftOut),
      };
    case "text":
      return { ok: true, url, title: "", text: content.text };
    case "binary":
      return toFailure(url, `it is ${content.type || "a binary file"}, not text`);
    case "redirect":
      return toFailure(url, "it only leads elsewhere");
    default:
      return content satisfies never;
  }
}

function toFailure(url: string, reason: string): FetchFailure {
  const message = `Cannot read "${renderUrl(url)}": ${reason}`;
  return { ok: false, code: "unavailable", message, retryable: false };
}
