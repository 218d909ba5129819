import { describe, expect, test } from "bun:test";
import { type FetchPage, gatherPages } from "../../src/research/gather-pages.ts";
import type { SearchHit } from "../../src/research/search.ts";

const never = new AbortController().signal;

function hits(count: number): readonly SearchHit[] {
  return Array.from({ length: count }, (_, i) => ({ url: url(i), title: `hit ${i}`, snippet: "" }));
}

function url(i: number): string {
  return `https://a.example/${i}`;
}

/** A web of pages that each take a turn, and what was asked of it. */
function web(texts: readonly (string | undefined)[]) {
  const seen = { asked: 0, underWay: 0, mostAtOnce: 0 };
  const fetchPage: FetchPage = async (address) => {
    const text = texts[Number(address.split("/").at(-1))];
    seen.asked += 1;
    seen.underWay += 1;
    seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.underWay);
    await Bun.sleep(1);
    seen.underWay -= 1;
    if (text === undefined) return { ok: false, code: "denied", message: `no ${address}` };
    return { ok: true, url: address, title: "", text };
  };
  return { seen, fetchPage };
}

describe("gatherPages()", () => {
  test("reads three at a time and keeps the order of the hits", async () => {
    const { seen, fetchPage } = web(["a", "b", "c", "d", "e", "f"]);
    const delays = [9, 1, 5, 1, 1, 1];
    const slow: FetchPage = async (address, signal) => {
      await Bun.sleep(delays[Number(address.at(-1))] ?? 0);
      return fetchPage(address, signal);
    };
    const { pages, chars } = await gatherPages(hits(6), {
      fetchPage: slow,
      maxPages: 10,
      signal: never,
    });
    expect(pages.map(({ text }) => text).join("")).toBe("abcdef");
    expect(chars).toBe(6);
    expect(seen.mostAtOnce).toBeLessThanOrEqual(3);
  });

  test("reads no more pages than it may, and another for each that fails", async () => {
    const { seen, fetchPage } = web([undefined, "b", "  \n", "d", "e", "f"]);
    const gathered = await gatherPages(hits(6), { fetchPage, maxPages: 2, signal: never });
    expect(gathered.pages.map(({ text }) => text)).toEqual(["b", "d"]);
    expect(gathered.failures.map(({ code }) => code).toSorted()).toEqual(["denied", "not_found"]);
    expect(seen.asked).toBe(4);
    expect(seen.mostAtOnce).toBeLessThanOrEqual(2);
  });

  test("stops at two pages with 40,000 characters together and gives up the third", async () => {
    const given: AbortSignal[] = [];
    const fetchPage: FetchPage = async (address, signal) => {
      given.push(signal);
      if (address === url(0)) await new Promise((done) => signal.addEventListener("abort", done));
      return { ok: true, url: address, title: "", text: "x".repeat(20_000) };
    };
    const { pages, chars } = await gatherPages(hits(9), { fetchPage, maxPages: 9, signal: never });
    expect(pages.map((page) => page.url)).toEqual([url(1), url(2)]);
    expect(chars).toBe(40_000);
    expect(given.every(({ aborted }) => aborted)).toBe(true);
  });

  test("goes on after one long page, and never holds more than 80,000 characters", async () => {
    const { fetchPage } = web(["x".repeat(50_000), undefined, undefined, "👍".repeat(60_000)]);
    const { pages, chars } = await gatherPages(hits(4), { fetchPage, maxPages: 4, signal: never });
    expect(pages.map(({ text }) => text.length)).toEqual([50_000, 30_000]);
    expect(chars).toBe(80_000);
    const one = await gatherPages(hits(1), {
      ...web([`x${"👍".repeat(60_000)}`]),
      maxPages: 4,
      signal: never,
    });
    expect(one.pages[0]?.text.isWellFormed()).toBe(true);
    expect(one.pages[0]?.text.length).toBe(79_999);
  });

  test("takes two hits that lead to one page for one", async () => {
    const fetchPage: FetchPage = async () => {
      return { ok: true, url: "https://b.example/#x", title: "T\nt", text: "same" };
    };
    const { pages } = await gatherPages(hits(3), { fetchPage, maxPages: 3, signal: never });
    expect(pages).toEqual([{ url: "https://b.example/", title: "T t", text: "same" }]);
  });

  test("names a page without a title after its hit", async () => {
    const { pages } = await gatherPages(hits(1), { ...web(["a"]), maxPages: 1, signal: never });
    expect(pages[0]?.title).toBe("hit 0");
  });

  test("asks for nothing more once it is cancelled", async () => {
    const { seen, fetchPage } = web(["a", "b", "c", "d", "e"]);
    const controller = new AbortController();
    const cancelling: FetchPage = (address, signal) => {
      controller.abort();
      return fetchPage(address, signal);
    };
    const options = { fetchPage: cancelling, maxPages: 5, signal: controller.signal };
    expect((await gatherPages(hits(5), options)).pages).toEqual([]);
    expect(seen.asked).toBe(1);
  });
});
