import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/core/app-error.ts";
import { createSearch, type SearchSettings } from "../../src/research/create-search.ts";
import { SEARCH_KEY, type SearchScript, startSearchServer } from "../support/search-server.ts";

const never = new AbortController().signal;
const SERVICES: readonly SearchSettings["service"][] = ["tavily", "searxng", "brave"];

describe.each(SERVICES)('createSearch("%s")', (service) => {
  function open(script: SearchScript, settings: Partial<SearchSettings> = {}) {
    const server = startSearchServer(script);
    const search = createSearch({
      service,
      baseUrl: server.url,
      apiKey: () => SEARCH_KEY,
      timeoutMs: 60_000,
      ...settings,
    });
    const ask = (query: string, limit = 5, signal = never) =>
      search.search(query, { limit, signal });
    return { ...server, ask };
  }

  test("gives the results in their order, as text on one line", async () => {
    await using scene = open({
      results: [
        { url: "https://a.example/x?y=1#part", title: " Ti\ntle\u202e ", snippet: "s\u0000\n s" },
        { url: "http://b.example", title: "t".repeat(900), snippet: "n".repeat(900) },
      ],
    });
    expect(await scene.ask("что такое 👍 & ?")).toEqual({
      ok: true,
      hits: [
        { url: "https://a.example/x?y=1", title: "Ti tle", snippet: "s s" },
        { url: "http://b.example/", title: "t".repeat(200), snippet: "n".repeat(500) },
      ],
    });
    expect(scene.searches[0]?.query).toBe("что такое 👍 & ?");
  });

  test("drops what is no web address, and what was there before", async () => {
    await using scene = open({
      results: [
        { url: "javascript:alert(1)" },
        { url: "file:///etc/passwd" },
        { url: "data:text/html,x" },
        { url: "not a url" },
        { url: `https://a.example/${"x".repeat(2100)}` },
        { url: "https://a.example" },
        { url: "https://A.example/#again" },
      ],
    });
    expect(await scene.ask("q")).toMatchObject({ ok: true, hits: [{ url: "https://a.example/" }] });
  });

  test("gives the day of a result where there is one", async () => {
    const dates = ["2024-05-01T23:30:00-05:00", "Wed, 01 May 2024 10:00:00 GMT", "yesterday"];
    const results = dates.map((date, i) => ({ url: `https://a.example/${i}`, date }));
    await using scene = open({ results });
    const found = await scene.ask("q");
    const days = found.ok ? found.hits.map(({ date }) => date) : [];
    expect(days).toEqual(["2024-05-01", "2024-05-01", undefined]);
  });

  test("gives at most as many as were asked for", async () => {
    const results = Array.from({ length: 9 }, (_, i) => ({ url: `https://a.example/${i}` }));
    await using scene = open({ results });
    const found = await scene.ask("q", 3);
    expect(found.ok && found.hits).toHaveLength(3);
    expect([3, undefined]).toContain(scene.searches[0]?.limit);
  });

  test("takes no results for an answer", async () => {
    await using scene = open({});
    expect(await scene.ask("q")).toEqual({ ok: true, hits: [] });
  });

  test("leaves out results that are none", async () => {
    const broken = [null, 7, "x", { url: 7 }, { url: "https://a.example/", title: {} }];
    const document = { results: broken, web: { results: broken } };
    await using scene = open({ answer: () => Response.json(document) });
    const hits = [{ url: "https://a.example/", title: "", snippet: "" }];
    expect(await scene.ask("q")).toEqual({ ok: true, hits });
  });

  test.each([401, 403])("says what to check on status %d", async (status) => {
    await using scene = open({ answer: () => new Response(SEARCH_KEY, { status }) });
    const failure = await scene.ask("q");
    expect(failure).toMatchObject({ ok: false, code: "unavailable" });
    expect(!failure.ok && failure.message).toContain(
      `Cannot search with "${service}": the service answered with status ${status}; check online_`,
    );
    expect(JSON.stringify(failure)).not.toContain(SEARCH_KEY);
  });

  test("passes on when to come back", async () => {
    const headers = { "retry-after": "7" };
    await using scene = open({ answer: () => new Response("", { status: 429, headers }) });
    expect(await scene.ask("q")).toMatchObject({ code: "rate_limited", retryAfterMs: 7000 });
  });

  test.each([
    ["an HTML page", () => new Response("<html>")],
    ["half a document", () => new Response('{"results":[{"url":"http')],
    ["another document", () => Response.json({ results: { a: 1 }, web: [] })],
    ["nothing", () => new Response("")],
    ["a redirect", () => Response.redirect("http://127.0.0.1:1/")],
    ["a failure", () => new Response("", { status: 500 })],
  ])("is unavailable when %s comes", async (_, answer) => {
    await using scene = open({ answer });
    expect(await scene.ask("q")).toMatchObject({ ok: false, code: "unavailable" });
  });

  test("gives up when the time is over, and when it is cancelled", async () => {
    const hang = () => new Promise<Response>(() => {});
    await using scene = open({ answer: hang }, { timeoutMs: 60 });
    expect(await scene.ask("q")).toMatchObject({ ok: false, code: "timeout" });
    expect(await scene.ask("q", 5, AbortSignal.abort())).toMatchObject({ code: "ERR_CANCELLED" });
  });

  test("is unavailable when nobody listens", async () => {
    const scene = open({}, { baseUrl: "http://127.0.0.1:1" });
    await using _ = scene;
    expect(await scene.ask("q")).toMatchObject({ ok: false, code: "unavailable" });
  });

  test("takes a root with a path and slashes at its end", async () => {
    await using scene = open({ results: [{ url: "https://a.example/" }] });
    await using below = open({}, { baseUrl: `${scene.url}///` });
    expect(await below.ask("q")).toMatchObject({ ok: true, hits: [{}] });
    expect(scene.searches).toHaveLength(1);
  });
});

describe("createSearch()", () => {
  const settings = { baseUrl: "", apiKey: () => SEARCH_KEY, timeoutMs: 60_000 };

  test("knows the public services, and that SearXNG has none", () => {
    expect(createSearch({ ...settings, service: "tavily" }).identity).toBe(
      "tavily https://api.tavily.com",
    );
    expect(createSearch({ ...settings, service: "brave" }).identity).toBe(
      "brave https://api.search.brave.com",
    );
    expect(() => createSearch({ ...settings, service: "searxng" })).toThrow(
      'Cannot search with "searxng": it needs online_research.base_url',
    );
  });

  test.each(["tavily", "brave"] as const)("refuses %s without a key", (service) => {
    const open = () => createSearch({ ...settings, apiKey: () => undefined, service });
    expect(open).toThrow(AppError);
    expect(open).toThrow("it needs online_research.api_key");
  });

  test.each(["tavily", "brave"] as const)("learns from %s that a key is wrong", async (service) => {
    await using server = startSearchServer({});
    const search = createSearch({
      service,
      baseUrl: server.url,
      apiKey: () => "no",
      timeoutMs: 60_000,
    });
    const failure = await search.search("q", { limit: 1, signal: never });
    expect(failure).toMatchObject({ ok: false, code: "unavailable" });
  });

  test("never shows the key to a service that needs none", async () => {
    await using server = startSearchServer({});
    const search = createSearch({ ...settings, service: "searxng", baseUrl: server.url });
    await search.search("q", { limit: 1, signal: never });
    expect(server.searches).toHaveLength(1);
    expect(JSON.stringify(server.searches)).not.toContain(SEARCH_KEY);
  });

  test("sends Brave no more words than it takes", async () => {
    await using server = startSearchServer({});
    const search = createSearch({ ...settings, service: "brave", baseUrl: server.url });
    await search.search(Array(80).fill("w").join(" "), { limit: 1, signal: never });
    expect(server.searches[0]?.query.split(" ")).toHaveLength(50);
  });
});
