import { describe, expect, test } from "bun:test";
import { html, openScene, summary } from "./scene.ts";

const RESULTS = [
  { url: "/a", title: "hit a" },
  { url: "/b", title: "hit b" },
  { url: "/gone", title: "hit gone" },
];
const PAGES = { "/a": html("Page A", "The answer is 42."), "/b": html("", "Bun 1.4 has it.") };
const WEB = { results: RESULTS, pages: PAGES };
const CITED = { url: "http://127.0.0.1/", title: "" };
const DAY_MS = 24 * 3_600_000;

/** The addresses of the pages in a prompt. */
function urlsIn(text: string): readonly string[] {
  return [...text.matchAll(/^url: (.+)$/gmu)].map((match) => match[1] ?? "");
}

/** A model that takes every page it is shown for a source. */
function citeAll(text: string) {
  return summary({ sources: urlsIn(text).map((url) => ({ url, title: "model's own" })) });
}

describe("createResearcher()", () => {
  test("searches, reads the pages and gives the summary with its sources", async () => {
    await using scene = openScene(WEB, ({ body }) => citeAll(body.messages[1]?.content ?? ""));
    const result = await scene.research("what is\nthe answer");
    expect(result).toEqual({
      ok: true,
      research: {
        answerMd: "It is 42.",
        confidence: 0.8,
        sources: [
          { url: `${scene.server.url}/a`, title: "Page A" },
          { url: `${scene.server.url}/b`, title: "hit b" },
        ],
        usage: { inputTokens: 10, outputTokens: 5 },
      },
    });
    expect(scene.server.searches).toMatchObject([{ query: "what is the answer", limit: 5 }]);
    expect(scene.server.visits.toSorted()).toEqual(["/a", "/b", "/gone"]);
  });

  test("says of each page what it left out, to the model and behind the source", async () => {
    const links = Array.from({ length: 5 }, (_, n) => `<li><a href="/${n}">Part ${n}</a></li>`);
    const prose = "The answer is 42, and this is told here in a good many words. ".repeat(12);
    const page = html("Page A", `${prose}<nav><ul>${links.join("")}</ul></nav>`);
    const web = { results: RESULTS, pages: { ...PAGES, "/a": page } };
    await using scene = openScene(web, ({ body }) => citeAll(body.messages[1]?.content ?? ""));
    const result = await scene.research("q");
    const missing = "Left out: 1 menu (5 links)";
    expect(result.ok && result.research.sources).toEqual([
      { url: `${scene.server.url}/a`, title: "Page A", missing },
      { url: `${scene.server.url}/b`, title: "hit b" },
    ]);
    expect(scene.models.requests[0]?.body.messages[1]?.content).toContain(
      `title: Page A\n${missing}\n\n`,
    );
  });

  test("asks the model by schema at temperature 0, with the pages as data", async () => {
    await using scene = openScene(WEB, ({ body }) => citeAll(body.messages[1]?.content ?? ""));
    await scene.research("q");
    const body = scene.models.requests[0]?.body;
    expect(body?.temperature).toBe(0);
    expect(body?.response_format?.json_schema).toMatchObject({
      name: "papayu_online_answer",
      strict: true,
      schema: { required: ["answer_md", "confidence", "sources", "notes"] },
    });
    const [system, user] = body?.messages ?? [];
    const boundary = /<<<PAGE (\w{24})/u.exec(system?.content ?? "")?.[1];
    expect(user?.content).toContain(
      `QUESTION: q\n\n<<<PAGE ${boundary}\nurl: ${scene.server.url}/a`,
    );
    expect(user?.content).toContain("The answer is 42.");
  });

  test("sends no schema where the provider has none", async () => {
    const model = [summary({})];
    await using scene = openScene(WEB, model, { strict: false });
    await scene.research("q");
    expect(scene.models.requests[0]?.body.response_format).toBeUndefined();
  });

  test("logs one event with what was done", async () => {
    await using scene = openScene(WEB, ({ body }) => citeAll(body.messages[1]?.content ?? ""));
    await scene.research("q");
    const chars = "The answer is 42.".length + "Bun 1.4 has it.".length;
    const fields = { query: "q", results: 3, pages: 2, chars, sources: 2, ms: 0 };
    expect(scene.events).toEqual([{ event: "ONLINE_RESEARCH", fields }]);
  });

  test("lets no secret leave with the query", async () => {
    await using scene = openScene(WEB, [summary({})]);
    scene.redactor.add("hunter2-hunter2");
    await scene.research("why does hunter2-hunter2 fail");
    expect(scene.server.searches[0]?.query).toBe("why does [secret] fail");
    expect(scene.models.requests[0]?.text).not.toContain("hunter2");
    expect(JSON.stringify(scene.events)).not.toContain("hunter2");
  });

  test("searches once a day for one query", async () => {
    await using scene = openScene(WEB, [summary({})]);
    await scene.research("q");
    scene.clock.now += DAY_MS - 1;
    await scene.research(" Q ");
    expect(scene.server.searches).toHaveLength(1);
    scene.clock.now += 1;
    await scene.research("q");
    expect(scene.server.searches).toHaveLength(2);
  });

  test("has a broken summary repaired once", async () => {
    const good = (url: string) => summary({ sources: [{ url, title: "" }], notes: "n" });
    await using scene = openScene(WEB, (_, n) =>
      n === 0 ? summary({ confidence: 7, extra: 1 }) : good(`${scene.server.url}/a`),
    );
    expect(await scene.research("q")).toMatchObject({
      ok: true,
      research: { notes: "n", usage: { inputTokens: 20, outputTokens: 10 } },
    });
    const [, , answer, faults] = scene.models.requests[1]?.body.messages ?? [];
    expect(answer?.content).toContain('"confidence":7');
    expect(faults?.content).toContain("confidence must be at most 1");
    expect(faults?.content).toContain('must not have "extra"');
  });

  test.each([
    ["ERR_SCHEMA_VALIDATION", summary({ answer_md: "" })],
    ["ERR_SCHEMA_VALIDATION", summary({ sources: Array.from({ length: 11 }, () => CITED) })],
    ["ERR_JSON_EXTRACT", { kind: "text", text: "I would rather chat" }],
    ["ERR_JSON_PARSE", { kind: "text", text: '{"answer_md": "br' }],
  ] as const)("fails with %s when the second summary is broken too", async (code, reply) => {
    await using scene = openScene(WEB, [reply]);
    expect(await scene.research("q")).toMatchObject({ ok: false, code });
    expect(scene.models.requests).toHaveLength(2);
    expect(scene.events[0]?.fields).toMatchObject({ code, sources: 0, pages: 2 });
  });

  test("says that the summary was cut, and asks for no repair under the same bound", async () => {
    const half = { kind: "text", text: '{"answer_md": "br', finishReason: "length" } as const;
    await using scene = openScene(WEB, [half]);
    const failed = await scene.research("q");
    expect(failed).toMatchObject({ ok: false, code: "LLM_ANSWER_CUT" });
    expect(JSON.stringify(failed)).toContain("set max_tokens in [providers.");
    expect(scene.models.requests).toHaveLength(1);
  });

  test("fails with the code of the provider, and asks no second time", async () => {
    await using scene = openScene(WEB, [{ kind: "status", status: 400 }]);
    expect(await scene.research("q")).toMatchObject({ ok: false, code: "LLM_REQUEST" });
    expect(scene.models.requests).toHaveLength(1);
  });

  test.each([
    ["an empty query", " \n", WEB, "invalid_args"],
    ["a search without results", "q", {}, "not_found"],
    ["pages that cannot be read", "q", { results: RESULTS }, "unavailable"],
    [
      "a search that is refused",
      "q",
      { answer: () => new Response("", { status: 403 }) },
      "unavailable",
    ],
  ] as const)("fails on %s without asking the model", async (_, query, web, code) => {
    await using scene = openScene(web, [summary({})]);
    expect(await scene.research(query)).toMatchObject({ ok: false, code });
    expect(scene.models.requests).toHaveLength(0);
    expect(scene.events).toHaveLength(1);
  });

  test("passes on when the search service wants to be asked again", async () => {
    const headers = { "retry-after": "3" };
    const answer = () => new Response("", { status: 429, headers });
    await using scene = openScene({ answer }, [summary({})]);
    const failure = { ok: false, code: "rate_limited", retryAfterMs: 3000 };
    expect(await scene.research("q")).toMatchObject(failure);
  });

  test.each(["search", "pages", "model"])(
    "ends at once when it is cancelled at its %s",
    async (at) => {
      const controller = new AbortController();
      const hang = () => {
        controller.abort();
        return new Promise<Response>(() => {});
      };
      await using scene = openScene(
        {
          results: RESULTS,
          pages: at === "pages" ? { "/a": hang } : PAGES,
          ...(at === "search" && { answer: hang }),
        },
        () => {
          controller.abort();
          return { kind: "hang" };
        },
      );
      const result = await scene.research("q", controller.signal);
      expect(result).toMatchObject({ ok: false, code: "ERR_CANCELLED" });
      expect(scene.models.requests).toHaveLength(at === "model" ? 1 : 0);
    },
  );
});
