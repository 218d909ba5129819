import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { countTokens } from "gpt-tokenizer";
import type { ChatRequest, Provider } from "../../src/providers/provider.ts";
import { createHttpRequestTool, type HttpRequestDeps } from "../../src/tools/http-request.ts";
import type { ToolArguments, ToolFailure, ToolResult } from "../../src/tools/tool.ts";
import { httpAnswer, rawServer } from "../http/raw-server.ts";

const KB = 1024;
const HTML = { "Content-Type": "text/html; charset=utf-8" };

/** The tool for one turn, on loopback. */
function openTool(options: Partial<HttpRequestDeps> = {}) {
  const tool = createHttpRequestTool({
    allowedHosts: ["127.0.0.1"],
    stripThresholdKb: 200,
    extractProvider: undefined,
    holdsSecret: (text) => text.includes("hush-hush"),
    ...options,
  });
  const { signal } = new AbortController();
  return { tool, call: (args: ToolArguments) => tool.run(args, signal) };
}

/** A server with one answer for everything. */
async function siteOf(body: string | Uint8Array, headers = {}, status?: string) {
  const server = await rawServer((socket) => socket.end(httpAnswer(body, headers, status)));
  return Object.assign(server, { url: `http://127.0.0.1:${server.port}/p` });
}

function textOf(result: ToolResult): string {
  if (!result.ok) throw new Error(`${result.errorCode}: ${result.error}`);
  return result.content;
}

function failureOf(result: ToolResult): ToolFailure {
  if (result.ok) throw new Error(`no failure but ${result.content.slice(0, 200)}`);
  return result;
}

/** A page whose text takes exactly `bytes` in UTF-8. */
function pageOf(bytes: number, letter = "x"): string {
  const width = Buffer.byteLength(letter);
  const text = letter.repeat(Math.floor(bytes / width)) + "x".repeat(bytes % width);
  return `<!doctype html><script>${"y".repeat(2000)}</script><p>${text}</p>`;
}

/** A model that answers with `text`, or fails without one. */
function modelOf(text?: string) {
  const requests: ChatRequest[] = [];
  const usage = { inputTokens: 1, outputTokens: 1 };
  const failure = { code: "LLM_REQUEST", message: "down", retryable: true } as const;
  const provider: Provider = {
    name: "small",
    model: "small",
    async *stream(request) {
      requests.push(request);
      if (text !== undefined) yield { kind: "content", text };
      if (text === undefined) yield { kind: "end", reason: "failed", usage, failure };
      else yield { kind: "end", reason: "stop", usage };
    },
  };
  return { requests, extractProvider: () => provider };
}

test("http_request costs a model under 150 tokens", () => {
  expect(countTokens(JSON.stringify(openTool().tool.schema))).toBeLessThan(150);
});

test("http_request reads with GET and HEAD and changes with all else", () => {
  const { tool } = openTool();
  const effects = [undefined, "GET", "head", "POST", "put", "PATCH", "DELETE", "BREW"].map(
    (method) => tool.effect({ url: "http://a.example/", ...(method && { method }) }),
  );
  expect(effects).toEqual([...Array(3).fill("network"), ...Array(5).fill("change")]);
  expect(tool.isOutside).toBe(true);
});

test("http_request describes exactly what goes out", () => {
  const args = { url: "http://a.example/?q", method: "post", headers: { A: "1" }, body: "x\ny" };
  expect(openTool().tool.describe?.(args)).toBe("POST http://a.example/?q\nA: 1\n\nx\ny");
});

test("http_request sends method, headers and body", async () => {
  using site = await siteOf("ok");
  for (const method of ["POST", "put", "PATCH", "DELETE"]) {
    const args = { url: site.url, method, headers: { "X-A": "1" }, body: "grüße" };
    expect(textOf(await openTool().call(args))).toBe("ok");
    expect(site.requests.at(-1)).toStartWith(`${method.toUpperCase()} /p HTTP/1.1\r\n`);
    expect(site.requests.at(-1)).toContain("\r\nx-a: 1\r\n");
    expect(site.requests.at(-1)).toContain("\r\ncontent-length: 7\r\n");
  }
});

describe("http_request sends nothing when it is given", () => {
  test.each([
    ["no URL", { url: "p" }, "denied"],
    ["another scheme", { url: "file:///etc/passwd" }, "denied"],
    ["an unknown method", { method: "TRACE" }, "invalid_args"],
    ["a method of two lines", { method: "GET / HTTP/1.1\r\nX:" }, "invalid_args"],
    ["LF in a value", { headers: { "X-A": "a\nX-B: b" } }, "invalid_args"],
    ["NUL in a value", { headers: { "X-A": "a\0b" } }, "invalid_args"],
    ["CRLF in a name", { headers: { "X-A\r\nHost": "x" } }, "invalid_args"],
    ["a value that is no text", { headers: { "X-A": ["a"] } }, "invalid_args"],
    ["a Host", { headers: { host: "localhost" } }, "invalid_args"],
    ["an upgrade", { headers: { Upgrade: "h2c" } }, "invalid_args"],
    ["a hop-by-hop header", { headers: { "Transfer-Encoding": "chunked" } }, "invalid_args"],
    ["a proxy's header", { headers: { "Proxy-Authorization": "Basic x" } }, "invalid_args"],
    ["a metadata header", { headers: { "Metadata-Flavor": "Google" } }, "invalid_args"],
    ["an IMDS header", { headers: { "X-aws-ec2-metadata-token": "x" } }, "invalid_args"],
    ["a secret in the URL", { query: "?k=hush-hush" }, "denied"],
    ["a secret in a header", { headers: { Authorization: "Bearer hush-hush" } }, "denied"],
    ["a secret as a header's name", { headers: { "hush-hush": "1" } }, "denied"],
    ["a secret in the body", { method: "POST", body: "k=hush-hush" }, "denied"],
  ])("%s", async (_what, { query = "", ...args }: Record<string, unknown>, errorCode) => {
    using site = await siteOf("ok");
    const failure = failureOf(await openTool().call({ url: site.url + String(query), ...args }));
    expect(failure).toMatchObject({ errorCode, retryable: false });
    expect(failure.error).not.toContain("hush-hush");
    expect(site.requests).toEqual([]);
  });

  test("an address that nobody allowed", async () => {
    using site = await siteOf("secret");
    const { call } = openTool({ allowedHosts: [] });
    expect(failureOf(await call({ url: site.url })).errorCode).toBe("denied");
    expect(site.requests).toEqual([]);
  });
});

describe("http_request answers", () => {
  test.each([301, 302, 303, 307, 308])("a %i with its Location, not followed", async (status) => {
    using site = await siteOf("", { Location: "/next?a=1" }, `${status} Moved`);
    expect(textOf(await openTool().call({ url: site.url }))).toBe(
      `Status ${status}, not followed. Location: http://127.0.0.1:${site.port}/next?a=1`,
    );
    expect(site.requests).toHaveLength(1);
  });

  test("a redirect to a metadata service with its address alone", async () => {
    using site = await siteOf("", { Location: "http://169.254.169.254/" }, "302 Found");
    const text = textOf(await openTool().call({ url: site.url }));
    expect(text).toEndWith("Location: http://169.254.169.254/");
    expect(failureOf(await openTool().call({ url: "http://169.254.169.254/" })).errorCode).toBe(
      "denied",
    );
  });

  test.each([
    [400, "invalid_args", false],
    [403, "denied", false],
    [404, "not_found", false],
    [429, "rate_limited", true],
    [500, "internal", true],
    [503, "internal", true],
  ])("a %i as a failure with the body", async (status, errorCode, retryable) => {
    const headers = { "Content-Type": "application/json", "Retry-After": "7" };
    using site = await siteOf('{"why": "так"}', headers, `${status} No`);
    expect(failureOf(await openTool().call({ url: site.url }))).toMatchObject({
      error: expect.stringMatching(new RegExp(`status ${status}\n\n\\{"why": "так"\\}$`)),
      errorCode,
      retryable,
      retryAfterMs: 7000,
    });
  });

  test("a failure whose page is long with its beginning", async () => {
    using site = await siteOf(pageOf(100 * KB), HTML, "404 Not Found");
    const { error } = failureOf(await openTool().call({ url: site.url }));
    expect(error.length).toBeWithin(16 * KB, 16.5 * KB);
  });

  test("HEAD and 204 with status and headers", async () => {
    using site = await siteOf("", { "X-A": "1" }, "204 No Content");
    const text = textOf(await openTool().call({ url: site.url, method: "HEAD" }));
    expect(text).toStartWith("Status 204, no body\n");
    expect(text).toContain("x-a: 1");
  });

  test("a body that breaks off with a failure, not with its half", async () => {
    using site = await rawServer((socket) =>
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"),
    );
    const url = `http://127.0.0.1:${site.port}/`;
    const failure = failureOf(await openTool().call({ url }));
    expect(failure).toMatchObject({ errorCode: "internal", retryable: true });
    expect(failure.error).not.toContain("abc");
  });

  test("one byte a second with a timeout", async () => {
    using site = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
      const drip = setInterval(() => socket.write("x"), 50);
      socket.once("close", () => clearInterval(drip));
    });
    const url = `http://127.0.0.1:${site.port}/`;
    const failure = failureOf(await openTool().call({ url, timeout_secs: 1 }));
    expect(failure).toMatchObject({ errorCode: "timeout", retryable: true });
  });
});

describe("http_request gives as it is", () => {
  test.each([
    ["JSON", "application/json", `{"a": "${"é".repeat(17 * KB)}"}`],
    ["JSON labelled as HTML", "text/html", '{"a": "<b>"}'],
    ["XML", "application/xml", "<?xml version='1.0'?><a>ü</a>"],
    ["text", "text/plain", "<b>not bold</b>"],
    ["what has no label", "", "plain"],
  ])("%s", async (_what, type, body) => {
    using site = await siteOf(body, type ? { "Content-Type": type } : {});
    expect(textOf(await openTool().call({ url: site.url }))).toBe(body);
  });

  test.each([-1, 0, 1])("a text of 1 MB %+i byte, cut on a character", async (more) => {
    const body = `${"x".repeat(1024 * KB + more - 3)}世`;
    using site = await siteOf(body, { "Content-Type": "text/plain; charset=utf-8" });
    const text = textOf(await openTool().call({ url: site.url }));
    const cut = `${body.slice(0, -1)}\n\n[cut here: the rest was not downloaded]`;
    expect(text === (more === 1 ? cut : body)).toBe(true);
  });

  test("HTML when the threshold is 0", async () => {
    const html = pageOf(300 * KB);
    using site = await siteOf(html, HTML);
    const { call } = openTool({ stripThresholdKb: 0 });
    expect(textOf(await call({ url: site.url })) === html).toBe(true);
  });
});

test("http_request says of a binary only what it is", async () => {
  const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n\0\0"), Buffer.alloc(500)]);
  using site = await siteOf(png, { "Content-Type": "image/png" });
  expect(textOf(await openTool().call({ url: site.url }))).toBe(
    `image/png, ${png.length} bytes: binary, its content is not shown`,
  );
});

test("http_request says when a page shows nothing without JavaScript", async () => {
  using site = await siteOf(`<!doctype html><script>${"y".repeat(5000)}</script>`, HTML);
  expect(textOf(await openTool().call({ url: site.url }))).toContain("without JavaScript");
});

describe("http_request strips HTML", () => {
  test.each([
    ["an article of 400 KB with 10 KB of text", 400, 10],
    ["documentation of 600 KB with 80 KB of text", 600, 80],
    ["an encyclopedia page with 180 KB of text", 1400, 180],
  ])("and gives all of %s", async (_what, htmlKb, textKb) => {
    const text = "слово ".repeat(Math.ceil((textKb * KB) / 11)).trim();
    const html = `<!doctype html><style>${"a{}".repeat(((htmlKb - textKb) * KB) / 3)}</style><p>${text}`;
    using site = await siteOf(html, HTML);
    expect(textOf(await openTool().call({ url: site.url })) === text).toBe(true);
  });

  test.each([-1, 0])("and gives a text of the threshold %+i byte whole", async (more) => {
    using site = await siteOf(pageOf(8 * KB + more, "世"), HTML);
    const text = textOf(await openTool({ stripThresholdKb: 8 }).call({ url: site.url }));
    expect(Buffer.byteLength(text)).toBe(8 * KB + more);
  });

  test("and cuts one byte more on a character, with one hint", async () => {
    using site = await siteOf(pageOf(8 * KB + 1, "世"), HTML);
    const text = textOf(await openTool({ stripThresholdKb: 8 }).call({ url: site.url }));
    const hint =
      '\n\n[Cut at 8 KB of 9 KB: call again with "extract" (what to find) or "page" (1 to 1)]';
    expect(text).toBe("世".repeat(Math.floor((8 * KB) / 3)) + hint);
  });
});

describe("http_request extracts", () => {
  const html = `${pageOf(900 * KB)}<p>the price is 7`;

  test("the answer from a page over the threshold, by one small call", async () => {
    using site = await siteOf(html, HTML);
    const model = modelOf(" 7 euros ");
    const { call } = openTool(model);
    const text = textOf(await call({ url: site.url, extract: "price" }));
    expect(text).toBe("[Extracted from 901 KB of text]\n\n7 euros");
    const [request] = model.requests;
    expect(model.requests).toHaveLength(1);
    expect(request).toMatchObject({ temperature: 0 });
    expect(request?.tools).toBeUndefined();
    const asked = request?.messages.at(-1)?.content ?? "";
    expect(asked).toStartWith("price\n");
    expect(asked.match(/x+/)?.[0]).toHaveLength(150 * KB);
  });

  test("nothing from a page under it", async () => {
    using site = await siteOf("<!doctype html><p>short", HTML);
    const model = modelOf("7 euros");
    expect(textOf(await openTool(model).call({ url: site.url, extract: "price" }))).toBe("short");
    expect(model.requests).toEqual([]);
  });

  test.each([
    ["fails", modelOf()],
    ["says nothing", modelOf(" ")],
    ["is not there", {}],
  ])("nothing when the model %s: the page is cut", async (_what, model) => {
    using site = await siteOf(html, HTML);
    const text = textOf(await openTool(model).call({ url: site.url, extract: "price" }));
    expect(text).toStartWith("xxx");
    expect(text.match(/\[Cut at 200 KB of 901 KB: /g)).toHaveLength(1);
  });
});

describe("http_request gives pages", () => {
  const paragraphs = Array.from({ length: 400 }, (_, n) => `${n} ${"слово ".repeat(20)}😀`);

  test("that are the whole when put together, from one download", async () => {
    using site = await siteOf(`<!doctype html>${paragraphs.map((p) => `<p>${p}`).join("")}`, HTML);
    const { call } = openTool();
    const whole = textOf(await call({ url: site.url }));
    const pages: string[] = [];
    for (let page = 1; ; page++) {
      const text = textOf(await call({ url: site.url, page, chunk_size: 5000 }));
      const [head = "", total] = /^\[Page \d+ of (\d+)\]\n\n/.exec(text) ?? [];
      expect(head).toStartWith(`[Page ${page} of `);
      pages.push(text.slice(head.length));
      if (page === Number(total)) break;
    }
    expect(pages.join("") === whole).toBe(true);
    expect(pages.slice(0, -1).every((page) => page.endsWith("\n\n"))).toBe(true);
    expect(site.requests).toHaveLength(1);
    const failure = failureOf(await call({ url: site.url, page: pages.length + 1 }));
    expect(failure.errorCode).toBe("invalid_args");
  });

  test("and downloads again without page, and in the next turn", async () => {
    using site = await siteOf("text");
    const { call } = openTool();
    await call({ url: site.url });
    await call({ url: site.url });
    await call({ url: site.url, page: 1 });
    expect(site.requests).toHaveLength(2);
    await openTool().call({ url: site.url, page: 1 });
    expect(site.requests).toHaveLength(3);
  });
});

describe("http_request survives", () => {
  const bomb = gzipSync(Buffer.alloc(64 * KB * KB, "<p>bomb bomb bomb bomb bomb bomb bomb bomb bomb bomb bomb bomb "), { level: 1 });
  test("a compression bomb", async () => {
    using site = await siteOf(bomb, { ...HTML, "Content-Encoding": "gzip" });
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    const text = textOf(await openTool().call({ url: site.url }));
    expect(Buffer.byteLength(text)).toBeLessThan(201 * KB);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * KB * KB);
  });

  test("a body without an end", async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    using site = await rawServer((socket) => {
      socket.once("close", () => resolve());
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${1024 ** 3}\r\n\r\n`,
      );
      const pour = () => {
        while (!socket.destroyed && socket.write("x".repeat(65_536)));
      };
      socket.on("drain", pour);
      pour();
    });
    const url = `http://127.0.0.1:${site.port}/`;
    expect(textOf(await openTool().call({ url })).length).toBeLessThan(1025 * KB);
    await closed;
  });
});
