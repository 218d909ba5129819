import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createLinkFilter, filterLinks } from "../../src/security/plain-links.ts";

/** Nothing to `evil` may be followed, and `look` may be clicked on but never be loaded unasked. */
const mayLink = (href: string, how: "look" | "click") =>
  !href.includes("evil") && !(href.includes("look") && how === "look");

const LINK = "http://evil.example/a";
/** What a text with a link in a block is shown as when the block is in doubt. */
const doubted = (text: string) => text.replace(LINK, `\`\`\`\`${LINK}\`\`\`\``);

describe("filterLinks() changes of a text only the link itself", () => {
  test.each([
    [`[here](${LINK})`, `[here] (\`${LINK}\`)`],
    [`[here](<${LINK}>) and on`, `[here] (\`${LINK}\`) and on`],
    [`[a](${LINK})b.ts`, `[a] (\`${LINK}\`)b.ts`],
    [`see ${LINK}.`, `see \`${LINK}.\``],
    [`**${LINK}**`, `\`**${LINK}**\``],
    [
      "[a](http://evil.example/a)evil.example/?b",
      "[a]`(http://evil.example/a`)``evil.example/?b``",
    ],
    [`[${LINK}](http://evil.example/b)`, `\`[${LINK}\`]\`\`(http://evil.example/b\`\`)`],
    [`"${LINK}"//comment`, `"\`${LINK}\`"//comment`],
    [`a|${LINK}|b`, `a|\`${LINK}\`|b`],
    [`[a]( ${LINK} )`, `[a]( \` ${LINK} \` )`],
    [`[a](< ${LINK}>)`, `[a](< \` ${LINK} \`>)`],
    [`[a]( x ${LINK} )`, `[a]( x \`${LINK}\` )`],
  ])("%j", (text, shown) => {
    expect(filterLinks(text, mayLink)).toBe(shown);
  });

  test.each([
    [`a \` ${LINK}`, `a \` \`\`${LINK}\`\``],
    [`${LINK} ${LINK}`, `\`${LINK}\` \`\`${LINK}\`\``],
    [`[a](${LINK}) ${LINK}`, `[a] (\`${LINK}\`) \`\`${LINK}\`\``],
    [`x\`${LINK}\`y`, `\`\`x'${LINK}'y\`\``],
  ])("with more ticks than any before: %j", (text, shown) => {
    expect(filterLinks(text, mayLink)).toBe(shown);
  });
});

describe("filterLinks() leaves a block of code alone", () => {
  test.each([
    `\`\`\`\n${LINK}\n\`\`\`\n`,
    `\`\`\`sh\n${LINK}\n\`\`\`\n\n\`\`\`\n${LINK}\n\`\`\`\n`,
    `~~~\n\`\`\`\n${LINK}\n~~~\n`,
    `\`\`\`\na \`\`\` ${LINK}\n\`\`\`\n`,
    `a <b>\n\`\`\`\n${LINK}\n\`\`\`\n`,
    `words \n\`\`\`\n  ${LINK}\n\`\`\`\n`,
    `\`\`\`\n<a>\n\`\`\`\n\n\`\`\`\n${LINK}\n\`\`\`\n`,
  ])("%j", (text) => {
    expect(filterLinks(text, mayLink)).toBe(text);
  });

  test("and only to its end", () => {
    const block = `\`\`\`\n${LINK}\n\`\`\`\n`;
    expect(filterLinks(block + LINK, mayLink)).toBe(`${block}\`${LINK}\``);
  });
});

describe("filterLinks() looks into what not every reader takes for a block of code", () => {
  test.each([
    ["behind blanks", `  \`\`\`\n${LINK}\n  \`\`\`\n`],
    ["behind blanks of a later line", `a\n  \`\`\`\n${LINK}\n  \`\`\`\n`],
    ["behind words", `a \`\`\`\n${LINK}\n\`\`\`\n`],
    ["with words behind", `\`\`\`a b\n${LINK}\n\`\`\`\n`],
    ["with more signs", `\`\`\`a!\n${LINK}\n\`\`\`\n`],
    ["after words like a fence", `x \`\`\` y\n\`\`\`\n${LINK}\n\`\`\`\n`],
    ["after HTML", `<b>\n\`\`\`\n${LINK}\n\`\`\`\n`],
    ["after HTML behind blanks", `a\n <b>\n\`\`\`\n${LINK}\n\`\`\`\n`],
    ["after an end behind blanks", `\`\`\`\na\n \`\`\`\n\`\`\`\n${LINK}\n\`\`\`\n`],
    ["after an end with words", `\`\`\`\na\n\`\`\`x\n\`\`\`\n${LINK}\n\`\`\`\n`],
    ["after an end with a blank", `\`\`\`\na\n\`\`\` \n\`\`\`\n${LINK}\n\`\`\`\n`],
  ])("%s", (_, text) => {
    expect(filterLinks(text, mayLink)).toBe(doubted(text));
  });

  test("after an end that is shorter than the beginning", () => {
    const text = `\`\`\`\`\n\`\`\`\n${LINK}\n`;
    expect(filterLinks(text, mayLink)).toBe(text.replace(LINK, `\`${LINK}\``));
  });
});

describe("filterLinks() asks whether an address may be loaded unasked", () => {
  const look = "http://look.example/a";
  test.each([
    [`![p](x) ${look}`, `![p](x) \`${look}\``],
    [`![p](x)\n${look}`, `![p](x)\n\`${look}\``],
    [`[p]: x\n${look}`, `[p]: x\n\`${look}\``],
    [`<IMG src=x ${look}`, `<IMG src=x \`${look}\``],
    [`![p](x)\n\n${look}`, `![p](x)\n\n${look}`],
    [`[p](x) ${look}`, `[p](x) ${look}`],
  ])("to the end of a paragraph with a picture: %j", (text, shown) => {
    expect(filterLinks(text, mayLink)).toBe(shown);
  });
});

describe("a word longer than a channel reads", () => {
  test.each([
    [8191, 0],
    [8192, 0],
    [8193, 1],
    [16_384, 1],
    [16_385, 2],
  ])("of %i characters is parted %i times, in a text and at its end", (length, times) => {
    const word = "b".repeat(length);
    for (const text of [word, `${word} end`, `a ${word}\nend`]) {
      const shown = filterLinks(text, mayLink);
      expect(shown.split(" ").length - text.split(" ").length).toBe(times);
      expect(shown.replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    }
  });

  test("is parted alike however it comes", () => {
    const piece = fc.constantFrom("b".repeat(8190), "[a](", LINK, ") ", "\n```\n", "\n", "  ", "c");
    const pieces = fc.array(piece, { maxLength: 12 });
    fc.assert(
      fc.property(pieces, (all) => {
        const filter = createLinkFilter(mayLink);
        const streamed = all.map((each) => filter.add(each)).join("") + filter.end();
        expect(streamed).toBe(filterLinks(all.join(""), mayLink));
      }),
      { numRuns: 200 },
    );
  });
});
