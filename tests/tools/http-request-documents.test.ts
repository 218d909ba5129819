import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { rawServer } from "../http/raw-server.ts";
import {
  failureOf,
  HTML,
  headOf,
  KB,
  modelOf,
  openTool,
  pageOf,
  siteOf,
  textOf,
} from "./request-scene.ts";

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
    const cut = `${body.slice(0, -1)}…\n\n[cut here: the rest was not downloaded]`;
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
  const result = await openTool().call({ url: site.url });
  expect(headOf(result)).toContain(`image/png, ${png.length} bytes`);
  expect(textOf(result)).toBe("[Binary: its content is not shown]");
});

test.each([
  ["No text", `<!doctype html><script>${"y".repeat(5000)}</script>`],
  ["Hardly any text", `<!doctype html><p>Loading<script>${"y".repeat(5000)}</script>`],
])("http_request says when it finds %s, and what it tried", async (found, html) => {
  using site = await siteOf(html, HTML);
  expect(textOf(await openTool().call({ url: site.url }))).toEndWith(
    `[${found} in ${html.length} bytes of HTML: scripts, styles and hidden parts are left out. It may need JavaScript. To read its source: raw = true]`,
  );
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
    expect(text).toBe("[Extracted from the first 150 KB of 901 KB]\n\n7 euros");
    const [request] = model.requests;
    expect(model.requests).toHaveLength(1);
    expect(request).toMatchObject({ temperature: 0 });
    expect(request?.tools).toBeUndefined();
    const asked = request?.messages.at(-1)?.content ?? "";
    expect(asked).toStartWith("price\n");
    expect(asked.match(/x+/)?.[0]).toHaveLength(150 * KB);
  });

  test("says so where the answer was cut", async () => {
    using site = await siteOf(html, HTML);
    const { call } = openTool(modelOf("7 eur", "length"));
    const text = textOf(await call({ url: site.url, extract: "price" }));
    expect(text).toEndWith("\n\n7 eur… (the answer was cut off)");
  });

  test("nothing from a page under it", async () => {
    using site = await siteOf("<!doctype html><p>short", HTML);
    const model = modelOf("7 euros");
    expect(textOf(await openTool(model).call({ url: site.url, extract: "price" }))).toBe("short");
    expect(model.requests).toEqual([]);
  });

  test.each([
    [
      "fails",
      modelOf(),
      "was tried on the first 150 KB: the model could not be asked (LLM_REQUEST)",
    ],
    ["says nothing", modelOf(" "), "was tried on the first 150 KB: the model answered nothing"],
    ["is not there", {}, "was not tried: there is no model for it"],
  ])("nothing when the model %s: the page is cut, and why is said", async (_what, model, why) => {
    using site = await siteOf(html, HTML);
    const text = textOf(await openTool(model).call({ url: site.url, extract: "price" }));
    expect(text).toStartWith("xxx");
    expect(text.match(/\[Cut at 200 KB of 901 KB: /g)).toHaveLength(1);
    expect(text).toEndWith(`\n\n[extract ${why}]`);
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
  const bomb = gzipSync(
    Buffer.alloc(40 * KB * KB, "<p>bomb bomb bomb bomb bomb bomb bomb bomb bomb bomb bomb bomb "),
    { level: 1 },
  );
  test("a compression bomb", async () => {
    using site = await siteOf(bomb, { ...HTML, "Content-Encoding": "gzip" });
    const text = textOf(await openTool().call({ url: site.url }));
    expect(Buffer.byteLength(text)).toBeLessThan(201 * KB);
  });

  test("a page of 20 MB with its words at the end", async () => {
    const page = `<!doctype html><script>${"y".repeat(20 * KB * KB)}</script><p>${"The end. ".repeat(30)}</p>`;
    using site = await siteOf(page, HTML);
    expect(textOf(await openTool().call({ url: site.url }))).toContain("The end.");
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
