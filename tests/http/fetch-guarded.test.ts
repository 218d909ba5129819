import { describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { fetchOpen } from "../../src/http/fetch-guarded.ts";
import { until } from "../support/patience.ts";
import { createVirtualTimers } from "../support/virtual-timers.ts";
import {
  expectFailure,
  expectResponse,
  fetchSite,
  HOST,
  toFetchOptions,
  toText,
} from "./fetch-support.ts";
import { httpAnswer, rawServer } from "./raw-server.ts";

/** A DNS that gives one answer after the other. */
function dnsOf(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve = async (host: string) => answers[asked.push(host) - 1] ?? [];
  return { asked, resolve };
}

function redirect(location: string, status = "302 Found"): Uint8Array {
  return httpAnswer("", { Location: location }, status);
}

describe("fetchGuarded() connects", () => {
  test("only to the address that was checked, under the name that was asked for", async () => {
    using server = await rawServer((socket) => socket.end(httpAnswer("hello")));
    const { asked, resolve } = dnsOf(["127.0.0.1"], ["10.0.0.1"]);
    expect(toText(await fetchSite(server.port, { resolve }))).toBe("hello");
    expect(asked).toEqual([HOST]);
    expect(server.requests).toEqual([
      expect.stringMatching(
        new RegExp(`^GET /page HTTP/1.1\r\n[^]*Host: ${HOST}:${server.port}\r`),
      ),
    ]);
  });

  test("with the name in TLS as well", async () => {
    using server = await rawServer((socket) => socket.destroy());
    const url = `https://${HOST}:${server.port}/`;
    expectFailure(await fetchSite(server.port, { url }));
    expect(server.requests[0]).toContain(HOST);
  });

  test("to nothing when the address is private and nobody allowed it", async () => {
    using server = await rawServer((socket) => socket.end(httpAnswer("secret")));
    for (const host of ["127.0.0.1", "2130706433", "[::ffff:127.0.0.1]", "localhost", HOST]) {
      const url = `http://${host}:${server.port}/`;
      const failure = expectFailure(await fetchSite(server.port, { url, allowedHosts: [] }));
      expect(failure).toMatchObject({ code: "denied", retryable: false });
    }
    expect(server.requests).toEqual([]);
  });

  test("to a private address that the owner configured", async () => {
    using server = await rawServer((socket) => socket.end(httpAnswer("search")));
    const url = `http://127.0.0.1:${server.port}/search`;
    const options = { url, trusted: true, allowedHosts: [] };
    expect(toText(await fetchSite(server.port, options))).toBe("search");
  });

  test("by no proxy of the environment", async () => {
    using server = await rawServer((socket) => socket.end(httpAnswer("direct")));
    const before = process.env["HTTP_PROXY"];
    process.env["HTTP_PROXY"] = "http://127.0.0.1:9/";
    try {
      expect(toText(await fetchSite(server.port))).toBe("direct");
    } finally {
      if (before === undefined) delete process.env["HTTP_PROXY"];
      else process.env["HTTP_PROXY"] = before;
    }
  });
});

test("fetchGuarded() sends method, headers and body", async () => {
  using server = await rawServer((socket) => socket.end(httpAnswer("ok")));
  const headers = { Authorization: "Bearer k", Host: "evil.example", "X-A": "1" };
  await fetchSite(server.port, { method: "POST", headers, body: "grüße" });
  const [sent = ""] = server.requests;
  expect(sent).toStartWith("POST /page HTTP/1.1\r\n");
  expect(sent).toContain("authorization: Bearer k\r\n");
  expect(sent).toContain("content-length: 7\r\n");
  expect(sent).not.toContain("evil.example");
});

test.each([
  ["an unknown method", { method: "TRACE" }],
  ["a method that is two lines", { method: "GET / HTTP/1.1\r\nX: " }],
  ["a header that is two lines", { headers: { "X-A": "1\r\nX-B: 2" } }],
])("fetchGuarded() refuses %s before connecting", async (_what, options) => {
  using server = await rawServer((socket) => socket.end(httpAnswer("ok")));
  expect(expectFailure(await fetchSite(server.port, options)).code).toBe("invalid_args");
  expect(server.requests).toEqual([]);
});

test("fetchGuarded() gives every status with headers and body", async () => {
  const headers = { "Content-Type": "text/plain", "Set-Cookie": "a=1" };
  using server = await rawServer((socket) =>
    socket.end(httpAnswer("no such page", headers, "404 Not Found")),
  );
  const response = expectResponse(await fetchSite(server.port));
  expect(response).toMatchObject({ status: 404, truncated: false });
  expect(response.headers).toMatchObject({ "content-type": "text/plain", "set-cookie": "a=1" });
  expect(toText(response)).toBe("no such page");
});

describe("fetchGuarded() and redirects", () => {
  test("gives a redirect as an answer when none was permitted", async () => {
    using server = await rawServer((socket) => socket.end(redirect("http://169.254.169.254/")));
    const response = expectResponse(await fetchSite(server.port));
    expect(response).toMatchObject({
      status: 302,
      headers: { location: "http://169.254.169.254/" },
    });
  });

  test("follows as many as permitted and tells where it ended", async () => {
    using server = await rawServer((socket, request) => {
      socket.end(request.startsWith("GET /end") ? httpAnswer("end") : redirect("/end"));
    });
    const response = expectResponse(await fetchSite(server.port, { maxRedirects: 1 }));
    expect(response.url).toBe(`http://${HOST}:${server.port}/end`);
    expect(toText(response)).toBe("end");
  });

  test("stops in a circle", async () => {
    using server = await rawServer((socket) => socket.end(redirect("/page")));
    const response = expectResponse(await fetchSite(server.port, { maxRedirects: 3 }));
    expect(response.status).toBe(302);
    expect(server.requests).toHaveLength(4);
  });

  test.each([
    "http://169.254.169.254/latest/",
    "//127.0.0.1/",
    "http://0x7f000001/",
    "http://[::1]/",
    "file:///etc/passwd",
    "http://user:pass@8.8.8.8/",
  ])("denies a hop to %s", async (location) => {
    using server = await rawServer((socket) => socket.end(redirect(location)));
    const failure = expectFailure(await fetchSite(server.port, { maxRedirects: 5 }));
    expect(failure.code).toBe("denied");
    expect(server.requests).toHaveLength(1);
  });

  test("asks DNS again for the next hop and judges what it says by then", async () => {
    using server = await rawServer((socket) => socket.end(redirect("/next")));
    const { asked, resolve } = dnsOf(["127.0.0.1"], ["169.254.169.254"]);
    const failure = expectFailure(await fetchSite(server.port, { resolve, maxRedirects: 5 }));
    expect(failure.code).toBe("denied");
    expect(asked).toHaveLength(2);
    expect(server.requests).toHaveLength(1);
  });

  test("keeps headers inside an origin and drops them, and trust, across origins", async () => {
    using server = await rawServer((socket, request) => {
      if (request.startsWith("GET /a")) socket.end(redirect("/b"));
      else if (request.startsWith("GET /b"))
        socket.end(redirect(`http://other.example:${server.port}/c`));
      else socket.end(httpAnswer("end"));
    });
    const options = {
      url: `http://127.0.0.1:${server.port}/a`,
      trusted: true,
      maxRedirects: 5,
      headers: { Authorization: "Bearer k", Cookie: "c=1", "X-Api-Key": "k" },
    };
    expect(expectFailure(await fetchSite(server.port, options)).code).toBe("denied");
    const allowedHosts = ["other.example"];
    expect(toText(await fetchSite(server.port, { ...options, allowedHosts }))).toBe("end");
    const hasKey = server.requests.map((request) => /bearer|cookie|api-key/iu.test(request));
    expect(hasKey).toEqual([true, true, true, true, false]);
  });

  test("takes another port of the same host for another origin", async () => {
    using inner = await rawServer((socket) => socket.end(httpAnswer("inner")));
    using server = await rawServer((socket) =>
      socket.end(redirect(`http://127.0.0.1:${inner.port}/`)),
    );
    const options = { url: `http://127.0.0.1:${server.port}/a`, trusted: true, maxRedirects: 5 };
    expect(expectFailure(await fetchSite(server.port, options)).code).toBe("denied");
    expect(inner.requests).toEqual([]);
    const headers = { Authorization: "Bearer k" };
    const named = { ...options, headers, allowedHosts: ["127.0.0.1"] };
    expect(toText(await fetchSite(server.port, named))).toBe("inner");
    expect(inner.requests[0]).not.toMatch(/bearer/iu);
  });

  test("hangs up on the body of a redirect before it asks for the next page", async () => {
    const { promise: isClosed, resolve } = Promise.withResolvers<void>();
    using server = await rawServer(async (socket, request) => {
      if (request.startsWith("GET /end")) {
        await isClosed;
        socket.end(httpAnswer("end"));
        return;
      }
      socket.once("close", () => resolve());
      socket.write("HTTP/1.1 302 Found\r\nLocation: /end\r\nContent-Length: 1000\r\n\r\nx");
    });
    expect(toText(await fetchSite(server.port, { maxRedirects: 1 }))).toBe("end");
  });

  test.each([
    [301, true],
    [302, true],
    [303, true],
    [307, true],
    [308, true],
    [300, false],
    [304, false],
    [201, false],
  ])("follows status %i: %p, whatever comes with it", async (status, isFollowed) => {
    using server = await rawServer((socket, request) => {
      const isEnd = / \/end /u.test(request);
      socket.end(isEnd ? httpAnswer("end") : redirect("/end", `${status} Somewhere`));
    });
    for (const method of ["GET", "HEAD"]) {
      const response = expectResponse(await fetchSite(server.port, { method, maxRedirects: 1 }));
      expect(response.status).toBe(isFollowed ? 200 : status);
    }
  });

  test("takes an answer that leads nowhere as it is", async () => {
    for (const answer of [httpAnswer("stay", {}, "302 Found"), redirect("http://[bad")]) {
      using server = await rawServer((socket) => socket.end(answer));
      expect(expectResponse(await fetchSite(server.port, { maxRedirects: 5 })).status).toBe(302);
      expect(server.requests).toHaveLength(1);
    }
  });

  test("sends a body nowhere else", async () => {
    using server = await rawServer((socket) => socket.end(redirect("/b", "307 Temporary")));
    const options = { method: "POST", body: "key=k", maxRedirects: 5 };
    expect(expectResponse(await fetchSite(server.port, options)).status).toBe(307);
    expect(server.requests).toHaveLength(1);
  });
});

describe("fetchGuarded() ends", () => {
  test("at the deadline when a byte a second comes", async () => {
    using server = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
      const drip = setInterval(() => socket.write("x"), 20);
      socket.once("close", () => clearInterval(drip));
    });
    const failure = expectFailure(await fetchSite(server.port, { timeoutMs: 150 }));
    expect(failure).toMatchObject({ code: "timeout", retryable: true });
    expect(failure.message).toContain("took too long");
  });

  test("when the server falls silent", async () => {
    using server = await rawServer((socket) => socket.write("HTTP/1.1 200 OK\r\n"));
    const failure = expectFailure(await fetchSite(server.port, { idleMs: 50 }));
    expect(failure).toMatchObject({ code: "timeout" });
    expect(failure.message).toContain("fell silent");
  });

  test("when nobody says anything for 15 seconds, counted from the last that was said", async () => {
    const timers = createVirtualTimers();
    const sockets: Socket[] = [];
    using server = await rawServer((socket) => void sockets.push(socket));
    const seen: string[] = [];
    const fetching = fetchOpen(toFetchOptions(server.port, { timers }), async ({ body }) => {
      seen.push("head");
      for await (const chunk of body.chunks) seen.push(Buffer.from(chunk).toString());
      return { ok: true as const, status: 200 };
    });
    await until(() => sockets.length === 1);
    timers.pass(14_999);
    sockets[0]?.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
    await until(() => seen.length === 1);
    timers.pass(14_999);
    sockets[0]?.write("a");
    await until(() => seen.length === 2);
    timers.pass(14_999);
    sockets[0]?.write("b");
    await until(() => seen.length === 3);
    expect(seen).toEqual(["head", "a", "b"]);
    timers.pass(15_000);
    expect(expectFailure(await fetching).message).toContain("fell silent");
  });

  test("when DNS does not answer", async () => {
    const resolve = () => new Promise<string[]>(() => {});
    const failure = expectFailure(
      await fetchSite(1, { url: "http://a.example/", resolve, timeoutMs: 50 }),
    );
    expect(failure.code).toBe("timeout");
  });

  test("when the caller cancels, before and during the answer", async () => {
    const controller = new AbortController();
    using server = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nx");
      controller.abort();
    });
    const { signal } = controller;
    expect(expectFailure(await fetchSite(server.port, { signal })).code).toBe("ERR_CANCELLED");
    expect(expectFailure(await fetchSite(server.port, { signal })).code).toBe("ERR_CANCELLED");
    expect(server.requests).toHaveLength(1);
  });
});

describe("fetchOpen()", () => {
  test("gives the head before the body, and the body as it comes", async () => {
    const { promise: isRead, resolve } = Promise.withResolvers<void>();
    using server = await rawServer(async (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc");
      await isRead;
      socket.end("def");
    });
    const chunks = await fetchOpen(toFetchOptions(server.port), async ({ status, body }) => {
      expect(status).toBe(200);
      const read: string[] = [];
      for await (const chunk of body.chunks) {
        read.push(Buffer.from(chunk).toString());
        resolve();
      }
      return { ok: true as const, status, read };
    });
    expect(chunks).toEqual({ ok: true, status: 200, read: ["abc", "def"] });
  });

  test("hangs up on a body that its reader leaves", async () => {
    const { promise: isClosed, resolve } = Promise.withResolvers<void>();
    using server = await rawServer((socket) => {
      socket.once("close", () => resolve());
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc");
    });
    expect(await fetchOpen(toFetchOptions(server.port), async () => "enough")).toBe("enough");
    await isClosed;
  });

  test("makes a failure of what its reader throws", async () => {
    using server = await rawServer((socket) => socket.end(httpAnswer("hello")));
    const result = await fetchOpen(toFetchOptions(server.port), async () => {
      throw new Error("cannot read that");
    });
    expect(result.message).toContain("cannot read that");
  });
});

test("fetchGuarded() gives a header that came twice as one", async () => {
  const head = "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-A: 1\r\nX-A: 2\r\n";
  using server = await rawServer((socket) => socket.end(`${head}Content-Length: 0\r\n\r\n`));
  expect(expectResponse(await fetchSite(server.port)).headers).toMatchObject({
    "set-cookie": "a=1, b=2",
    "x-a": "1, 2",
  });
});

test("fetchGuarded() refuses a server that wants another protocol", async () => {
  for (const head of [
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\n\r\n",
  ]) {
    using server = await rawServer((socket) => void socket.write(head));
    const failure = expectFailure(await fetchSite(server.port));
    expect(failure).toMatchObject({ code: "unavailable", retryable: false });
    expect(failure.message).toContain("another protocol");
  }
});

test("fetchGuarded() says why a trusted address cannot be one, and connects to nothing", async () => {
  const failure = expectFailure(await fetchSite(1, { url: "file:///etc/passwd", trusted: true }));
  expect(failure).toMatchObject({ code: "denied", retryable: false });
});

test("fetchGuarded() calls a name without address and a closed port unavailable, not denied", async () => {
  const unknown = await fetchSite(80, { url: "http://gone.example/", resolve: async () => [] });
  expect(expectFailure(unknown)).toMatchObject({ code: "unavailable", retryable: true });
  const { port } = await closedPort();
  expect(expectFailure(await fetchSite(port))).toMatchObject({
    code: "unavailable",
    retryable: true,
  });
});

test("fetchGuarded() keeps the query out of messages", async () => {
  const url = "http://127.0.0.1/search?api_key=hush";
  const failure = expectFailure(await fetchSite(1, { url, allowedHosts: [] }));
  expect(failure.message).toContain('"http://127.0.0.1/search"');
  expect(failure.message).not.toContain("hush");
});

/** A port that was free a moment ago. */
async function closedPort(): Promise<{ port: number }> {
  using server = await rawServer(() => {});
  return { port: server.port };
}
