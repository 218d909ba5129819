import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { htmlToText } from "../../src/http/html-to-text.ts";
import { cpuMs } from "../support/cpu-ms.ts";

/** A page as a stream, cut into pieces of `size` bytes. */
function toStream(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
}

describe("htmlToText() lays out", () => {
  test.each([
    ["headings", "<h1>A <i>b</i></h1>text<h3>C</h3><h2></h2>", "# A b\n\ntext\n\n### C"],
    ["paragraphs", "<p>a  b\n c<p>d</p><div>e</div><div>f</div>", "a b c\n\nd\n\ne\nf"],
    ["line breaks", "a<br>b<br/><br>c", "a\nb\n\nc"],
    ["inline elements", "a<b>b</b> <i>c</i><span> d</span>", "ab c d"],
    ["entities", "&lt;b&gt; &amp; &eacute;&nbsp;&#x4e2d;", "<b> & é 中"],
    ["lists", "<ul><li>a<li><p>b</p></ul>", "- a\n- b"],
    ["numbered lists", "<ol><li>a</li><li></li><li>c</li></ol>d", "1. a\n3. c\n\nd"],
    ["lists in lists", "<ul><li>a<ol><li>b<li>c</ol><li>d</ul>", "- a\n  1. b\n  2. c\n- d"],
    ["tables", "<table><tr><th>A<th>B<tr><td>1<td><p>2</p></table>", "A | B\n1 | 2"],
    ["empty cells", "<tr><td></td><td>b</td><td></td><td>d</td></tr>", "| b | | d"],
    ["tables in cells", "<tr><td>a<table><tr><td>b<td>c</table><td>d", "a\n\nb | c | d"],
    ["code", "a<pre>\n  x\n<b>\ty</b>\n</pre>b", "a\n\n```\n  x\n\ty\n```\n\nb"],
    ["empty code", "a<pre> \n </pre>b", "ab"],
    ["images", 'a <img alt=" a cat "> <img alt=""> <img> b', "a [a cat] b"],
  ])("%s", async (_what, html, text) => {
    expect(await htmlToText(html)).toBe(text);
  });
});

describe("htmlToText() leaves out", () => {
  test.each([
    ["scripts", "a<script>if (1 < 2) '</p>'</script>b"],
    ["styles", "a<style>p > b { color: red }</style>b"],
    ["templates", "a<template><p>x</p></template>b"],
    ["comments", "a<!-- x > --><!-->b"],
    ["hidden elements", "a<div hidden>x<div>y</div>z</div>b"],
    ["what a style hides", "a<p style='color:red; DISPLAY : none'>x</p>b"],
    ["what only machines hear", "a<span aria-hidden=true>x</span>b"],
    ["drawings", "a<svg><title>x</title><text>y</text></svg>b"],
    ["the title", "<title>x</title>a<title>y</title>b"],
  ])("%s", async (_what, html) => {
    expect((await htmlToText(html)).replace(/\s/gu, "")).toBe("ab");
  });
});

describe("htmlToText() loses nothing", () => {
  test.each([
    ["behind a head that nobody closed", "<head><title>t</title>a"],
    ["behind a drawing that nobody closed", "<svg><path d=x><p>a"],
    ["inside a form around the page", "<form><main>a</main></form>"],
    ["of a body that waits for its scripts", "<body style='visibility:hidden'>a"],
    ["behind a hidden paragraph that nobody closed", "<p hidden>x<p>a"],
    ["behind end tags that nothing began", "</div></p></x>a"],
    ["behind a cut-off tag", "a<div class='x"],
  ])("%s", async (_what, html) => {
    expect(await htmlToText(html)).toBe("a");
  });
});

describe("htmlToText() gives links", () => {
  const options = { baseUrl: "https://a.example/docs/page?x=1" };
  test.each([
    ["in full", '<a href="../b?c=1&amp;d">B</a>', "B (https://a.example/b?c=1&d)"],
    ["of images", "<a href=/i><img alt=logo></a>", "[logo] (https://a.example/i)"],
    ["from the page's own base", "<base href=/x/><a href=y>Y</a>", "Y (https://a.example/x/y)"],
    [
      "once when they are their text",
      "<a href=https://b.example/>https://b.example/</a>",
      "https://b.example/",
    ],
    ["as text alone inside the page", "<a href=#top>top</a>", "top"],
    ["as text alone when they are scripts", "<a href='JavaScript:x()'>go</a>", "go"],
    ["not at all without text", "a<a href=/x></a>", "a"],
    ["bare in code", "<pre><a href=/x>code</a></pre>", "```\ncode\n```"],
    [
      "each its own when nobody closed them",
      "<a href=/1>a<a href=/2>b",
      "a (https://a.example/1)b (https://a.example/2)",
    ],
  ])("%s", async (_what, html, text) => {
    expect(await htmlToText(html, options)).toBe(text);
  });

  test("as they stand without a base", async () => {
    expect(await htmlToText("<a href=/x>a</a>")).toBe("a (/x)");
  });
});

test("htmlToText() gives the same for a string and for any pieces of it", async () => {
  const html =
    // The first bytes are read in one go, so the interesting ones come behind them.
    `<!-- ${"x".repeat(5000)} -->` +
    "<p><a href=https://b.example/>https://b.example/</a><h1>Grüße &amp; 日本</h1><p>a <a href='/x'>b</a><ul><li>c<li>d</ul>" +
    "<table><tr><td>1<td>2</table><pre>\n\n  x\n</pre><script>'<p>'</script>🙂 end";
  const bytes = new TextEncoder().encode(html);
  const whole = await htmlToText(html);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (size) => {
      expect(await htmlToText(toStream(bytes, size))).toBe(whole);
    }),
    { numRuns: 30, examples: [[1]] },
  );
});

test("htmlToText() hands on the error of a stream that breaks", async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error("gone")),
  });
  expect(htmlToText(broken)).rejects.toThrow("gone");
});

describe("htmlToText() takes no longer for hostile pages", () => {
  const many = (piece: string, count = 100_000) => piece.repeat(count);
  test.each([
    ["nested elements", `${many("<div>")}x${many("</div>")}`],
    ["deep elements and foreign end tags", `${many("<b>")}x${many("</i>")}`],
    ["nested lists", many("<ul><li>x")],
    ["nested tables", many("<table><tr><td>x")],
    ["nested links", many("<a href=x><b>y")],
    ["nested code", many("<pre>x")],
    ["nested drawings", many("<svg>")],
    ["a megabyte of <", many("<", 1_000_000)],
    ["a megabyte of <a", many("<a", 500_000)],
    ["a megabyte of </", many("</", 500_000)],
    ["a megabyte of &", many("&", 1_000_000)],
    ["comments that never end", many("<!--")],
    ["titles", many("<title>x")],
    ["attributes", `<p ${many("a=1 ")}${many("b ")}>x`],
    [
      "different attributes",
      `<p ${Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(" ")}>`,
    ],
    ["a giant attribute", `<p style='${many("display", 1_000_000)}'>x`],
    ["a giant tag name", `<${many("a", 5_000_000)}>x`],
    ["white space", `<p>${many(" \n", 1_000_000)}x`],
    ["empty cells", `<tr>${many("<td>")}x`],
  ])("%s", async (_what, html) => {
    const startedAt = cpuMs();
    const text = await htmlToText(html);
    expect(cpuMs() - startedAt).toBeLessThan(2000);
    expect(text.length).toBeLessThan(3 * html.length);
  });
});
