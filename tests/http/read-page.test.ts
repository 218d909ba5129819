import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { fetchOpen, type OpenResponse } from "../../src/http/fetch-guarded.ts";
import { type ReadPageOptions, readPage } from "../../src/http/read-page.ts";
import { expectFailure, toFetchOptions } from "./fetch-support.ts";
import { httpAnswer, rawServer } from "./raw-server.ts";

interface Answer {
  readonly body: string | Uint8Array;
  readonly type?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly isCut?: boolean;
}

function toResponse({ body, type, headers, status = 200, isCut = false }: Answer): OpenResponse {
  const bytes = Buffer.from(body);
  const pieceBytes = Math.ceil(bytes.length / 7);
  async function* stream() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  return {
    url: "https://a.example/p?key=1",
    status,
    headers: { ...(type && { "content-type": type }), ...headers },
    body: { chunks: stream(), isCut: () => isCut, readBytes: () => 0, isWhole: () => !isCut },
  };
}

async function read(answer: Answer, options: ReadPageOptions = {}) {
  return (await readPage(toResponse(answer), options)).content;
}

const HTML = "<!DOCTYPE html><title> A\n title </title><p>Text <a href=/x>x</a>";

describe("readPage() strips", () => {
  test.each(["text/html", "TEXT/HTML; charset=utf-8", "application/xhtml+xml", undefined])(
    "%s",
    async (type) => {
      expect(await read({ body: HTML, type })).toEqual({
        kind: "html",
        title: "A title",
        text: "Base: https://a.example\n\nText x (/x)",
        omittedLength: 0,
        leftOut: { menus: 0, links: 0, notices: 0, addresses: 0 },
        navigation: "",
        needsScripts: false,
      });
    },
  );

  test("XHTML with a prolog", async () => {
    const body = `<?xml version="1.0"?><!DOCTYPE html><html><body><p>Text</p></body></html>`;
    expect(await read({ body, type: "text/html" })).toMatchObject({ kind: "html", text: "Text" });
  });

  test("in the header's charset", async () => {
    const body = Buffer.concat([Buffer.from("<p>"), Uint8Array.of(0xcf, 0xf0)]);
    const type = 'text/html; charset="windows-1251"';
    expect(await read({ body, type })).toMatchObject({ text: "Пр" });
  });

  test("a page of an error, and tells its status", async () => {
    const page = await readPage(toResponse({ body: HTML, type: "text/html", status: 404 }));
    expect(page).toMatchObject({ ok: true, status: 404, content: { title: "A title" } });
  });

  test("what was downloaded of an endless page, and says that there was more", async () => {
    const { text } = Object(await read({ body: "<p>Text", type: "text/html", isCut: true }));
    expect(text).toBe("Text…\n\n[cut here: the rest was not downloaded]");
  });

  test("as much as is kept, and says how much there was", async () => {
    const body = `<p>${"word ".repeat(300_000)}`;
    const page = await read({ body, type: "text/html" });
    expect(page).toMatchObject({ omittedLength: 499_999 });
    expect(page).toHaveProperty(
      "text",
      expect.stringMatching(/ \w+ ?…\s+\[cut here: 499999 more characters\]$/u),
    );
  });
});

describe("readPage() gives as it is", () => {
  test.each([
    ["JSON", '{"a": "<b>"}', "application/json"],
    ["JSON that is called HTML", '[{"a": "<b>"}]', "text/html"],
    ["a feed that is called HTML", '<?xml version="1.0"?><rss><b>x</b></rss>', "text/html"],
    ["plain text", "a <b>\n  c", "text/plain"],
    ["HTML that is called plain", HTML, "text/plain"],
    ["a drawing", "<svg></svg>", "image/svg+xml"],
    ["text without a type", "a <b>", undefined],
    ["nothing", "", "text/plain"],
  ])("%s", async (_what, body, type) => {
    expect(await read({ body, type })).toEqual({ kind: "text", text: body });
  });

  test("HTML that nobody wants stripped", async () => {
    expect(await read({ body: HTML, type: "text/html" }, { isRaw: true })).toEqual({
      kind: "text",
      text: HTML,
    });
  });

  test("UTF-16, whose zeros are no sign of a binary file", async () => {
    const body = Buffer.concat([Uint8Array.of(0xff, 0xfe), Buffer.from("text", "utf16le")]);
    expect(await read({ body, type: "text/plain" })).toEqual({ kind: "text", text: "text" });
  });

  test("a megabyte", async () => {
    const text = "x".repeat(1024 * 1024);
    expect(await read({ body: text, type: "text/plain" })).toEqual({ kind: "text", text });
  });

  test("no more than a megabyte, cut at a character, and says so", async () => {
    const body = `"${"é".repeat(600_000)}"`;
    const note = "…\n\n[cut here: the rest was not downloaded]";
    expect(await read({ body, type: "application/json" })).toEqual({
      kind: "text",
      text: `"${"é".repeat((1024 * 1024 - 2) / 2)}${note}`,
    });
  });
});

describe("readPage() tells type and size of", () => {
  test.each([
    ["an image", "GIF89a", "image/gif"],
    ["a PDF", "%PDF-1.7", "application/pdf"],
    ["a binary file that is called text", "PK\u0003\u0004", "text/plain"],
    ["a binary file without a type", "\u007fELF\u0000", ""],
  ])("%s", async (_what, body, type) => {
    const headers = { "content-length": "1234" };
    expect(await read({ body, type, headers })).toEqual({ kind: "binary", type, sizeBytes: 1234 });
    const coded = { ...headers, "content-encoding": "gzip" };
    expect(await read({ body, type, headers: coded })).toMatchObject({ sizeBytes: undefined });
  });
});

test("readPage() tells where a redirect leads and follows none", async () => {
  const headers = { location: "http://169.254.169.254/" };
  expect(await read({ body: HTML, status: 302, headers })).toEqual({
    kind: "redirect",
    location: "http://169.254.169.254/",
  });
});

describe("readPage() as the reader of fetchOpen()", () => {
  test("gives the text away before the page is whole", async () => {
    const { promise: isRead, resolve } = Promise.withResolvers<void>();
    using server = await rawServer(async (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/html;charset=utf-8\r\n\r\n");
      socket.write(`<p>${"First. ".repeat(500)}`);
      await isRead;
      socket.end("<p>Last.");
    });
    const page = await fetchOpen(toFetchOptions(server.port), (response) =>
      readPage(response, { onText: () => resolve() }),
    );
    expect(page).toHaveProperty("content.text", expect.stringMatching(/^First\.[^]*Last\.$/u));
  });

  test("fails on a page that breaks off", async () => {
    using server = await rawServer((socket) =>
      socket.end("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>abc"),
    );
    const failure = expectFailure(await fetchOpen(toFetchOptions(server.port), readPage));
    expect(failure).toMatchObject({ code: "unavailable", retryable: true });
  });

  test("hangs up on a binary file and on text beyond its megabyte", async () => {
    for (const type of ["image/png", "text/plain"]) {
      const { promise: isClosed, resolve } = Promise.withResolvers<void>();
      using server = await rawServer((socket) => {
        socket.once("close", () => resolve());
        socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n\r\n`);
        const pour = () => {
          while (!socket.destroyed && socket.write("x".repeat(65_536)));
        };
        socket.on("drain", pour);
        pour();
      });
      const options = toFetchOptions(server.port, { maxBytes: 1e9 });
      expect(await fetchOpen(options, readPage)).toHaveProperty("ok", true);
      await isClosed;
    }
  });

  test("strips a compressed bomb in little memory", async () => {
    const bomb = gzipSync(`<p>${" word".repeat(20_000_000)}`, { level: 1 });
    const headers = { "Content-Encoding": "gzip", "Content-Type": "text/html" };
    using server = await rawServer((socket) => socket.end(httpAnswer(bomb, headers)));
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    const page = await fetchOpen(toFetchOptions(server.port, { maxBytes: 4_000_000 }), readPage);
    expect(page).toHaveProperty("content.text", expect.stringMatching(/not downloaded\]$/u));
    expect(process.memoryUsage().rss - before).toBeLessThan(80_000_000);
  });
});

describe("readPage() tells by its first bytes and its label", () => {
  const kindOf = async (answer: Answer) => {
    const content = await read(answer);
    return content.kind;
  };

  test("a binary file by a byte that no text has", async () => {
    for (let byte = 0; byte < 256; byte++) {
      const isText = byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b;
      const body = Uint8Array.of(0x61, byte, 0x62);
      expect([byte, await kindOf({ body, type: "text/plain" })]).toEqual([
        byte,
        isText ? "text" : "binary",
      ]);
    }
    // As far as anybody looks; the rest is not asked about.
    const late = (at: number) => kindOf({ body: `${"a".repeat(at)}\0`, type: "text/plain" });
    expect([await late(1300), await late(5000)]).toEqual(["binary", "text"]);
  });

  test.each([
    ["text/html", "words", "html"],
    ["text/html", " \n{", "text"],
    ["text/html", "\u{feff}[1]", "text"],
    ["text/html", "<?xml version='1.0'?><rss>", "text"],
    ["text/html", "<?xml version='1.0'?>\n<html>", "html"],
    ["application/xhtml+xml", "<html>", "html"],
    ["", "<!DOCTYPE html><p>", "html"],
    ["", "<!doctype\nHTML><p>", "html"],
    ["", "<html lang=en>", "html"],
    ["", "<htmlish>", "text"],
    ["", "<p>", "text"],
    ["application/octet-stream", "<html>", "html"],
    ["text/plain", "<html>", "text"],
    ["image/png", "words", "binary"],
    ["image/svg+xml", "<svg/>", "text"],
    ["application/zip", "words", "binary"],
    ["application/json", "words", "text"],
  ] as const)("%p with %p is %s", async (type, body, kind) => {
    expect(await kindOf({ body, type })).toBe(kind);
  });

  test("UTF-16 in either order as text", async () => {
    for (const mark of [
      [0xff, 0xfe, 0x61, 0],
      [0xfe, 0xff, 0, 0x61],
    ]) {
      expect(await read({ body: Uint8Array.from(mark), type: "text/plain" })).toEqual({
        kind: "text",
        text: "a",
      });
    }
  });

  test.each([
    [299, "html"],
    [300, "redirect"],
    [399, "redirect"],
    [400, "html"],
  ] as const)("status %i with a place to go as %s", async (status, kind) => {
    const answer = { body: HTML, type: "text/html", status };
    expect(await kindOf({ ...answer, headers: { location: "/x" } })).toBe(kind);
    expect(await kindOf(answer)).toBe("html");
  });

  test.each([
    [{ "content-length": "12" }, 12],
    [{ "content-length": "12", "content-encoding": "identity" }, 12],
    [{ "content-length": "12", "content-encoding": "br" }, undefined],
    [{ "content-length": "about 12" }, undefined],
    [{ "content-length": "1".repeat(16) }, undefined],
    [{}, undefined],
  ])("the size of a file by %j: %p", async (headers, sizeBytes) => {
    const content = await read({ body: "GIF89a", type: "image/gif", headers });
    expect(content).toEqual({ kind: "binary", type: "image/gif", sizeBytes });
  });

  test("a type and a charset however they are written", async () => {
    const body = Uint8Array.of(0x3c, 0x70, 0x3e, 0xcf, 0xf0);
    for (const type of ["text/html;charset=windows-1251", " TEXT/HTML ; Charset = 'Windows-1251'"])
      expect(await read({ body, type })).toMatchObject({ kind: "html", text: "Пр" });
  });
});
