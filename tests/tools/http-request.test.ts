import { describe, expect, test } from "bun:test";
import { countTokens } from "gpt-tokenizer";
import { httpAnswer, rawServer } from "../http/raw-server.ts";
import { failureOf, HTML, headOf, KB, openTool, pageOf, siteOf, textOf } from "./request-scene.ts";

test("http_request costs a model under 150 tokens", () => {
  expect(countTokens(JSON.stringify(openTool().tool.schema))).toBeLessThan(150);
});

test("http_request reads with GET and HEAD and changes with all else", () => {
  const { tool } = openTool();
  const effects = [undefined, "GET", "head", "POST", "put", "PATCH", "DELETE", "BREW"].map(
    (method) => tool.effect({ url: "http://a.example/", ...(method && { method }) }),
  );
  expect(effects).toEqual([...Array(3).fill("network"), ...Array(5).fill("change")]);
  expect(tool.origin).toBe("outside");
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
    ["a list of headers", { headers: ["X-A: a"] }, "invalid_args"],
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

test("http_request goes to the address that was checked, whatever DNS says next", async () => {
  using site = await siteOf("first");
  const answers = [["127.0.0.1"], ["169.254.169.254"]];
  const resolve = async () => answers.shift() ?? [];
  const { call } = openTool({ allowedHosts: ["site.example"], resolve });
  const url = `http://site.example:${site.port}/`;
  expect(textOf(await call({ url }))).toBe("first");
  expect(failureOf(await call({ url })).errorCode).toBe("denied");
  expect(site.requests).toHaveLength(1);
});

describe("http_request answers", () => {
  test.each([301, 302, 303, 307, 308])("a %i with its Location, not followed", async (status) => {
    using site = await siteOf("", { Location: "/next?a=1" }, `${status} Moved`);
    const result = await openTool().call({ url: site.url });
    expect(headOf(result)).toContain(`Location: http://127.0.0.1:${site.port}/next?a=1`);
    expect(textOf(result)).toBe("[Not followed: call its Location]");
    expect(site.requests).toHaveLength(1);
  });

  test("a redirect to a metadata service with its address alone", async () => {
    using site = await siteOf("", { Location: "http://169.254.169.254/" }, "302 Found");
    const head = headOf(await openTool().call({ url: site.url }));
    expect(head).toContain("Location: http://169.254.169.254/");
    expect(failureOf(await openTool().call({ url: "http://169.254.169.254/" })).errorCode).toBe(
      "denied",
    );
  });

  test.each([
    [400, "invalid_args", false],
    [403, "denied", false],
    [404, "not_found", false],
    [429, "rate_limited", true],
    [500, "unavailable", true],
    [503, "unavailable", true],
  ])("a %i as a failure with the body", async (status, errorCode, retryable) => {
    const headers = { "Content-Type": "application/json", "Retry-After": "7" };
    using site = await siteOf('{"why": "так"}', headers, `${status} No`);
    expect(failureOf(await openTool().call({ url: site.url }))).toMatchObject({
      error: expect.stringMatching(
        new RegExp(`status ${status}\n\nHTTP ${status} [^]*Retry-After: 7\n\n\\{"why": "так"\\}$`),
      ),
      errorCode,
      retryable,
      retryAfterMs: 7000,
    });
  });

  test.each([
    ["429", {}, 1],
    ["503", {}, 1],
    ["503", { "Retry-After": "1" }, 2],
    ["500", {}, 2],
  ])("status %s with %j is asked for %i time(s) in a turn", async (status, headers, times) => {
    let asked = 0;
    using site = await rawServer((socket) => {
      asked += 1;
      socket.end(httpAnswer("no", headers, `${status} No`));
    });
    const url = `http://127.0.0.1:${site.port}/p`;
    const { call } = openTool();
    const first = failureOf(await call({ url }));
    expect(failureOf(await call({ url: `${url}#part`, timeout_secs: 5 }))).toEqual(first);
    expect(asked).toBe(times);
    failureOf(await call({ url: `${url}/else` }));
    expect(asked).toBe(times + 1);
  });

  test("a failure whose page is long with its beginning", async () => {
    using site = await siteOf(pageOf(100 * KB), HTML, "404 Not Found");
    const { error } = failureOf(await openTool().call({ url: site.url }));
    expect(error.length).toBeWithin(16 * KB, 16.5 * KB);
  });

  test("HEAD and 204 with status and headers", async () => {
    using site = await siteOf("", { "X-A": "1" }, "204 No Content");
    for (const method of ["HEAD", "GET"]) {
      const result = await openTool().call({ url: site.url, method });
      expect(headOf(result)).toEqual([
        "HTTP 204 No Content",
        site.url,
        "content-length: 0",
        "x-a: 1",
      ]);
      expect(textOf(result)).toBe("[No body]");
    }
  });

  test("a body that breaks off with a failure, not with its half", async () => {
    using site = await rawServer((socket) =>
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"),
    );
    const url = `http://127.0.0.1:${site.port}/`;
    const failure = failureOf(await openTool().call({ url }));
    expect(failure).toMatchObject({ errorCode: "unavailable", retryable: true });
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
