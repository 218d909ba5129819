import { describe, expect, test } from "bun:test";
import { readPage } from "../../src/http/read-page.ts";

function page(body: string | Uint8Array, contentType?: string) {
  const headers: Record<string, string> = contentType ? { "content-type": contentType } : {};
  const bytes = Buffer.from(body);
  const url = "https://a.example/p?key=1";
  return readPage({ ok: true, url, status: 200, headers, body: bytes, truncated: false });
}

const HTML = "<!DOCTYPE html><title> A\n title </title><p>Text <a href=/x>x</a>";

describe("readPage() strips", () => {
  test.each(["text/html", "TEXT/HTML; charset=utf-8", "application/xhtml+xml", undefined])(
    "%s",
    async (type) => {
      expect(await page(HTML, type)).toEqual({
        ok: true,
        title: "A title",
        text: "Text x (https://a.example/x)",
      });
    },
  );

  test("XHTML with a prolog", async () => {
    const html = `<?xml version="1.0"?><!DOCTYPE html><html><body><p>Text</p></body></html>`;
    expect(await page(html, "text/html")).toMatchObject({ ok: true, text: "Text" });
  });

  test("in the header's charset", async () => {
    const html = Buffer.concat([Buffer.from("<p>"), Uint8Array.of(0xcf, 0xf0)]);
    expect(await page(html, 'text/html; charset="windows-1251"')).toMatchObject({ text: "Пр" });
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
    expect(await page(body, type)).toEqual({ ok: true, title: "", text: body });
  });

  test("UTF-16, whose zeros are no sign of a binary file", async () => {
    const bytes = Buffer.concat([Uint8Array.of(0xff, 0xfe), Buffer.from("text", "utf16le")]);
    expect(await page(bytes, "text/plain")).toMatchObject({ ok: true, text: "text" });
  });
});

describe("readPage() fails on", () => {
  test.each([
    ["an image", "GIF89a", "image/gif"],
    ["a PDF", "%PDF-1.7", "application/pdf"],
    ["a binary file that is called text", "PK\u0003\u0004", "text/plain"],
    ["a binary file without a type", "\u007fELF\u0000", undefined],
    [
      "a page that only scripts fill",
      `<div id=app></div><script>${"x".repeat(2000)}</script>`,
      "text/html",
    ],
  ])("%s", async (_what, body, type) => {
    const failure = await page(body, type);
    expect(failure).toMatchObject({ ok: false, code: "unavailable", retryable: false });
    expect(failure).toHaveProperty("message", expect.stringContaining('"https://a.example/p"'));
  });
});
