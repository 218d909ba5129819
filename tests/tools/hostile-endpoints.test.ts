import { beforeAll, expect, test } from "bun:test";
import { toBotSignal } from "../../src/channels/telegram/bot-signal.ts";
import { openApi } from "../../src/channels/telegram/receive/open-api.ts";
import { fetchFile } from "../../src/channels/telegram/work/fetch-file.ts";
import { systemClock } from "../../src/core/clock.ts";
import { fetchGuarded } from "../../src/http/fetch-guarded.ts";
import { transcribe } from "../../src/providers/transcribe.ts";
import { createPageFetcher } from "../../src/research/create-page-fetcher.ts";
import { createSearch } from "../../src/research/create-search.ts";
import { createServer } from "../../src/tools/mcp/server.ts";
import { fetchJson } from "../../src/tools/places/fetch-json.ts";
import { HOSTILE } from "../http/hostile-servers.ts";
import { rawServer } from "../http/raw-server.ts";
import { startBotApi } from "../support/bot-api-server.ts";
import { cutShort, PATIENCE_MS } from "../support/patience.ts";

const never = new AbortController().signal;

function search(service: "searxng" | "tavily" | "brave"): Ask {
  return (url, timeoutMs) =>
    createSearch({ service, baseUrl: url, apiKey: () => "k", timeoutMs }).search("x", {
      limit: 3,
      signal: never,
    });
}

/** Asks something there that is not waited for longer than so long. */
type Ask = (url: string, limitMs: number) => Promise<unknown>;

/** Everything of ours that asks something on the network, with a limit of its own or a caller's. */
const CLIENTS: Readonly<Record<string, Ask>> = {
  "a request of a tool": (url, timeoutMs) =>
    fetchGuarded({ url, trusted: true, timeoutMs, maxBytes: 1000, signal: never }),
  "a page of research": (url, timeoutMs) =>
    createPageFetcher({ timeoutMs, maxBytes: 1000, allowedHosts: ["127.0.0.1"] })(url, never),
  searxng: search("searxng"),
  tavily: search("tavily"),
  brave: search("brave"),
  "a map service": (url, limitMs) => fetchJson({ url, signal: AbortSignal.timeout(limitMs) }),
  "a transcription": (url, limitMs) =>
    transcribe(
      Buffer.from("x"),
      { endpoint: { baseUrl: url, apiKey: "", fetch }, model: "m" },
      AbortSignal.timeout(limitMs),
    ),
  "an MCP server": async (url, limitMs) => {
    await using server = openMcp(url, limitMs);
    return await server.list(never);
  },
  "the Bot API": async (url, limitMs) =>
    (await openApi("1:x", { apiRoot: url, timeoutSeconds: limitMs / 1000 })).getMe(),
  "a file of Telegram": async (url, limitMs) => {
    await using telegram = await startBotApi();
    const { token } = telegram;
    telegram.files.set("f", { path: "a.txt", content: Buffer.from("") });
    const api = await openApi(token, { apiRoot: telegram.url, timeoutSeconds: 30 });
    const signal = toBotSignal(AbortSignal.timeout(limitMs));
    const file = await fetchFile(
      { fileId: "f", sizeBytes: undefined },
      { api, apiRoot: url, token },
      signal,
    );
    return file.ok ? await Array.fromAsync(file.chunks) : file;
  },
};

/** What is loaded at the first use takes a part of the limit on a busy machine. */
beforeAll(async () => {
  await import("openai/client");
  await import("grammy/web");
  await import("@modelcontextprotocol/sdk/client/index.js");
  await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  await import("@modelcontextprotocol/sdk/types.js");
});

function openMcp(url: string, timeoutMs: number) {
  const launch = { kind: "http", url, headers: {} } as const;
  const server = createServer(
    {
      name: "x",
      launch: () => launch,
      fingerprint: "x",
      allowedTools: [],
      toolsSha256: "",
      readOnlyTools: [],
      timeoutMs,
      version: "1",
    },
    systemClock,
  );
  return { ...server, [Symbol.asyncDispose]: () => server.close() };
}

test.concurrent.each(Object.entries(CLIENTS))(
  "%s leaves every server that does not end its answer",
  async (_, ask) => {
    const askAll = async (limitMs: number) =>
      Promise.all(
        Object.entries(HOSTILE).map(async ([name, answer]) => {
          using server = await rawServer(answer);
          const asked = ask(`http://127.0.0.1:${server.port}`, limitMs);
          const late = Promise.withResolvers<string>();
          const timer = setTimeout(() => late.resolve("stuck"), PATIENCE_MS);
          const end = await Promise.race([
            asked.then(
              () => "ended",
              () => "ended",
            ),
            late.promise,
          ]);
          clearTimeout(timer);
          return { name, end, isReached: server.requests.length > 0 };
        }),
      );
    // On a busy machine a limit may pass before there is a connection.
    let isReached = false;
    const all = await cutShort(
      async (limitMs) => {
        const ends = await askAll(limitMs);
        isReached = ends.every((each) => each.isReached);
        return ends;
      },
      () => isReached,
    );
    expect(all.filter(({ end }) => end !== "ended")).toEqual([]);
    expect(isReached).toBe(true);
  },
);

test("an MCP server that refuses without an end is read no further than it explains", async () => {
  let sentBytes = 0;
  const piece = Buffer.alloc(64 * 1024, "x");
  const fetch = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sentBytes += piece.length;
          controller.enqueue(piece);
        },
      }),
      { status: 500 },
    );
  const endless = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
  try {
    await using server = openMcp(endless.url.href, PATIENCE_MS);
    expect(await server.list(never).catch((error: unknown) => error)).toBeInstanceOf(Error);
    expect(sentBytes).toBeLessThan(16 * 1024 * 1024);
  } finally {
    await endless.stop(true);
  }
});
