import { createDice, type Dice } from "../support/dice.ts";

/** A page that nobody wrote, and what somebody may ask of it. */
export interface MadePage {
  readonly html: string;
  /** Strings that an answer needs. */
  readonly asked: readonly string[];
}

/** Pages of each kind, other ones for each number; there is no end of them. */
export const PAGE_KINDS: Readonly<Record<string, (n: number) => MadePage>> = {
  documentation: (n) => frame(n, makeDocumentation),
  listing: (n) => frame(n, makeListing),
  office: (n) => frame(n, makeOffice),
  shop: (n) => frame(n, makeShop),
  releases: (n) => frame(n, makeReleases),
  warnings: (n) => frame(n, makeWarnings),
};

type Make = (dice: Dice) => MadePage;

const WORDS = "amber birch cedar delta ember flint grove heron inlet jetty kelp larch".split(" ");

function many<Item>(count: number, item: (n: number) => Item): readonly Item[] {
  return Array.from({ length: count }, (_, n) => item(n));
}

function word(dice: Dice): string {
  return WORDS[dice(WORDS.length)] ?? "";
}

function name(dice: Dice): string {
  return `${word(dice)}_${word(dice)}${dice(100)}`;
}

function sentences(dice: Dice, count: number): string {
  return many(count, () => `The ${word(dice)} of the ${word(dice)} is told here in words.`).join(
    " ",
  );
}

function links(dice: Dice, count: number, base: string): readonly string[] {
  return many(
    count,
    (n) => `<a href="/${base}/${word(dice)}-${n}">${word(dice)} ${word(dice)}</a>`,
  );
}

function items(parts: readonly string[]): string {
  return parts.map((part) => `<li>${part}</li>`).join("\n");
}

function rows(cells: readonly (readonly string[])[], tag = "td"): string {
  return cells
    .map((row) => `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`)
    .join("\n");
}

/** A site around a page: menus, a question about cookies, a footer with an address. */
function frame(n: number, make: Make): MadePage {
  const dice = createDice(n);
  const { html, asked } = make(dice);
  const phone = `+00 ${dice(900) + 100} ${dice(90_000) + 10_000}`;
  const menu = `<ul>${items(links(dice, 8 + dice(40), "section"))}</ul>`;
  const main = [`<main>${html}</main>`, `<div id="content">${html}</div>`][dice(2)] ?? "";
  return {
    html: `<!doctype html><html lang=en><head><title>${word(dice)}</title>
<style>${`.${word(dice)} { color: red }\n`.repeat(20)}</style></head><body>
<header><a href="/">${word(dice)}</a>${[`<nav>${menu}</nav>`, `<div role="navigation">${menu}</div>`][dice(2)]}</header>
<div class="cookie-banner">This site uses cookies. <button>Accept</button> <button>More</button></div>
${main}
<footer><ul>${items(links(dice, 9, "service"))}</ul>
<p>Call <a href="tel:${phone}">${phone}</a>, at ${dice(90) + 1} ${word(dice)} street</p></footer>
<script>${"call(1 < 2);\n".repeat(50)}</script></body></html>`,
    asked: [...asked, phone],
  };
}

function makeDocumentation(dice: Dice): MadePage {
  const functions = many(5 + dice(20), (n) => ({
    call: `${name(dice)}(${name(dice)}, ${n}=${dice(1000)})`,
    option: `--${word(dice)}-${n}`,
  }));
  const shapes = [
    ({ call, option }: { call: string; option: string }) =>
      `<dl><dt><code>${call}</code><a href="#x">¶</a></dt><dd><p>${sentences(dice, 2)} Takes <code>${option}</code>.</dd></dl>`,
    ({ call, option }: { call: string; option: string }) =>
      `<h3>${option}</h3><pre class="synopsis">  ${call}\n  returns ${word(dice)}</pre><p>${sentences(dice, 1)}</p>`,
    ({ call, option }: { call: string; option: string }) =>
      `<table><tr><td><a href="f.html#${option}">${call}</a></td><td>${option}</td></tr></table>`,
  ];
  const shape = shapes[dice(shapes.length)];
  const index = `<ul>${items(functions.map(({ call }) => `<a href="${word(dice)}.html">${call}</a>`))}</ul>`;
  return {
    html: `<h1>${word(dice)}</h1><p>${sentences(dice, dice(12))}</p>${index}
${functions.map((each) => shape?.(each)).join("\n")}`,
    asked: functions.flatMap(({ call, option }) => [call, option]),
  };
}

function makeListing(dice: Dice): MadePage {
  const entries = many(6 + dice(40), (n) => `${name(dice)}-${n}.${dice(30)}`);
  const intro = `<p>${sentences(dice, dice(14))}</p>`;
  const link = (entry: string) => `<a href="/files/${entry}.tar.gz">${entry}</a>`;
  const shapes = [
    () => `<ul>${items(entries.map(link))}</ul>`,
    () =>
      `<table>${rows([["Name", "Size"]], "th")}${rows(entries.map((entry) => [link(entry), `${dice(900)} kB`]))}</table>`,
    () =>
      `<div class=grid>${entries.map((entry) => `<div><div>${link(entry)}</div></div>`).join("")}</div>`,
    () => `<section><h2>Files</h2><p>${entries.map(link).join("<br>\n")}</section>`,
  ];
  return { html: intro + (shapes[dice(shapes.length)]?.() ?? ""), asked: entries };
}

function makeOffice(dice: Dice): MadePage {
  const days = "Monday Tuesday Wednesday Thursday Friday".split(" ").map((day) => {
    return [day, `${7 + dice(3)}:${10 + dice(50)} – ${15 + dice(4)}:${10 + dice(50)}`];
  });
  const place = `${1 + dice(200)} ${word(dice)} lane, ${10_000 + dice(89_999)} ${word(dice)}`;
  const fee = `€ ${10 + dice(90)}.${10 + dice(90)}`;
  const hours = [
    () => `<table>${rows(days)}</table>`,
    () => `<dl>${days.map(([day, hour]) => `<dt>${day}<dd>${hour}`).join("")}</dl>`,
    () => `<ul>${items(days.map((day) => day.join(": ")))}</ul>`,
    () =>
      `<div>${days.map(([day, hour]) => `<div><span>${day}</span> <span>${hour}</span></div>`).join("")}</div>`,
  ];
  const around = [
    (inner: string) => `<aside><h2>Opening hours</h2>${inner}</aside>`,
    (inner: string) => `<section class=sidebar><h3>Opening hours</h3>${inner}</section>`,
    (inner: string) => `<div role=complementary>${inner}</div>`,
    (inner: string) =>
      `<footer><nav><ul>${items(links(dice, 7, "service"))}</ul>${inner}</nav></footer>`,
  ];
  const shape = around[dice(around.length)];
  return {
    html: `<h1>Office of ${word(dice)}</h1><p>${sentences(dice, dice(10))}</p>
${shape?.(hours[dice(hours.length)]?.() ?? "")}<address>${place}</address>
<details><summary>Fees</summary><p>A passport costs ${fee}.</details>
<ul>${items(links(dice, 5, "forms"))}</ul>`,
    asked: [...days.flat(), place, fee],
  };
}

function makeShop(dice: Dice): MadePage {
  const sizes = many(3 + dice(8), (n) => `${word(dice)} ${n} cm`);
  const prices = sizes.map(() => `${dice(900)}.${10 + dice(90)} €`);
  const options = sizes.map((size, n) => `<option value=${n}>${size}, ${prices[n]}</option>`);
  const groups = `<optgroup label="In stock">${options.slice(1).join("")}</optgroup>${options[0]}`;
  const stock = `only ${dice(9) + 1} left`;
  return {
    html: `<h1>${word(dice)} ${word(dice)}</h1><form><label>Size <select name=s>${[options.join(""), groups][dice(2)]}</select></label>
<label><input type=radio> Express, ${dice(30)} €</label><button>Order</button></form>
<table><caption>Prices</caption>${rows(sizes.map((size, n) => [size, prices[n] ?? ""]))}</table>
<aside class=stock><strong>${stock}</strong></aside><p>${sentences(dice, dice(9))}</p>
<ul class=related>${items(links(dice, 6, "item"))}</ul>`,
    asked: [...sizes, ...prices, stock],
  };
}

function makeReleases(dice: Dice): MadePage {
  const releases = many(5 + dice(25), (n) => `v${n}.${dice(20)}.${dice(20)}`);
  const change = (n: number) => `<a href="/issue/${n}">#${1000 + dice(9000)}</a>`;
  const changes = releases.map(() => many(1 + dice(5), change));
  const shapes = [
    () =>
      releases
        .map((release, n) => `<h2>${release}</h2><ul>${items(changes[n] ?? [])}</ul>`)
        .join("\n"),
    () =>
      `<ul>${items(releases.map((release) => `<a href="/r/${release}">${release}</a> (${2000 + dice(30)}-0${1 + dice(9)}-1${dice(9)})`))}</ul>`,
    () =>
      `<table>${rows(releases.map((release, n) => [`<a href="/r/${release}">${release}</a>`, (changes[n] ?? []).join(" ")]))}</table>`,
  ];
  return {
    html: `<h1>Releases</h1><p>${sentences(dice, dice(12))}</p>${shapes[dice(shapes.length)]?.()}`,
    asked: releases,
  };
}

function makeWarnings(dice: Dice): MadePage {
  const warnings = many(1 + dice(4), () => `Never ${word(dice)} the ${name(dice)}`);
  const shapes = [
    (text: string) => `<aside>${text}.</aside>`,
    (text: string) => `<aside class=admonition><p class=title>Warning<p>${text}.</aside>`,
    (text: string) => `<div role=note><b>Warning</b> ${text}.</div>`,
    (text: string) => `<div role=alert>${text}. <a href=/a>More</a></div>`,
    (text: string) =>
      `<aside><h4>See also</h4><ul>${items([...links(dice, 3, "see"), text])}</ul></aside>`,
  ];
  return {
    html: `<h1>${word(dice)}</h1>${warnings
      .map((text) => `<p>${sentences(dice, 1 + dice(6))}</p>${shapes[dice(shapes.length)]?.(text)}`)
      .join("\n")}<p>${sentences(dice, 3)}</p>`,
    asked: warnings,
  };
}
