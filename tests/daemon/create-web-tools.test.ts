import { describe, expect, test } from "bun:test";
import { loadConfig } from "../../src/config/load/load.ts";
import { AppError } from "../../src/core/app-error.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createWebTools } from "../../src/daemon/app/create-web-tools.ts";
import { chooseProvider } from "../../src/daemon/app/models.ts";
import { createCapabilities } from "../../src/providers/capabilities.ts";
import { createRedactor } from "../../src/security/redact/redact.ts";
import type { ToolArguments, ToolResult } from "../../src/tools/tool.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { startMapServer } from "../support/map-server.ts";
import { startOnlineWorld } from "../support/online-world.ts";
import { SEARCH_KEY, type SearchScript } from "../support/search-server.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

interface SceneOptions {
  readonly web?: SearchScript;
  readonly change?: (config: string) => string;
  readonly hasModel?: boolean;
  /** Of the search service; without it there is none. */
  readonly key?: string;
}

/** The web's tools as a `config.toml` describes them, on loopback. */
async function open({ web = {}, change = (config) => config, hasModel = true, key }: SceneOptions) {
  const dir = tempDir();
  const world = startOnlineWorld({ web });
  const map = startMapServer({ spots: { lisbon: [38.7, -9.1] } });
  const places = `[places]\nnominatim_url = "${map.url}"\noverpass_url = "${map.url}/overpass"\n`;
  writeTree(dir.path, { "config.toml": change(world.config + places) });
  const { config } = await loadConfig({
    path: "config.toml",
    cwd: dir.path,
    home: dir.path,
    env: {},
  });
  const edge = { log: silentLog, clock: systemClock };
  const redactor = createRedactor();
  redactor.add("hunter2-hunter2");
  const provider = chooseProvider({
    ...edge,
    config,
    capabilities: createCapabilities(),
    pay: (each) => each,
    isForExtracts: true,
    secret: () => "",
  });
  const store = memoryStore();
  const tools = createWebTools({
    ...edge,
    config,
    store,
    redactor,
    secret: (reference) => {
      if (key !== undefined) return key;
      throw new AppError("ERR_SECRET_UNAVAILABLE", `Cannot read "${reference}"`);
    },
    extractProvider: hasModel ? () => provider : undefined,
  })({
    name: "w",
    root: dir.path,
    check: "none",
    checkTimeoutMs: 1000,
    maxActions: 0,
    protectedPaths: [],
  });
  const names = tools.map(({ schema }) => schema.name);
  const run = async (name: string, args: ToolArguments): Promise<ToolResult> => {
    const tool = tools.find(({ schema }) => schema.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return tool.run(args, new AbortController().signal, "call_1");
  };
  return {
    world,
    map,
    names,
    tools,
    run,
    async [Symbol.asyncDispose]() {
      await Promise.all([world[Symbol.asyncDispose](), map[Symbol.asyncDispose]()]);
      store.close();
      dir[Symbol.dispose]();
    },
  };
}

const ALWAYS = ["http_request", "search_places", "get_weather"];

describe("createWebTools() has a tool where it is configured:", () => {
  const without = (line: string) => (config: string) => config.replace(line, "");
  const keyed = (config: string) => config.replace('"searxng"', '"tavily"');

  test.each([
    ["all of them", {}, ["web_search", "research"]],
    ["all of them with a key", { change: keyed, key: SEARCH_KEY }, ["web_search", "research"]],
    ["no search without its key", { change: keyed }, []],
    ["no search with an empty key", { change: keyed, key: "" }, []],
    ["no search when it is off", { change: without("enabled = true") }, []],
    [
      "no SearXNG without its address",
      { change: (config: string) => config.replace(/(searxng"\nbase_url = )".*"/, '$1""') },
      [],
    ],
    ["no research without a model", { hasModel: false }, ["web_search"]],
  ])("%s", async (_what, options: SceneOptions, searching) => {
    await using scene = await open(options);
    expect(scene.names.toSorted()).toEqual([...ALWAYS, ...searching].toSorted());
  });

  test("research, places and weather are rare, and everything is from outside", async () => {
    await using scene = await open({});
    const rare = scene.tools.filter(({ isRare }) => isRare).map(({ schema }) => schema.name);
    expect(rare).toEqual(["research", "search_places", "get_weather"]);
    expect(scene.tools.every(({ origin }) => origin === "outside")).toBe(true);
  });
});

describe("web_search", () => {
  const results = [
    { url: "https://a.example/x", title: "A", snippet: "about a", date: "2026-01-02" },
    { url: "https://b.example/" },
  ];

  test("gives title, date, address and snippet, and asks once a day", async () => {
    await using scene = await open({ web: { results } });
    const expected = {
      ok: true,
      content:
        "1. A (2026-01-02)\nhttps://a.example/x\nabout a\n\n2. https://b.example/\nhttps://b.example/",
    } as const;
    expect(await scene.run("web_search", { query: "Q" })).toEqual(expected);
    expect(await scene.run("web_search", { query: "q" })).toEqual(expected);
    expect(scene.world.web.searches).toHaveLength(1);
  });

  test("gives as many as asked for, ten at most, and says when there are none", async () => {
    const many = Array.from({ length: 20 }, (_, i) => ({ url: `https://a.example/${i}` }));
    await using scene = await open({ web: { results: many } });
    const count = async (limit: number) => {
      const result = await scene.run("web_search", { query: `q${limit}`, limit });
      return result.ok && result.content.split("\n\n").length;
    };
    expect([await count(-1), await count(7), await count(99)]).toEqual([1, 7, 10]);
    await using empty = await open({ web: { results: [] } });
    expect(await empty.run("web_search", { query: "q" })).toMatchObject({
      content: "Nothing found.",
    });
  });

  test("tells no secret to the service, and nothing to nobody", async () => {
    await using scene = await open({ web: { results } });
    await scene.run("web_search", { query: "what is hunter2-hunter2" });
    expect(scene.world.web.searches[0]?.query).toBe("what is [secret]");
    expect(await scene.run("web_search", { query: " \n" })).toMatchObject({
      errorCode: "invalid_args",
    });
  });

  test.each([
    [401, { errorCode: "unavailable", retryable: false }],
    [429, { errorCode: "rate_limited", retryable: true, retryAfterMs: 3000 }],
    [502, { errorCode: "unavailable", retryable: true }],
  ])("fails with status %i", async (status, failure) => {
    const answer = () => new Response("", { status, headers: { "retry-after": "3" } });
    await using scene = await open({ web: { answer } });
    const result = await scene.run("web_search", { query: "q" });
    expect(result).toMatchObject({ ok: false, ...failure });
  });

  test.each([429, 503])(
    "a service that answers %i, and does not say for how long, is asked for nothing else in the turn",
    async (status) => {
      const answer = () => new Response("", { status });
      await using scene = await open({ web: { answer } });
      for (const name of ["web_search", "research"]) {
        const asked = scene.world.web.searches.length;
        const first = await scene.run(name, { query: "one" });
        expect(first).toMatchObject({ ok: false, retryable: true });
        expect(await scene.run(name, { query: "two" })).toEqual(first);
        expect(scene.world.web.searches.length - asked).toBe(1);
      }
    },
  );
});

describe("research", () => {
  test("answers from pages that were read, with its sources", async () => {
    await using scene = await open({});
    const { url } = scene.world.web;
    const result = await scene.run("research", { query: "the flag" });
    const text = result.ok ? result.content : result.error;
    expect(text).toStartWith("The flag is --fast.");
    expect(text).toContain("\n\nNotes: One page gave orders.\n\n");
    expect(text).toEndWith(
      `\n\nSources:\n- Fast ${url}/fast\n- Evil ${url}/evil\n\nConfidence: 0.9`,
    );
  });

  test("fails as its search does", async () => {
    await using scene = await open({ web: { results: [] } });
    expect(await scene.run("research", { query: "q" })).toMatchObject({ errorCode: "not_found" });
  });

  test("fails when the model does, and may be asked again", async () => {
    await using scene = await open({});
    await scene.world.model.stop();
    expect(await scene.run("research", { query: "q" })).toMatchObject({
      errorCode: "unavailable",
      retryable: true,
    });
  });
});

test("the web's tools use the configured map, private hosts and secrets", async () => {
  await using scene = await open({});
  await scene.run("search_places", { location: "Lisbon" });
  expect(scene.map.requests.map(({ path }) => path)).toEqual(["/search", "/overpass"]);
  const url = `${scene.world.web.url}/fast`;
  expect(await scene.run("http_request", { url })).toMatchObject({
    content: expect.stringMatching(/^HTTP 200 OK\nhttp:[^]*\n\nThe flag is --fast\.$/u),
  });
  const leak = { url, headers: { "X-A": "hunter2-hunter2" } };
  expect(await scene.run("http_request", leak)).toMatchObject({ errorCode: "denied" });
});
