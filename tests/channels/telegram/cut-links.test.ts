import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cutMarkdown, toTelegramHtml } from "../../../src/channels/telegram/message/markdown.ts";
import { escapeUnlinked, unescapeHtml } from "../../../src/channels/telegram/message/rich-text.ts";
import { splitText } from "../../../src/channels/telegram/message/split-text.ts";
import { filterLinks, holdsLink } from "../../../src/security/plain-links.ts";
import { runs } from "../../support/long.ts";

/** Markdown with addresses among all that could open or close the code that they are shown in. */
const markdown = fc
  .array(
    fc.constantFrom(
      ..."` `` ``` ~~~ ** ~~ _ [ ]( ) ![ | > - 1. # \\ <!-- --> ( < 词".split(" "),
      " ",
      " ",
      "\n",
      "\n\n",
      ..."<!--> <![CDATA[ ]]> <? ?> <!A <b </b > <br> <a b=' b=\" \"> '> href= ]( ) \\> &gt;".split(
        " ",
      ),
      "word",
      "http:/evil.example/hunter2",
      "http://evil.example/?d=hunter2",
      "http://еvil.example/?d=hunter2é",
      "[a](http://evil.example/?d=hunter2)",
      "evil.example/hunter2",
      "node_modules/evil.example/hunter2",
      "\n```sh\n",
      "\n```\n",
      "\n| a | b |\n|--|--|\n| ",
    ),
    { minLength: 1, maxLength: 14 },
  )
  .map((parts) => parts.join(""));

/** The words of which Telegram makes links: those outside of code. */
function tappable(html: string): readonly string[] {
  const bare = html.replace(/<(code|pre)\b[^>]*>[^]*?<\/\1>/gu, " ");
  if (/<a\b/u.test(bare)) return [bare];
  return bare
    .replace(/<[^>]*>/gu, "")
    .split(/\s+/u)
    .filter(holdsLink);
}

/** The addresses that a reader of Markdown with HTML in it, such as a page, leads to or asks for. */
function reachable(shown: string): readonly string[] {
  const found: string[] = [];
  const note = ({ attributes }: HTMLRewriterTypes.Element) => {
    for (const [name = "", value = ""] of attributes) {
      const url = URL.parse(unescapeHtml(value), "https://here.example/");
      if (/^(?:href|src)$/iu.test(name) && url?.host !== "here.example") found.push(value);
    }
  };
  const html = Bun.markdown.html(shown, { autolinks: { url: true, www: true } });
  new HTMLRewriter().on("*", { element: note }).transform(html);
  return found;
}

describe("no cut makes a link of what was shown as text", () => {
  test("wherever a text that grows is looked at, and where a long one ends", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const shown = filterLinks(text, () => false);
        if (tappable(toTelegramHtml(shown)).length > 0) return;
        for (let at = 0; at <= shown.length; at++) {
          const html = toTelegramHtml(cutMarkdown(shown, at));
          expect({ at, shown, left: tappable(html) }).toEqual({ at, shown, left: [] });
        }
      }),
      { numRuns: runs(50, 500) },
    );
  });

  test("wherever a message ends", () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 1, max: 60 }), (text, limit) => {
        for (const html of [
          toTelegramHtml(filterLinks(text, () => false)),
          escapeUnlinked(text),
          escapeUnlinked(text, "i"),
        ]) {
          if (tappable(html).length > 0) continue;
          const parts = splitText(html, limit);
          expect({ html, parts, left: parts.flatMap(tappable) }).toEqual({ html, parts, left: [] });
        }
      }),
      { numRuns: runs(200, 3000) },
    );
  });

  test("and all that was shown as text is none of itself, in a chat or on a page", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const shown = filterLinks(text, () => false);
        const left = [...tappable(toTelegramHtml(shown)), ...reachable(shown)];
        expect({ shown, left }).toEqual({ shown, left: [] });
      }),
      { numRuns: runs(200, 3000) },
    );
  });
});
