import { describe, expect, test } from "bun:test";
import { isContactAddress } from "../../src/http/html-to-text/contact-address.ts";
import { isHiddenElement } from "../../src/http/html-to-text/hidden-element.ts";
import { readHtml } from "../../src/http/html-to-text/html-to-text.ts";
import {
  createLeftOutRecord,
  type Omission,
  renderLeftOut,
} from "../../src/http/html-to-text/left-out.ts";
import { createLinkBase } from "../../src/http/html-to-text/link-base.ts";
import { toPartKind } from "../../src/http/html-to-text/part-kind.ts";
import { peekBytes } from "../../src/http/html-to-text/peek-bytes.ts";
import { createSeen } from "../../src/http/html-to-text/seen.ts";

const PAGE = "https://a.example/docs/page?x=1";
const of = (length: number, sign = "v") => sign.repeat(length);

describe("readHtml() gives", () => {
  test.each([
    ["a title that is empty", "<title></title><title>x</title>a", "a"],
    [
      "text that a saved noscript has as text",
      "a<noscript>&lt;p&gt;&amp;lt;b&amp;gt;c&lt;/p&gt;</noscript>",
      "a\n\n<b>c",
    ],
    ["noscript before a block in it", "a<noscript>b<p>c</p>d</noscript>e", "ab\n\nc\n\nde"],
    ["noscript in noscript", "<noscript><noscript>x</noscript>y</noscript>z", "xyz"],
    ["what follows inside another element", "<span>Mon</span><i><span>day</span></i>", "Monday"],
    ["what follows behind a word", "<span>Mon</span>xy<span>day</span>", "Monxyday"],
    ["code behind code that was empty", "<pre>  </pre><pre>x</pre>", "```\nx\n```"],
    [
      "names of pictures in links and behind them",
      "<a href=/1><img alt=p><img alt=n></a><a href=/2>w<img alt=q></a><img alt=r>",
      "[p] (/1) w (/2)[r]",
    ],
    [
      "a link in a link",
      "<a href=/1>o<table><tr><td><a href=/2>i</a></table></a>",
      "o\n\ni (/2) (/1)",
    ],
    [
      "the picture of a link around a link",
      "<a href=/1><img alt=o><table><tr><td><a href=/2>i</a></table></a>",
      "i (/2)\n\n[o] (/1)",
    ],
    [
      "the number of a list behind one in it",
      "<ol><li>a<ul><li>b</ul><li>c</ol><li>d",
      "1. a\n  - b\n2. c\n\n- d",
    ],
    [
      "groups and options by their labels",
      "<select><optgroup label=' '><option>a</optgroup><option label=' L '></select>",
      "a | L",
    ],
    [
      "the option that is chosen, if it says anything",
      "<select><option selected></option><option selected>b</select>",
      "| b (selected)",
    ],
    [
      "fields by what they ask for where they hold nothing to read",
      "<input type=RADIO value=a placeholder=p><input type=image value=v><input type=hidden value=v placeholder=q><input value=' ' placeholder=' r '>",
      "[p] [r]",
    ],
    ["a field, cut", `<input value="${of(121)}">`, `${of(120)}…`],
    ["a field as long as it may be", `<input value="a  ${of(118)}">`, `a ${of(118)}`],
    ["a picture, cut", `<img alt="${of(121)}">`, `[${of(120)}…]`],
    ["a group, cut", `<optgroup label="${of(121)}"></optgroup>x`, `${of(120)}…: x`],
    ["frames that lead somewhere", "a<frame src=#x><frame src=/a>b", "a\n[frame] (/a)\nb"],
    [
      "where the page belongs",
      "<link rel=CANONICAL href=https://c.example/p><a href=x>a</a>",
      "Base: https://c.example\n\na (/x)",
    ],
    [
      "where it belongs only before its text",
      "text<link rel=canonical href=https://c.example/p><a href=x>a</a>",
      "texta (x)",
    ],
    ["no other relation", "<link rel=next href=https://c.example/p><a href=x>a</a>", "a (x)"],
    ["a number once", "<a href=tel:+1-23>+1-23</a> <a href=TEL:+1>call</a>", "+1-23 call (TEL:+1)"],
    ["cells without a row", "<td>a<td>b", "a\nb"],
    ["a cell behind a row", "<tr><td>a</td></tr><td>b", "a\nb"],
    ["a cell behind a choice", "<select><option>x</select><td>b", "x\nb"],
    [
      "the cells of a row around a choice",
      "<tr><td>a<select><option>x<option>y</select><td>b",
      "a x | y | b",
    ],
    ["breaks and blocks in code", "<pre>a<br>b<p>c</p></pre>d", "```\na\nb\nc\n```\n\nd"],
    ["nothing of empty blocks in code", "<pre>a<br><p></p></pre>b", "```\na\n```\n\nb"],
    ["code in code as one", "<pre>a<pre>b</pre>c</pre>d", "```\nabc\n```\n\nd"],
    ["links behind each other", "<a href=/1>Go!</a><a href=/2>B</a>", "Go! (/1) B (/2)"],
    ["code that ends its line", "<pre>a\n</pre>c", "```\na\n```\n\nc"],
    [
      "links in code of code",
      "<code>a<pre>b<a href=/x>c</a></pre></code>",
      "a\n\n```\nbc\n``` (/x)",
    ],
    ["a heading as an item", "<ul><li><h2>a</h2><p>b</ul>", "## a\n\n  b"],
    ["nothing of an empty heading", "<h1></h1>b", "b"],
    ["a cell that begins with an item", "<table><tr><td><li>a<td>b</table>", "- a | b"],
    ["three breaks as two", "a<br><br><br>b", "a\n\nb"],
    ["nothing of an empty row", "<tr><td>a</td></tr><tr><td></td></tr>b", "a\nb"],
    ["what is open", "<dialog open>x</dialog>y", "x\ny"],
    ["what waits to be found", "<div hidden=until-found>x</div>y", "x\ny"],
    ["the page itself, whatever it says", "<body hidden>x", "x"],
    ["what is hidden from nobody", "<i aria-hidden=false>x</i>y", "xy"],
    [
      "no words of a drawing in what is hidden",
      "<template><svg><text>a</text></svg></template>b",
      "b",
    ],
    ["words deep in a drawing", "<svg><g><text>a</text></g></svg>b", "ab"],
  ])("%s", async (_, html, text) => {
    expect((await readHtml(html, {})).text).toBe(text);
  });

  test("a title in one line, and no more of it than any title has", async () => {
    const title = async (inner: string) => (await readHtml(`<title>${inner}</title>x`, {})).title;
    expect(await title("")).toBe("");
    expect(await title("</title><title>second")).toBe("");
    const page = await readHtml("<title>a</title><b>x</b><title>y</title><p>z", {});
    expect([page.title, page.text]).toEqual(["a", "x\n\nz"]);
    expect(await title(" a\n b&amp;c ")).toBe("a b&c");
    expect(await title(of(300))).toBe(of(300));
    expect(await title(of(301))).toBe(`${of(300)}…`);
  });

  test.each([
    [120, "/", "a (/…)"],
    [121, "/", "a"],
    [500, ".zip", "a (/….zip)"],
    [501, ".zip", "a"],
  ])("an address of %i signs that ends in %p as %s", async (length, end, expected) => {
    const target = `/${of(length - end.length - 1)}${end}`;
    const { text, leftOut, navigation } = await readHtml(`<a href="${target}">a</a>`, {});
    expect(text.replace(/v+\/?/u, "…")).toBe(expected);
    expect(leftOut.addresses).toBe(expected === "a" ? 1 : 0);
    expect(navigation).toBe(expected === "a" ? `a (${target})` : "");
  });

  test("what a saved page has as text only as far as pages have it", async () => {
    const { text } = await readHtml(`<noscript>${of(70_000)}</noscript>`, {});
    expect(text).toHaveLength(64 * 1024);
  });

  test("short texts apart in navigation: none of them says anything", async () => {
    const link = (n: number) => `<li><a href=/${n}>Some place ${n}</a>`;
    const links = Array.from({ length: 12 }, (_, n) => link(n)).join("");
    const prose = `<p>${"This is a sentence of the article. ".repeat(20)}</p>`;
    const read = (inner: string) => readHtml(`<nav><ul>${links}</ul>${inner}</nav>${prose}`, {});
    const { text, leftOut } = await read("<p>Fourteen signs<p>Fourteen signs");
    expect([leftOut.menus, text.includes("Fourteen")]).toEqual([1, false]);
    // But what only continues its line does say something.
    for (const inner of ["<b>run on as words</b>", "<code>run on as words</code>"])
      expect((await read(`<p>Fourteen signs ${inner}`)).text).toContain("Fourteen");
    // Nor is what has figures in it, or the page's own heading, a menu.
    for (const inner of ["<b>9:00</b>", "<b>9 am</b>", "<b>12 €</b>", "<b>$ 5</b>"])
      expect((await read(inner)).text).toContain(inner.slice(3, -4));
    expect((await read("<b>v1.2.3</b>")).text).not.toContain("v1.2.3");
    const heading = `<header><h1>Weather</h1>${links}</header>${prose}`;
    expect((await readHtml(heading, {})).text).toContain("# Weather\n\n- Some place 0 (/0)");
    const hours = `<footer>${links}<li><a href=/h>9:00</a></footer>`;
    expect((await readHtml(prose + hours, {})).text).toContain("9:00");
    expect((await readHtml(prose + hours.replace("9:00", "Late"), {})).text).not.toContain("Late");
  });
});

test("readHtml() keeps the addresses of long links beside prose, and so much of what a link says", async () => {
  const prose = (times: number) => `<p>${"This is a sentence of it. ".repeat(times)}</p>`;
  const links = [1, 2, 3].map((n) => `<a href=/${of(50, "t")}${n}>${of(100)} ${n}</a> `).join("");
  const { text } = await readHtml(`${prose(40)}<div>${prose(5)}${links}</div>`, {});
  expect(text).toContain(`(/${of(50, "t")}3)`);
  const lost = await readHtml(`${prose(40)}<div>${links}</div>`, {});
  expect([lost.text.includes(of(50, "t")), lost.leftOut.addresses]).toEqual([false, 3]);
  const code = `${prose(40)}<pre>a <a href=/${of(70, "t")}>call()</a></pre>`;
  expect((await readHtml(code, {})).text).toEndWith("```\na call()\n```");
  const short = [1, 2, 3].map((n) => `<a href=/${n}>place</a>`).join(" ");
  const inLine = await readHtml(`${prose(40)}<p>a<b role=menu>${short}</b>b`, {});
  expect([inLine.text.endsWith("\n\na\nb"), inLine.leftOut.menus]).toEqual([true, 1]);
  const long = `<a href=/${of(300, "t")}>${of(1000)}<b>more</b></a>`;
  expect((await readHtml(long, {})).navigation).toBe(`${of(1000)} (/${of(300, "t")})`);
});

describe("isHiddenElement()", () => {
  test.each([
    ["p", { style: "visibility:collapse" }, true],
    ["p", { style: "a:b;display:none" }, true],
    ["p", { style: "xdisplay:none" }, false],
    ["p", { style: `${of(990, " ")}display:none` }, false],
    ["p", { hidden: "" }, true],
    ["p", { hidden: "until-found" }, false],
    ["main", { hidden: "" }, false],
    ["html", { style: "display:none" }, false],
    ["dialog", {}, true],
    ["dialog", { open: "" }, false],
    ["dialog", { open: "", hidden: "" }, true],
    ["small", { "aria-hidden": "true" }, true],
    ["p", { "aria-hidden": "true" }, false],
    ["iframe", {}, true],
    ["p", {}, false],
  ] as const)("of %s %j is %p", (name, attributes, is) => {
    expect(isHiddenElement(name, attributes)).toBe(is);
  });
});

test("isContactAddress() knows mailboxes, numbers and files, and no page", () => {
  const is = ["mailto:a", "TEL:1", "sms:1", "geo:1", "/a.PDF", "/a.tar.gz?x", "/a.sha256#y"];
  const not = ["/mailto:a", "https://a.example/tel:1", "/zip", "/a.zipper", "/a.html", ""];
  expect([...is, ...not].filter(isContactAddress)).toEqual(is);
});

describe("createLeftOutRecord()", () => {
  const omission = (kind: Omission["kind"], menus = 0, links = 0) => ({ kind, menus, links });

  test("has parts as they stood, then links, and counts each for what it is", () => {
    const record = createLeftOutRecord();
    expect([record.text(), record.counts()]).toEqual([
      "",
      { menus: 0, links: 0, notices: 0, addresses: 0 },
    ]);
    record.add(omission("menu", 2, 5), "\n\n- a\n- b\n");
    record.add(omission("address"), "x (/x)");
    record.add(omission("notice", 1, 3), "cookies?");
    record.add(omission("long"), "y (/y)");
    record.add(omission("menu", 1, 1), " ");
    expect(record.text()).toBe("- a\n- b\n\ncookies?\n\nx (/x)\ny (/y)");
    expect(record.counts()).toEqual({ menus: 4, links: 9, notices: 1, addresses: 2 });
  });

  test("keeps so much of it, cut at a blank, and tells the length of the rest", () => {
    const MOST = 200_000;
    const record = createLeftOutRecord();
    record.add(omission("menu"), of(MOST - 12));
    record.add(omission("menu"), "12345 789 end");
    record.add(omission("address"), "a b");
    record.add(omission("address"), "unbroken");
    const [first, second, third, last] = record.text().split("\n\n");
    expect([first?.length, second, third]).toEqual([MOST - 12, "12345 789", "a b"]);
    expect(last).toBe("[cut here: 12 more characters; raw = true has them]");
    const exact = createLeftOutRecord();
    exact.add(omission("menu"), of(MOST));
    expect(exact.text()).toBe(of(MOST));
    const lines = createLeftOutRecord();
    lines.add(omission("menu"), of(MOST - 8));
    lines.add(omission("menu"), "one\ntwo three");
    expect(lines.text().split("\n\n")[1]).toBe("one\ntwo");
  });

  test.each([
    [[0, 0, 0, 0], ""],
    [[1, 1, 0, 0], "Left out: 1 menu (1 link)"],
    [[2, 3, 1, 1], "Left out: 2 menus (3 links), cookie notice, 1 link address"],
    [[0, 0, 2, 2], "Left out: 2 cookie notices, 2 link addresses"],
  ])("is told of %j as %p", ([menus = 0, links = 0, notices = 0, addresses = 0], line) => {
    expect(renderLeftOut({ menus, links, notices, addresses })).toBe(line);
  });
});

describe("createLinkBase()", () => {
  const target = (href: string, page?: string) => createLinkBase(page).toTarget(href);

  test.each([
    ["", undefined],
    ["#x", undefined],
    ["JavaScript:x", undefined],
    ["data:x", undefined],
    ["blob:x", undefined],
    [PAGE, undefined],
    [`${PAGE}#part`, undefined],
    [`${PAGE}0`, "/docs/page?x=10"],
    ["/docs/page?x=1#p", undefined],
    ["other", "/docs/other"],
    ["https://a.example", "https://a.example"],
    ["https://a.example/", "/"],
    ["https://b.example/x", "https://b.example/x"],
    ["http://a.example/x", "http://a.example/x"],
    ["http://[bad", "http://[bad"],
    ["//[bad", "//[bad"],
    ["mailto:a@b.c", "mailto:a@b.c"],
  ])("%p leads to %p", (href, expected) => {
    expect(target(href, PAGE)).toBe(expected);
  });

  test("leaves what is relative to nothing as it is, and announces an origin only for short links", () => {
    expect([target("x"), target("x", "file:///a/b")]).toEqual(["x", "file:///a/x"]);
    const base = createLinkBase(PAGE);
    base.toTarget("https://b.example/");
    expect(base.announce()).toBeUndefined();
    // From there on all are in full, as nothing was said.
    expect(base.toTarget("/x")).toBe("https://a.example/x");
    const short = createLinkBase(PAGE);
    short.toTarget("/x");
    expect([short.announce(), short.announce()]).toEqual([
      "https://a.example",
      "https://a.example",
    ]);
  });

  test("takes the first base that a page names, and its last origin", () => {
    const base = createLinkBase(PAGE);
    base.set("");
    base.set("/one/");
    base.set("/two/");
    expect(base.toTarget("x")).toBe("/one/x");
    base.setOrigin("https://c.example/p");
    base.setOrigin("no address");
    expect(base.toTarget("https://c.example/x")).toBe("/x");
    expect(base.toTarget("x")).toBe("https://a.example/one/x");
    const wrong = createLinkBase(PAGE);
    wrong.set("http://[bad");
    expect(wrong.toTarget("x")).toBe("/docs/x");
    const nowhere = createLinkBase(undefined);
    nowhere.setOrigin("ftp://c.example/p");
    expect(nowhere.toTarget("x")).toBe("x");
    nowhere.setOrigin("https://c.example/p/");
    nowhere.setOrigin("https://d.example/");
    expect(nowhere.toTarget("x")).toBe("https://c.example/p/x");
    expect(nowhere.toTarget("https://c.example/p/")).toBeUndefined();
  });
});

test("createSeen() says what is new, forgets what came last, and holds no more than ten thousand", () => {
  const seen = createSeen();
  expect([seen.isNew("a"), seen.isNew("b"), seen.isNew("a"), seen.count()]).toEqual([
    true,
    true,
    false,
    2,
  ]);
  seen.forgetAfter(1);
  expect([seen.count(), seen.isNew("a"), seen.isNew("b")]).toEqual([1, false, true]);
  for (let n = 2; n < 10_000; n++) seen.isNew(`${n}`);
  expect([seen.count(), seen.isNew("last"), seen.isNew("last")]).toEqual([10_000, true, true]);
});

describe("peekBytes()", () => {
  async function* stream(pieces: readonly string[], ended: string[]) {
    try {
      for (const piece of pieces) yield Buffer.from(piece);
    } finally {
      ended.push("ended");
    }
  }
  const read = async (pieces: readonly string[], most: number) => {
    const ended: string[] = [];
    const { head, whole } = await peekBytes(stream(pieces, ended), ({ length }) => length >= most);
    const all: string[] = [];
    for await (const piece of whole) all.push(Buffer.from(piece).toString());
    return { head: Buffer.from(head).toString(), all, ended };
  };

  test("gives the start as soon as it is enough, and everything once more", async () => {
    const ended = ["ended"];
    expect(await read(["ab", "cd", "ef"], 3)).toEqual({ head: "abcd", all: ["abcd", "ef"], ended });
    expect(await read(["ab"], 3)).toEqual({ head: "ab", all: ["ab"], ended });
    expect(await read([], 3)).toEqual({ head: "", all: [""], ended });
  });

  test("ends the stream of a reader who leaves", async () => {
    const ended: string[] = [];
    const { whole } = await peekBytes(stream(["ab", "cd"], ended), () => true);
    for await (const _ of whole) break;
    expect(ended).toEqual([]);
    const begun = await peekBytes(stream(["ab", "cd", "ef"], ended), ({ length }) => length > 1);
    for await (const _ of begun.whole) break;
    expect(ended).toEqual(["ended"]);
  });
});

describe("toPartKind()", () => {
  test.each([
    ["div", { class: "x cookie-banner" }, "notice"],
    ["div", { id: "onetrust-x" }, "notice"],
    ["div", { class: "cookie-recipe" }, "part"],
    ["div", { class: `${of(200)} cookie-banner` }, "part"],
    ["div", {}, "part"],
    ["div", { role: "navigation" }, "menu"],
    ["div", { role: "dialog" }, "notice"],
    ["div", { role: "banner" }, "bar"],
    ["div", { role: "article" }, "main"],
    ["div", { role: "unheard" }, "part"],
    // What an element says that it is holds, whatever people call it.
    ["nav", { class: "cookie-banner" }, "menu"],
    ["main", { id: "gdpr-popup" }, "main"],
    ["footer", { class: "consent-bar" }, "bar"],
    ["menu", { class: "consent-bar" }, "notice"],
    ["span", { class: "cookie-banner" }, undefined],
    ["p", {}, undefined],
  ] as const)("of %s %j is %p", (name, attributes, kind) => {
    expect(toPartKind(name, attributes)).toBe(kind);
  });
});

test("readHtml() counts the line about its links to what it keeps, and gives nothing away that is empty", async () => {
  const read = async (maxLength: number) => {
    const given: string[] = [];
    const options = { baseUrl: "https://a.example/", maxLength };
    const html = `<a href=/x>${of(10, "a")}</a>`;
    const page = await readHtml(html, { ...options, onText: (piece) => given.push(piece) });
    expect(given.join("")).toBe(page.text);
    expect(given).not.toContain("");
    return [page.text, page.omittedLength];
  };
  const line = "Base: https://a.example\n\n";
  expect(await read(30)).toEqual([`${line}aaaaa`, 10]);
  expect(await read(25)).toEqual([line, 15]);
  expect(await read(40)).toEqual([`${line}${of(10, "a")} (/x)`, 0]);
  expect(await read(0)).toEqual(["", 40]);
});
