import { describe, expect, test } from "bun:test";
import { get, type IncomingMessage } from "node:http";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { type BodyStream, openBody } from "../../src/http/read-body.ts";
import { expectFailure, expectResponse, fetchSite, toText } from "./fetch-support.ts";
import { httpAnswer, rawServer } from "./raw-server.ts";

const TEXT = "ein langer Satz, der sich wiederholt. ".repeat(500);
const MIB = 1024 * 1024;
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } };

describe("readBody() decodes", () => {
  test.each([
    ["identity", Buffer.from(TEXT)],
    ["gzip", gzipSync(TEXT)],
    ["X-GZIP", gzipSync(TEXT)],
    ["br", brotliCompressSync(TEXT)],
    ["deflate", deflateSync(TEXT)],
    ["deflate", deflateRawSync(TEXT)],
  ])("%s", async (coding, bytes) => {
    using server = await rawServer((socket) =>
      socket.end(httpAnswer(bytes, { "Content-Encoding": coding })),
    );
    expect(toText(await fetchSite(server.port))).toBe(TEXT);
  });

  test.each(["zstd", "gzip, gzip", "snappy"])(
    "but not %s, which it never asked for",
    async (coding) => {
      using server = await rawServer((socket) =>
        socket.end(httpAnswer("x", { "Content-Encoding": coding })),
      );
      const failure = expectFailure(await fetchSite(server.port));
      expect(failure).toMatchObject({ code: "unavailable", retryable: false });
    },
  );

  test("an answer to HEAD that names a coding and has no body", async () => {
    const head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 900\r\n\r\n";
    using server = await rawServer((socket) => socket.end(head));
    const response = expectResponse(await fetchSite(server.port, { method: "HEAD" }));
    expect(response).toMatchObject({ truncated: false, headers: { "content-length": "900" } });
    expect(response.body).toHaveLength(0);
  });
});

describe("readBody() fails on a body that breaks off", () => {
  const gzip = gzipSync(TEXT);
  test.each([
    ["before its Content-Length", "Content-Length: 100\r\n\r\nabc"],
    ["between two chunks", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"],
    [
      "inside the compressed stream",
      Buffer.concat([
        Buffer.from(`Content-Encoding: gzip\r\nContent-Length: ${gzip.length - 9}\r\n\r\n`),
        gzip.subarray(0, -9),
      ]),
    ],
  ])("%s", async (_where, rest) => {
    using server = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      socket.end(rest);
    });
    const failure = expectFailure(await fetchSite(server.port));
    expect(failure).toMatchObject({ code: "unavailable", retryable: true });
  });

  test("or is no gzip at all, which no retry fixes", async () => {
    using server = await rawServer((socket) =>
      socket.end(httpAnswer("plain", { "Content-Encoding": "gzip" })),
    );
    expect(expectFailure(await fetchSite(server.port)).retryable).toBe(false);
  });
});

describe("readBody() stops at the limit", () => {
  test("and takes a body of exactly that size for whole", async () => {
    using server = await rawServer((socket) => socket.end(httpAnswer("abcdef")));
    const whole = expectResponse(await fetchSite(server.port, { maxBytes: 6 }));
    expect(whole.truncated).toBe(false);
    const cut = expectResponse(await fetchSite(server.port, { maxBytes: 5 }));
    expect(cut.truncated).toBe(true);
    expect(toText(cut)).toBe("abcde");
  });

  test("of an endless body, and hangs up", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    using server = await rawServer((socket) => {
      socket.once("close", () => resolve());
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const pour = () => {
        while (!socket.destroyed && socket.write("x".repeat(65_536)));
      };
      socket.on("drain", pour);
      pour();
    });
    const response = expectResponse(await fetchSite(server.port, { maxBytes: 1000 }));
    expect(response).toMatchObject({ truncated: true });
    expect(response.body).toHaveLength(1000);
    await promise;
  });

  test.each([
    ["gzip", gzipSync(Buffer.alloc(100 * MIB), { level: 1 })],
    ["br", brotliCompressSync(Buffer.alloc(100 * MIB), FAST)],
    ["deflate", deflateSync(Buffer.alloc(100 * MIB), { level: 1 })],
  ])("of a %s bomb after its first megabyte, whatever it may be long", async (coding, bomb) => {
    using server = await rawServer((socket) =>
      socket.end(httpAnswer(bomb, { "Content-Encoding": coding })),
    );
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    const response = expectResponse(await fetchSite(server.port, { maxBytes: 32 * MIB }));
    expect(response).toMatchObject({ truncated: true });
    expect(response.body).toHaveLength(MIB);
    expect(process.memoryUsage().rss - before).toBeLessThan(30 * MIB);
    const short = expectResponse(await fetchSite(server.port, { maxBytes: 1000 }));
    expect(short.body).toHaveLength(1000);
  });

  test("of no body that only compresses well", async () => {
    const rows = Array.from(
      { length: 80_000 },
      (_, i) => `<tr><td>${i}</td><td>a cell of a table</td></tr>`,
    );
    const table = rows.join("\n");
    const bytes = gzipSync(table);
    expect(table.length / bytes.length).toBeGreaterThan(15);
    using server = await rawServer((socket) =>
      socket.end(httpAnswer(bytes, { "Content-Encoding": "gzip" })),
    );
    const response = expectResponse(await fetchSite(server.port, { maxBytes: 32 * MIB }));
    expect([response.truncated, response.body.length]).toEqual([false, table.length]);
  });

  test("on the wire too, when much compressed nothing comes", async () => {
    const nothing = Buffer.concat([gzipSync("abc").subarray(0, 10), Buffer.alloc(500_000)]);
    // Empty stored blocks: five bytes each that decompress to none.
    for (let at = 10; at + 5 <= nothing.length; at += 5) nothing.set([0, 0, 0, 0xff, 0xff], at);
    using server = await rawServer((socket) =>
      socket.end(httpAnswer(nothing, { "Content-Encoding": "gzip" })),
    );
    const response = expectResponse(await fetchSite(server.port, { maxBytes: 1000 }));
    expect(response).toMatchObject({ truncated: true });
    expect(response.body).toHaveLength(0);
  });
});

test("readBody() ignores what comes after Content-Length", async () => {
  using server = await rawServer((socket) =>
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\n\r\n"),
  );
  expect(toText(await fetchSite(server.port))).toBe("abc");
});

describe("openBody() says whether it gave the whole body", () => {
  const open = async (port: number, maxBytes: number) => {
    const response = await new Promise<IncomingMessage>((resolve) => {
      get({ host: "127.0.0.1", port }, resolve);
    });
    return openBody(response, { maxBytes, onChunk() {} });
  };
  const seen = async (body: BodyStream) => {
    const before = body.isWhole();
    for await (const _ of body.chunks);
    return { before, after: body.isWhole(), isCut: body.isCut(), bytes: body.readBytes() };
  };

  test.each([
    ["shorter than it may be", 10, 11, { after: true, isCut: false, bytes: 10 }],
    ["exactly as long as it may be", 10, 10, { after: true, isCut: false, bytes: 10 }],
    ["longer by a byte", 10, 9, { after: false, isCut: true, bytes: 9 }],
    ["of more than a coding could add", MIB, 10, { after: false, isCut: true, bytes: 10 }],
    ["empty", 0, 10, { after: true, isCut: false, bytes: 0 }],
  ])("of one that is %s", async (_, length, maxBytes, expected) => {
    using server = await rawServer((socket) => socket.end(httpAnswer("x".repeat(length))));
    expect(await seen(await open(server.port, maxBytes))).toEqual({ before: false, ...expected });
  });
});
