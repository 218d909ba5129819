import { expect, test } from "bun:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { convert } from "html-to-text";
import { htmlToText, readHtml } from "../../src/http/html-to-text/html-to-text.ts";
import { runs } from "../support/long.ts";
import { listFacts, listLost } from "./page-facts.ts";
import { PAGE_KINDS } from "./page-kinds.ts";

const COUNT = runs(15, 100);

/** What readers of a page get of it: what was asked for and lost, facts lost, tokens. */
async function judge(make: (n: number) => { html: string; asked: readonly string[] }) {
  const sums = { facts: 0, lost: 0, peerLost: 0, tokens: 0, peerTokens: 0 };
  const missing: string[] = [];
  for (let n = 1; n <= COUNT; n += 1) {
    const { html, asked } = make(n);
    const text = await htmlToText(html, { baseUrl: "https://site.example/a/b" });
    const peer = convert(html);
    const facts = listFacts(html);
    const flat = text.replace(/\s+/gu, " ");
    missing.push(...asked.filter((each) => !flat.includes(each)).map((each) => `${n}: ${each}`));
    sums.facts += facts.length;
    sums.lost += listLost(facts, text).length;
    sums.peerLost += listLost(facts, peer).length;
    sums.tokens += countTokens(text);
    sums.peerTokens += countTokens(peer);
  }
  return { ...sums, missing };
}

test.each(Object.entries(PAGE_KINDS))(
  "htmlToText() keeps what is asked of pages of the kind %s, and their facts",
  async (_kind, make) => {
    const { facts, lost, peerLost, tokens, peerTokens, missing } = await judge(make);
    expect(missing).toEqual([]);
    expect(lost).toBeLessThanOrEqual(Math.min(0.01 * facts, peerLost + 0.002 * facts));
    expect(tokens).toBeLessThan(0.75 * peerTokens);
    expect(facts).toBeGreaterThan(10 * COUNT);
  },
);

test("readHtml() has every word of a page in its text or in what it left out", async () => {
  for (const make of Object.values(PAGE_KINDS)) {
    for (let n = 1; n <= COUNT; n += 1) {
      const { html } = make(n);
      const { text, navigation } = await readHtml(html, {});
      const known = new Set(wordsOf(`${text} ${navigation}`));
      const body = html
        .replace(/<(title|style|script)>[^]*?<\/\1>/gu, " ")
        .replace(/<[^>]*>/gu, " ");
      expect(wordsOf(body).filter((word) => !known.has(word))).toEqual([]);
      expect(wordsOf(body).length).toBeGreaterThan(20);
    }
  }
});

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

test("listLost() sees what is lost of a page", () => {
  const html = "<main><ul><li>a <b>bc</b><li>d</ul><pre>e = f</pre><aside>g</aside></main>";
  const facts = listFacts(`<nav><li>x</nav><footer><ul><li><a>y</ul>z</footer>${html}`);
  expect(facts.map(({ pieces }) => pieces.join(" "))).toEqual(["z", "a bc", "d", "e=f", "g"]);
  const lost = listLost(facts, "A (/x) bc\n```e=f```");
  expect(lost.map(({ pieces }) => pieces.join(" "))).toEqual(["z", "d", "g"]);
});
