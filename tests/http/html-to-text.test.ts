import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { htmlToText, readHtml } from "../../src/http/html-to-text/html-to-text.ts";
import { measureEffort } from "../support/effort.ts";
import { runs } from "../support/long.ts";

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
    ["the indent of code in pieces", "<pre>\n \n    &#32;x</pre>", "```\n     x\n```"],
    [
      "a long indent of code, as far as it helps",
      `<pre>${" ".repeat(90)}&#32;${" ".repeat(90)}<b>x</b></pre>`,
      `\`\`\`\n${" ".repeat(100)}x\n\`\`\``,
    ],
    [
      "words in drawings, and no others",
      "<svg><text>a</text>b<g>c</g><text>d</text></svg>e",
      "a de",
    ],
    [
      "words in drawings",
      "<svg><title>x</title><g><text>a</text><text>b<tspan>c</text></svg>d",
      "a bcd",
    ],
    ["choices", "Size <select><option>S<option>M, 2 €<option></select> of", "Size S | M, 2 €\nof"],
    [
      "choices in groups",
      "<select><optgroup label=New><option>a<option selected>b<optgroup label=' Old '><option label=c></select>",
      "New: a | b (selected) | Old: c",
    ],
    [
      "frames",
      "<frameset><frame src=/a.html><frame src=b></frameset>",
      "[frame] (/a.html)\n[frame] (b)",
    ],
    ["what a listener hears otherwise but everybody sees", "<div aria-hidden=true>a</div>", "a"],
    [
      "what stands in for scripts",
      "a<noscript><b>b</b> <p>c &amp; <i>d</i></noscript>e",
      "ab\n\nc & d\n\ne",
    ],
    [
      "what stood in for scripts in a page that a browser saved",
      "a <noscript>&lt;p&gt;b&lt;noscript&gt;&lt;b&gt;c&lt;/b&gt;&lt;/p&gt;</noscript>d",
      "a\n\nbc\n\nd",
    ],
    [
      "what buttons say and fields hold or ask for",
      "a<input type=submit value=' Send  it '>b<input value=c><input placeholder=Town><textarea placeholder=Why>d</textarea><input type=hidden value=e placeholder=f><input type=checkbox value=g><input type=image alt=Go>",
      "a Send it b c [Town] [Why] d Go",
    ],
    [
      "what is side by side",
      "<button>Yes</button><button>No</button> <span>Monday</span><span>9:00</span> <b>12</b><b>.99</b> <span>O</span><span>nce</span> <a href=/a>A</a><a href=/b>B</a>",
      "Yes No Monday 9:00 12.99 Once A (/a) B (/b)",
    ],
    [
      "what is not side by side",
      "un<b>true</b> <i>re</i><b>make</b> <span>中文</span><span>字</span> <code><span>ab</span><span>cd</span></code>",
      "untrue remake 中文字 abcd",
    ],
    ["images", 'a <img alt=" a cat "> <img alt=""> <img> b', "a [a cat] b"],
  ])("%s", async (_what, html, text) => {
    expect(await htmlToText(html)).toBe(text);
  });

  const LAID_OUT = {
    "p dl figure fieldset table blockquote": "a\n\nin\n\nz",
    hr: "a\n\ninz",
    "main article section nav aside header footer div address form center": "a\nin\nz",
    "dt dd details summary figcaption caption legend tr": "a\nin\nz",
    "dialog open": "a\nin\nz",
    "ul menu ol": "a\n\n  in\n\nz",
    li: "a\n- in\nz",
    h6: "a\n\n###### in\n\nz",
    "td th option": "a\ninz",
    "pre listing xmp": "a\n\n```\nin\n```\n\nz",
    "select datalist": "a in\nz",
    "a code samp kbd tt var textarea b": "ainz",
  };
  test.each(Object.entries(LAID_OUT))("between two words the elements %s", async (names, text) => {
    for (const tag of names === "dialog open" ? [names] : names.split(" ")) {
      const html = `a<${tag}>in</${tag.split(" ")[0]}>z`;
      expect([tag, await htmlToText(html)]).toEqual([tag, text]);
    }
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
    ["dialogs that nobody opened", "a<dialog>x</dialog>b"],
    ["drawings", "a<svg><title>x</title><path d=y></svg>b"],
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
  const baseUrl = "https://a.example/docs/page?x=1";
  test.each([
    ["relative to the origin", '<a href="../b?c=1&amp;d">B</a>', "B (/b?c=1&d)"],
    ["the shorter way when in full", "<a href=https://a.example/b>B</a>", "B (/b)"],
    ["of images", "<a href=/i><img alt=logo></a>", "[logo] (/i)"],
    ["of images by their words", "<a href=/i><img alt='an a'>a</a>", "a (/i)"],
    ["to mailboxes once", "<a href=mailto:a@b.example>a@b.example</a>", "a@b.example"],
    ["as text alone to the page itself", "<a href='?x=1#part'>part</a>", "part"],
    ["from the page's own base", "<base href=/x/><base href=/z/><a href=y>Y</a>", "Y (/x/y)"],
    [
      "to other origins in full",
      "<base href=//b.example><a href=y>Y</a>",
      "Y (https://b.example/y)",
    ],
    [
      "to origins that only start alike",
      "<a href=https://a.example.b/>B",
      "B (https://a.example.b/)",
    ],
    ["once for each target", "<a href=/x>a</a> <a href=/x>b</a>", "a (/x) b"],
    [
      "as text alone when they are endless, and says so",
      `<a href=/${"x".repeat(200)}>a</a>`,
      "a\n\nLeft out: 1 link address",
    ],
    [
      "of files however long they are",
      `<a href=/${"x".repeat(200)}.zip>a</a>`,
      `a (/${"x".repeat(200)}.zip)`,
    ],
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
      "behind the code that they are in",
      "<code>A&lt;<a href=/b>B</a>&lt;<a href=/c><var>C</var></a>[]&gt;&gt;</code>()",
      "A<B<C[]>> (/b) (/c)()",
    ],
    ["in links to code", "<a href=/b><code>b</code></a>()", "b (/b)()"],
    ["each its own when nobody closed them", "<a href=/1>a<a href=/2>b", "a (/1) b (/2)"],
  ])("%s", async (_what, html, text) => {
    expect((await htmlToText(html, { baseUrl })).replace("Base: https://a.example\n\n", "")).toBe(
      text,
    );
  });

  test("that are short only after a line that says where they are", async () => {
    expect(await htmlToText("<a href=x>a</a>", { baseUrl })).toBe(
      "Base: https://a.example\n\na (/docs/x)",
    );
    const late = `<p>${"Prose. ".repeat(100)}</p>${"<i></i>".repeat(10_000)}<a href=/x>a</a>`;
    expect(await htmlToText(late, { baseUrl })).toEndWith("a (https://a.example/x)");
  });

  test("relative to where a page from nowhere says that it belongs", async () => {
    const html = "<link rel=canonical href=https://c.example/p/q><a href=x>a</a>";
    expect(await htmlToText(html)).toBe("Base: https://c.example\n\na (/p/x)");
  });

  test("unchanged without a base", async () => {
    expect(await htmlToText("<a href=/x>a</a>")).toBe("a (/x)");
  });
});

test("htmlToText() reads the attributes of a piece that is longer than all before it", async () => {
  const pieces = [`<!-- ${"x".repeat(5000)} -->`, `<a id=q href=/x>b</a>${"q".repeat(20_000)}`];
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(Buffer.from(piece));
      controller.close();
    },
  });
  expect(await htmlToText(stream)).toStartWith("b (/x)q");
});

test("htmlToText() holds the addresses of fifty links back to the end of their code, and no more", async () => {
  const links = Array.from({ length: 51 }, (_, n) => `<a href=/${n}>x${n}</a>`).join(" ");
  const words = Array.from({ length: 51 }, (_, n) => `x${n}`).join(" ");
  const held = Array.from({ length: 50 }, (_, n) => ` (/${n})`).join("");
  expect(await htmlToText(`<code>${links}</code>`)).toBe(`${words} (/50)${held}`);
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
    { numRuns: runs(6, 30), examples: [[1]] },
  );
});

const PROSE = `<p>${"This is a sentence of the article, which is there to be read. ".repeat(10)}</p>`;
const LINKS = ["Home", "World", "Sport", "Weather"].map(
  (name) => `<li><a href=/${name}>${name}</a>`,
);
const LIST = `<ul>${LINKS.join("")}</ul>`;

const LONG_LINKS = ["Home", "World", "Sport", "Weather"].map(
  (name) => `<li><a href=/section/of-the/site/${name}>${name}</a>`,
);
const FACTS = `<ul>${LONG_LINKS.join("")}</ul>`;

describe("readHtml() leaves out, says so and has apart", () => {
  test.each([
    ["a menu", `<nav>${LIST}</nav>${PROSE}`, { menus: 1, links: 4 }],
    ["what has the role of one", `<ul role=menubar>${LIST}</ul>${PROSE}`, { menus: 1, links: 4 }],
    [
      "menus in menus",
      `<nav>${LIST}<b>More</b><nav>${LIST}</nav></nav>${PROSE}`,
      { menus: 2, links: 8 },
    ],
    [
      "a menu of a bar",
      `<header><b>Site</b><div>${LIST}</div></header>${PROSE}`,
      { menus: 1, links: 4 },
    ],
    ["a bar that is a menu", `${PROSE}<footer>${LIST}</footer>`, { menus: 1, links: 4 }],
    [
      "a menu beside a list that is no article",
      `<nav>${LIST}</nav><ul>${LINKS.map((link) => `${link}, told at length in many words`.repeat(4)).join("")}</ul>`,
      { menus: 1, links: 4 },
    ],
    [
      "a question about cookies",
      `<div id=cookie-banner>We use Weather cookies. <button>Yes</button></div>${PROSE}`,
      { notices: 1 },
    ],
    ["the addresses of a list of links", `${PROSE}${FACTS}`, { addresses: 4 }],
    [
      "addresses in an article beyond its share",
      `${PROSE}${Array.from({ length: 100 }, (_, n) => `<p>Prose and <a href=/Weather/of/the/place/with/the/number/${n}>more</a>.`).join("")}`,
      { addresses: 49 },
    ],
  ])("%s", async (_what, html, counts) => {
    const { text, navigation, leftOut } = await readHtml(html, {});
    expect(leftOut).toEqual({ menus: 0, links: 0, notices: 0, addresses: 0, ...counts });
    expect(navigation).toContain("Weather");
    if (!("addresses" in counts)) expect(text).not.toContain("Home (/Home)\n- World (/World)");
  });

  test.each([
    ["words", "<p>Open from Monday to Friday, nine to five.</p>", "Open from Monday to Friday"],
    ["hours", "<table><tr><td>Monday<td>9:00 – 17:00</table>", "Monday | 9:00 – 17:00"],
    ["times of day", "<p>Daily from <b>9 am</b></p>", "Daily from 9 am"],
    ["prices", "<div>Adults 12 €</div>", "Adults 12 €"],
  ])("but not %s in navigation, without the menu there", async (_what, inner, kept) => {
    const html = `${PROSE}<footer><nav>${LIST}${inner}</nav></footer>`;
    const { text, leftOut } = await readHtml(html, {});
    expect(text).toContain(kept);
    expect(text).not.toContain("Weather");
    expect(leftOut).toMatchObject({ menus: 1, links: 4 });
  });

  test("and counts a menu and a notice in the last line of htmlToText()", async () => {
    const html = `<nav>${LIST}</nav>${PROSE}<div class="x CookieConsent"><a href=x>OK</a></div>${FACTS}<footer>${LIST}</footer>`;
    expect(await htmlToText(html)).toEndWith(
      "\n- Weather\n\nLeft out: 2 menus (8 links), cookie notice, 4 link addresses",
    );
  });
});

describe("htmlToText() keeps", () => {
  const plain = LINKS.map((link) =>
    link.replace("</a>", ": told at length and in so many words</a>"),
  );
  test.each([
    ["a list of links that is all there is", LIST],
    ["a menu that is all there is", `<nav>${LIST}</nav><p>Welcome!</p>`],
    [
      "links in prose",
      `${PROSE}<p>See <a href=/a>Alpha</a>, <a href=/b>Beta</a> or <a href=/c>the Weather</a>.`,
    ],
    [
      "two links in a line",
      `${PROSE}<div>By <a href=/a>Alpha</a> and <a href=/b>Weather</a></div>`,
    ],
    ["lists of links before and behind", `${LIST}${PROSE}<div>${LIST}</div>`],
    ["a heading and its links", `${PROSE}<section><h2>Most read</h2>${LIST}</section>`],
    [
      "links in their own blocks",
      `<div>${LINKS.map((link) => `<div>${link}</div>`).join("")}</div>${PROSE}`,
    ],
    ["a footer with words", `${PROSE}<footer><p>All rights reserved by the Weather.</p></footer>`],
    ["a footer with a number to call", `${PROSE}<footer>${LIST}<a href=tel:1>Weather</a></footer>`],
    [
      "a footer whose links are hours",
      `${PROSE}<footer><ul>${LIST}<li><a href=/h>Weather 9:00 – 17:30</a></ul></footer>`,
    ],
    ["what has the role of a banner", `<div role=banner><b>Weather</b></div>${PROSE}`],
    ["a warning aside", `${PROSE}<aside>Beware of the Weather!</aside>`],
    ["links aside", `${PROSE}<aside>${LIST}</aside>`],
    ["a menu in the main part", `<main>${PROSE}<nav>${LIST}</nav></main>`],
    ["a menu with much to say", `${PROSE}<nav>${plain.join("")}</nav>`],
    ["a menu of two links", `${PROSE}<nav><a href=/a>Alpha</a> <a href=/b>Weather</a></nav>`],
    ["a question about baking", `${PROSE}<div class=cookie-recipe>Weather <a href=x>OK</a></div>`],
    [
      "a table of links",
      `${PROSE}<table>${LINKS.map((link) => `<tr><td>${link}`).join("")}</table>`,
    ],
    ["the page's heading in its header", `<header><h1>Weather</h1>${LIST}</header>${PROSE}`],
    ["an article inside a link that nobody closed", `<a href=/x>Weather${PROSE.repeat(3)}`],
    ["a menu beyond all measure", `${PROSE}<nav>${LIST.repeat(runs(5000, 20_000))}</nav>`],
  ])("%s", async (_what, html) => {
    expect(await htmlToText(html)).toContain("Weather");
  });

  test("the addresses of a page that is about its links, of its files and of short lists", async () => {
    const files = FACTS.replaceAll("Weather>", "Weather.zip>");
    expect(await htmlToText(FACTS.repeat(20))).toContain("Weather (/section/of-the/site/Weather)");
    expect(await htmlToText(PROSE + files)).toContain("Weather (/section/of-the/site/Weather.zip)");
    expect(await htmlToText(PROSE + LIST)).toContain("Weather (/Weather)");
  });
});

test("htmlToText() gives a target that it only left out before", async () => {
  const sport = "<p>The <a href=/section/of-the/site/Sport>sport</a> of today.";
  for (const before of [`<nav>${FACTS}</nav>${PROSE}`, `${PROSE}${FACTS}`])
    expect(await htmlToText(before + sport)).toContain("The sport (/section/of-the/site/Sport) of");
});

test("htmlToText() goes on after a part that it left out as if it had not been there", async () => {
  const menu = `<nav>${LIST}</nav>`;
  const html = `${PROSE}<ol><li>a<li>b${menu}c</ol><table><tr><td>d${menu}<td>e</table>`;
  expect(await htmlToText(html)).toEndWith(
    "read.\n\n1. a\n2. b\n  c\n\nd | e\n\nLeft out: 2 menus (8 links)",
  );
});

describe("readHtml()", () => {
  test("gives text away while the page is still on its way", async () => {
    const given: string[] = [];
    async function* arriving() {
      yield Buffer.from(`<nav>${LIST}</nav>${PROSE}${PROSE}<nav>`);
      expect(given.join("")).toStartWith("This is a sentence");
      yield Buffer.from(`${LIST}</nav><p>The end.</p>`);
    }
    const { text } = await readHtml(arriving(), {
      charset: "utf-8",
      onText: (piece) => given.push(piece),
    });
    expect(text).toEndWith("The end.");
    expect(given.join("")).toBe(text);
  });

  test("keeps as much text as it may and counts the rest", async () => {
    const whole = await readHtml(`<p>${"😀".repeat(1000)}</p>`, {});
    const cut = await readHtml(`<p>${"😀".repeat(1000)}</p>`, { maxLength: 101 });
    expect(cut.text).toBe("😀".repeat(50));
    expect(cut.text.length + cut.omittedLength).toBe(whole.text.length);
  });

  test("needs no more memory for a page of any length", async () => {
    const part = Buffer.from(`${PROSE.repeat(50)}<nav>${LIST.repeat(50)}</nav>`);
    const pageBytes = 1_000_000 * runs(8, 20);
    async function* endless() {
      for (let sizeBytes = 0; sizeBytes < pageBytes; sizeBytes += part.length) yield part;
      heldBytes += heapBytes();
    }
    let heldBytes = -heapBytes();
    const { text, omittedLength } = await readHtml(endless(), {});
    expect(text.length).toBe(1_000_000);
    expect(omittedLength).toBeGreaterThan(pageBytes / 2);
    expect(heldBytes).toBeLessThan(pageBytes / 2);
  });

  test.each([
    [
      "much that is no text",
      `<title>App</title><div id=app></div><script>${"x".repeat(2000)}</script>`,
      true,
    ],
    ["a short page", "<p>Moved.</p>", false],
    ["a page with something to read", `<style>${"x".repeat(2000)}</style>${PROSE}`, false],
  ])("knows of %s whether it needs its scripts", async (_what, html, needsScripts) => {
    expect(await readHtml(html, {})).toMatchObject({ needsScripts });
  });

  test.each([
    [79, 1537, true],
    [80, 1537, false],
    [79, 1536, false],
  ])("knows it of %i characters in %i of a page", async (said, all, needsScripts) => {
    const html = `${"w".repeat(said)}<!--${"-".repeat(all - said - 7)}-->`;
    expect(html).toHaveLength(all);
    expect(await readHtml(html, {})).toMatchObject({ needsScripts });
  });
});

/** What is in use, without what only waits to be collected. */
function heapBytes(): number {
  Bun.gc(true);
  return process.memoryUsage().heapUsed;
}

describe("htmlToText() takes no longer for hostile pages", () => {
  /** So many times, or a third of it: what is quadratic takes far longer than it may then, too. */
  const share = runs(1, 3);
  const many = (piece: string, count = 100_000) => piece.repeat(Math.ceil((count * share) / 3));
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
      `<p ${Array.from({ length: 30_000 * share }, (_, i) => `a${i}=1`).join(" ")}>`,
    ],
    ["a giant attribute", `<p style='${many("display", 1_000_000)}'>x`],
    ["a giant tag name", `<${many("a", 5_000_000)}>x`],
    ["white space", `<p>${many(" \n", 1_000_000)}x`],
    ["empty cells", `<tr>${many("<td>")}x`],
    ["a giant table", `<table>${many("<tr><td>1<td>2")}</table>`],
    ["options", `<select>${many("<option>x")}`],
    ["nested choices", many("<select><optgroup label=x><option selected>y")],
    ["asides that nobody closed", `${PROSE}${many("<aside><li>x")}`],
    ["bars and cells", `${PROSE}${many("<footer><table><tr><td><a href=/x>y")}`],
    ["terms", many("<dl><dt>x<dd><dl>y")],
    ["words in drawings", many("<svg><text>x<tspan>")],
    ["a long list of links", `${PROSE}<div>${many("<a href=/article/x>y</a> ")}</div>`],
    [
      "nested lists of links",
      `${PROSE}${many("<div><a href=/article/of/x>y</a><a href=/article/of/z>y</a>")}`,
    ],
    ["questions", `${PROSE}${many("<div class=cookie-banner><a href=/x>y</a>")}`],
    [
      "giant names",
      `<div class='${many("cookie ", 1_000_000)}' id='${many("consent", 1_000_000)}'>x`,
    ],
    ["what stands in for scripts", many("<noscript>&lt;b&gt;x")],
    [
      "what stands in for itself",
      many(`<noscript>${"&lt;noscript&gt;".repeat(20)}</noscript>`, 5000),
    ],
    ["links in code that nobody closed", many("<code><a href=/x>y")],
    ["giant addresses", many(`<a href=/${"x".repeat(1000)}>y</a>`, 5000)],
    ["menus", `${PROSE}${many("<nav><a href=x>y</a></nav>")}`],
    ["nested menus", `${PROSE}${many("<nav><a href=x>y</a>")}`],
  ])("%s", async (_what, html) => {
    const effort = measureEffort();
    const text = await htmlToText(html);
    expect(effort()).toBeLessThan((4000 * share) / 3);
    expect(text.length).toBeLessThan(3 * html.length);
  });
});
