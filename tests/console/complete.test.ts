import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { knownKeys } from "../../src/config/known-keys.ts";
import { complete } from "../../src/console/pages/settings/complete.ts";
import { runs } from "../support/long.ts";

const KEYS = knownKeys();

/** What is offered at the `|` of a text, and the text with the first of it taken. */
function at(marked: string) {
  const caret = marked.indexOf("|");
  const text = marked.replace("|", "");
  const found = complete(text, caret, KEYS);
  const [first] = found?.offers ?? [];
  const taken =
    found && first !== undefined ? text.slice(0, found.from) + first + text.slice(caret) : text;
  return { offers: found?.offers ?? [], taken };
}

describe("complete()", () => {
  test("offers the tables behind a bracket, those of lists with two, and asks for the names of others", () => {
    expect(at("[ag|").taken).toBe("[agent]");
    expect(at("[[wo|").taken).toBe("[[workspaces]]");
    expect(at("[[routines|").taken).toBe("[[routines.jobs]]");
    expect(at("[prov|").taken).toBe("[providers.");
    expect(at("[mcp|").taken).toBe("[mcp.servers.");
    expect(at("x = 1\n  [tele|\ny = 2").taken).toBe("x = 1\n  [telegram]\ny = 2");
  });

  test("offers the keys of the table above that it lacks, whoever has named it", () => {
    expect(at("[agent]\nmax_tokens_|").taken).toBe("[agent]\nmax_tokens_per_day = ");
    expect(at("[providers.mine]\nmo|").taken).toBe("[providers.mine]\nmodel = ");
    expect(at('[providers."my own"] # x\nbase|').taken).toContain("base_url = ");
    expect(at("[[workspaces]]\nname = 'a'\ncheck_w|").taken).toContain("check_when = ");
    expect(at("[[routines.jobs]]\nsch|").taken).toBe("[[routines.jobs]]\nschedule = ");
    expect(at("agent.max_tokens_|").taken).toBe("agent.max_tokens_per_day = ");
    expect(at("[agent]\nmax_tokens_per_day = 1\nmax_tokens_|").offers).toEqual([]);
    expect(at("[agent]\nmax_tokens_|\nmax_tokens_per_day = 1").offers).toEqual([]);
    expect(at("[trace]\nraw = true\n[agent]\nra|").offers).toEqual([]);
  });

  test("offers the values of a key that has few", () => {
    expect(at("[security]\nautonomy = |").offers).toEqual(['"readonly"', '"supervised"', '"full"']);
    expect(at('[security]\nautonomy = "f|').taken).toBe('[security]\nautonomy = "full"');
    expect(at("[trace]\nenabled = t|").taken).toBe("[trace]\nenabled = true");
    expect(at("[agent]\nmax_tokens_per_day = |").offers).toEqual([]);
  });

  test.each([
    ["within a line", "[agent]\nmax_|_day"],
    ["in a comment", "[agent]\n# max_|"],
    ["in a text of several lines", '[[routines.jobs]]\ntask = """\nsch|'],
    ["in an array of several lines", "[security]\nallowed_commands = [\nsan|\n]"],
    ["in a text of several lines with other quotes", `[[routines.jobs]]\ntask = '''\n"""\nsch|`],
    ["for a key that is there in quotes", '[agent]\n"max_tokens_per_day" = 1\nmax_tokens_|'],
    ["for a table that is there", "[security]\n[securi|"],
    ["in a table that nobody knows", "[nobody]\nmax|"],
    ["where a name that every object has is a table", "[__proto__]\nmax|"],
    ["on an empty line", "[agent]\n|"],
  ])("offers nothing %s", (_, marked) => {
    expect(at(marked).offers).toEqual([]);
  });

  test("offers keys behind a value of several lines, and a list as often as one likes", () => {
    const list = '[security]\nallowed_commands = [\n  "ls", # ]\n]\nsandb|';
    expect(at(list).taken).toContain("\nsandbox = ");
    expect(at("[[workspaces]]\nname = 'a'\n[[work|").taken).toContain("\n[[workspaces]]");
  });

  test("reads a long line of blanks once", () => {
    const text = `[${" ".repeat(50_000)}\n[agent]\nmax_tokens_`;
    expect(complete(text, text.length, KEYS)?.offers).toContain("max_tokens_per_day = ");
  });

  test("puts behind what was typed, and never in its place, wherever somebody types", () => {
    const piece = fc.constantFrom(
      "[",
      "]",
      "\n",
      "a",
      "agent",
      ".",
      "=",
      '"',
      "'",
      " ",
      "#",
      "max_",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(60), (pieces, place) => {
        const text = pieces.join("");
        const caret = Math.min(place, text.length);
        const found = complete(text, caret, KEYS);
        if (!found) return;
        expect(found.offers.length).toBeGreaterThan(0);
        const typed = text.slice(found.from, caret);
        for (const offer of found.offers) expect(offer.startsWith(typed)).toBe(true);
      }),
      { numRuns: runs(300, 20_000) },
    );
  });
});
