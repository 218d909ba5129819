import type { Failure } from "../core/app-error.ts";
import { cutText } from "../core/cut-text.ts";
import type { SearchHit } from "./search.ts";
import { toLine } from "./to-line.ts";
import { toWebAddress } from "./web-address.ts";

/** A page as text, under its address after redirects. */
export interface Page {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  /** What of the page is not in its text, in a line; empty or absent when all is. */
  readonly missing?: string;
  /** Its text is only a notice that it was left out. */
  readonly isLeftOut?: boolean;
}

/** Reads one page, bounded in time and size; what goes wrong is a returned failure. */
export type FetchPage = (
  url: string,
  signal: AbortSignal,
) => Promise<({ readonly ok: true } & Page) | Failure>;

/** Pages in the order of the hits, and what could not be read. */
export interface Gathered {
  readonly pages: readonly Page[];
  readonly chars: number;
  readonly failures: readonly Failure[];
}

const AT_ONCE = 3;
const MAX_CHARS = 80_000;
/** Two pages of this length together answer most questions. */
const ENOUGH_CHARS = 40_000;
const ENOUGH_PAGES = 2;
const MAX_TITLE_CHARS = 200;

/**
 * Reads the pages behind the hits, three at a time, until there are `maxPages` or enough text;
 * what is under way then is given up.
 */
export async function gatherPages(
  hits: readonly SearchHit[],
  options: {
    readonly fetchPage: FetchPage;
    readonly maxPages: number;
    readonly signal: AbortSignal;
  },
): Promise<Gathered> {
  const { fetchPage, maxPages } = options;
  const enough = new AbortController();
  const signal = AbortSignal.any([options.signal, enough.signal]);
  const waiting = hits.entries();
  const pages = new Map<string, { readonly rank: number; readonly page: Page }>();
  const failures: Failure[] = [];
  let underWay = 0;
  let chars = 0;

  const add = (rank: number, page: Page) => {
    if (signal.aborted || pages.has(page.url)) return;
    pages.set(page.url, { rank, page: cutPage(page, MAX_CHARS - chars) });
    chars = Math.min(MAX_CHARS, chars + page.text.length);
    const isEnough = pages.size >= ENOUGH_PAGES && chars >= ENOUGH_CHARS;
    if (isEnough || chars >= MAX_CHARS) enough.abort();
  };
  const work = async () => {
    while (!signal.aborted && pages.size + underWay < maxPages) {
      const next = waiting.next();
      if (next.done) return;
      const [rank, hit] = next.value;
      underWay += 1;
      const result = await readHit(hit, fetchPage, signal);
      underWay -= 1;
      if (result.ok) add(rank, result.page);
      else failures.push(result);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));

  const ranked = [...pages.values()].toSorted((a, b) => a.rank - b.rank);
  return { pages: ranked.map(({ page }) => page), chars, failures };
}

function cutPage(page: Page, most: number): Page {
  const text = cutText(page.text, most);
  const beyond = page.text.length - text.length;
  if (beyond === 0) return page;
  const last = `the last ${beyond} characters`;
  return {
    ...page,
    text,
    missing: page.missing ? `${page.missing}, ${last}` : `Left out: ${last}`,
  };
}

async function readHit(
  hit: SearchHit,
  fetchPage: FetchPage,
  signal: AbortSignal,
): Promise<{ readonly ok: true; readonly page: Page } | Failure> {
  const result = await fetchPage(hit.url, signal);
  if (!result.ok) return result;
  const text = result.text.trim();
  if (text === "") return { ok: false, code: "not_found", message: `"${hit.url}" has no text` };
  const url = toWebAddress(result.url) ?? hit.url;
  return {
    ok: true,
    page: {
      url,
      title: toLine(result.title, MAX_TITLE_CHARS) || hit.title,
      text,
      ...(result.missing && { missing: result.missing }),
    },
  };
}
