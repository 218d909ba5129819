import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { type Inside, readLine } from "../../../src/cli/screen/diff/code-pieces.ts";
import { renderDiff } from "../../../src/cli/screen/diff/diff.ts";
import { languageOf, FILES as NAMES } from "../../../src/cli/screen/diff/language-of.ts";
import { looksFor } from "../../../src/cli/screen/diff/looks.ts";
import { toPrintableText, toTerminalText } from "../../../src/core/visible-text.ts";
import { measureEffort } from "../../support/effort.ts";
import { runs } from "../../support/long.ts";

const [RED, GREEN, CYAN, MAGENTA, END] = [31, 32, 36, 35, 0].map((code) => `\x1b[${code}m`);
const DIM = "\x1b[2m";

/** Environments of terminals: colours of its own, and many on either ground. */
const TERMINALS = {
  "of which nothing is known": { TERM: "xterm" },
  "that is dark": { TERM: "xterm-256color", COLORFGBG: "15;0" },
  "that is light": { TERM: "xterm-256color", PAPAYU_BACKGROUND: "light" },
} as const;

/** A file of every language. */
const FILES = Object.values(NAMES).map((ends) => `x.${ends.split(" ")[0]}`);

/** The lines of a hunk that takes the place of a whole file. */
function paint(file: string, ...lines: readonly string[]): readonly string[] {
  const [removed, added] = [/^[- ]/, /^[+ ]/].map(
    (sign) => lines.filter((line) => sign.test(line)).length,
  );
  const head = [`--- a/${file}`, `+++ b/${file}`, `@@ -1,${removed} +1,${added} @@`];
  return renderDiff([...head, ...lines, ""].join("\n"), { TERM: "xterm" })
    .split("\n")
    .slice(3, -1);
}

/** What each line of a file comes to, as `kind:text`, without what is plain. */
function kindsOf(file: string, ...lines: readonly string[]): readonly (readonly string[])[] {
  const language = languageOf(file);
  if (!language) throw new Error(`no language for ${file}`);
  let inside: Inside;
  return lines.map((line) => {
    const read = readLine(line, language, inside);
    inside = read.inside;
    const starts = [0, ...read.pieces.map(({ end }) => end)];
    return read.pieces.flatMap(({ end, kind }, index) =>
      kind === undefined ? [] : [`${kind}:${line.slice(starts[index], end)}`],
    );
  });
}

describe("readLine()", () => {
  test.each([
    ["a.ts", "const a = 'x' // y", ["keyword:const", "string:'x'", "comment:// y"]],
    [
      "a.ts",
      "return /['\"/*]/.test(a1) / 2",
      ["keyword:return", "string:/['\"/*]/", "function:test", "number:2"],
    ],
    ["a.ts", "new Map<string>(LIMIT)", ["keyword:new", "type:Map", "keyword:string"]],
    ["a.py", "def f(x): # 'y'", ["keyword:def", "function:f", "comment:# 'y'"]],
    [
      "a.rs",
      "fn f<'a>(x: &'a str) -> char { '\\n' }",
      ["keyword:fn", "keyword:str", "keyword:char", "string:'\\n'"],
    ],
    ["a.sh", 'echo "$HOME"#x # done', ["keyword:echo", 'string:"$HOME"', "comment:# done"]],
    ["a.sql", "select 'a' -- b", ["keyword:select", "string:'a'", "comment:-- b"]],
    [
      "a.json",
      '{"a": true, "b": -1.5e3}',
      ['name:"a"', "keyword:true", 'name:"b"', "number:1.5e3"],
    ],
    ["a.yaml", "url: http://x.example/#a # c", ["name:url", "comment:# c"]],
    ["a.html", '<p class="x">don\'t</p>', ["keyword:p", "name:class", 'string:"x"', "keyword:p"]],
    ["a.css", "  margin-top: 2px; /* x */", ["name:margin-top", "number:2px", "comment:/* x */"]],
    ["a.md", "Don't `run` it", ["string:`run`"]],
    ["Dockerfile", "FROM x # y", ["keyword:FROM", "comment:# y"]],
  ])("of %s: %s", (file, line, kinds) => {
    expect(kindsOf(file, line)).toEqual([kinds]);
  });

  test("goes on with what the line before did not end", () => {
    expect(kindsOf("a.ts", "a /* b", "c", "d */ if", "`e", "f` if")).toEqual([
      ["comment:/* b"],
      ["comment:c"],
      ["comment:d */", "keyword:if"],
      ["string:`e"],
      ["string:f`", "keyword:if"],
    ]);
    expect(kindsOf("a.html", "<p", 'id="x">', '"y"')).toEqual([
      ["keyword:p"],
      ["name:id", 'string:"x"'],
      [],
    ]);
  });

  test("takes a quote that nothing ends in its line for no string", () => {
    expect(kindsOf("a.ts", "// it's", "don't if", "if")).toEqual([
      ["comment:// it's"],
      ["keyword:if"],
      ["keyword:if"],
    ]);
  });

  test("knows the midst of a comment whose beginning is not in the hunk", () => {
    expect(kindsOf("a.ts", " * if it's", " */ if")).toEqual([
      ["comment: * if it's"],
      ["comment: */", "keyword:if"],
    ]);
  });

  const unit = fc.constantFrom(
    ..."aZ_$0. \t'\"`/*\\#-<>=:;([{}])!%".split(""),
    "if",
    "//",
    "/*",
    "*/",
    '"""',
    "<!--",
    "-->",
    "--[[",
    "]]",
    "é",
    "中",
    "😀",
    "\u0301",
    "\ud800",
  );
  const line = fc.string({ unit, maxLength: 40 });

  test("gives every character once and in order, of any line in any language", () => {
    const inside = fc.constantFrom<Inside>(
      undefined,
      { kind: "comment", close: "*/" },
      { kind: "string", close: '"""' },
      { kind: "element" },
    );
    fc.assert(
      fc.property(fc.constantFrom(...FILES), line, inside, (file, text, first) => {
        const language = languageOf(file);
        if (!language) throw new Error(file);
        const ends = readLine(text, language, first).pieces.map(({ end }) => end);
        expect(ends).toEqual(ends.toSorted((a, b) => a - b));
        expect(new Set(ends).size).toBe(ends.length);
        expect(ends.at(-1) ?? 0).toBe(text.length);
      }),
      { numRuns: runs(1000, 50_000) },
    );
  });

  test.each(["'", '"\\', "`", "/[", "/*", "<a ", "a:", "𝐀", "--[[", "#<", "a="])(
    "costs in proportion to its length a line of %s",
    (piece) => {
      const text = piece.repeat(20_000 / piece.length);
      for (const file of ["x.ts", "x.py", "x.vue", "x.yaml", "x.lua", "x.md"]) {
        const language = languageOf(file);
        if (!language) throw new Error(file);
        const effort = measureEffort();
        readLine(text, language, undefined);
        expect(effort(), file).toBeLessThan(MOST_EFFORT);
      }
    },
  );
});

/** Of a line of 20,000 characters; looking at each of them for each of them is hundreds. */
const MOST_EFFORT = 100;

describe("renderDiff()", () => {
  test("keeps what was removed red and what was added green, with the code in it", () => {
    expect(paint("a.ts", "-return 1; // x", "+if (a) {}", " b('c')")).toEqual([
      `${RED}-${END}${MAGENTA}return${END}${RED} ${END}${CYAN}1${END}${RED}; ${END}${RED}${DIM}// x${END}`,
      `${GREEN}+${END}${MAGENTA}if${END}${GREEN} (a) {}${END}`,
      ` b(${CYAN}'c'${END})`,
    ]);
  });

  test("turns round what differs, in the colour of its line", () => {
    const [removed] = paint("a.ts", "-let a = 'one'; b();", "+let a = 'two'; b();");
    expect(removed).toBe(
      `${RED}-${END}${MAGENTA}let${END}${RED} a = ${END}${CYAN}'${END}${RED}\x1b[7mone${END}${CYAN}'${END}${RED}; b();${END}`,
    );
  });

  test("reads each side by itself: what a removed line opens is not open in an added one", () => {
    const [, added, same] = paint("a.ts", "-/* a", "+b = 1", " c */");
    expect(added).toBe(`${GREEN}+b = ${END}${CYAN}1${END}`);
    expect(same).toBe(" c */");
  });

  test("begins anew with each hunk and each file, and leaves what it does not know", () => {
    const diff = ["+++ b/a.ts", "@@ -0,0 +1,1 @@", "+/* a", "@@ -9,0 +9,1 @@", "+b"];
    const other = ["--- a/a.bin", "+++ b/a.bin", "@@ -0,0 +1,1 @@", "+if 'x'"];
    const lines = renderDiff([...diff, ...other].join("\n"), {}).split("\n");
    expect(lines[4]).toBe(`${GREEN}+b${END}`);
    expect(lines.at(-1)).toBe(`${GREEN}+if 'x'${END}`);
  });

  test("leaves the end of a line of another kind, and spells it out where it is all that differs", () => {
    expect(paint("a.txt", "+x\r", " y\r")).toEqual([`${GREEN}+x${END}\r`, " y\r"]);
    expect(paint("a.txt", "-x", "+x\r")[1]).toBe(`${GREEN}+x${END}${GREEN}\x1b[7m\r${END}`);
  });

  test("leaves a line that no person wrote in the colour of its sign", () => {
    const line = `+${"if (a) 'b';".repeat(100_000)}`;
    expect(paint("a.min.js", line)).toEqual([GREEN + line + END]);
  });

  const unit = fc.constantFrom(
    ..."ab01 .'\"`/*\\#-+<>=:;({[@".split(""),
    "if",
    "/*",
    "*/",
    "é",
    "中",
    "😀",
    "\x1b[31m",
    "\x1b]0;x\x07",
    "\u202e",
    "\r",
    "\x9b2J",
  );
  const text = fc.string({ unit, maxLength: 16 });
  const head = fc.constantFrom("--- a/x.ts", "+++ b/x.py", "+++ /dev/null", "@@ -1,3 +1,2 @@");
  const row = fc
    .tuple(fc.constantFrom("+", "-", " ", "\\ ", ""), text)
    .map((pair) => pair.join(""));
  const diff = fc.array(fc.oneof({ weight: 3, arbitrary: row }, head), { maxLength: 20 });

  test.each(Object.entries(TERMINALS))(
    "on a terminal %s loses and adds no character, ends each look in its line, and obeys nothing",
    (_, env) => {
      fc.assert(
        fc.property(diff, (lines) => {
          const source = lines.join("\n");
          const painted = renderDiff(source, env);
          expect(painted.replaceAll(OWN, "")).toBe(toPrintableText(source));
          // What is written to a terminal lets these colours through, and nothing else.
          // But for the end of a line that is all that differs, which is spelled out there.
          expect(toTerminalText(painted).replaceAll("\\u{d}", "\r")).toBe(
            painted.replaceAll("\\u{d}", "\r"),
          );
          for (const each of painted.split("\n")) {
            expect(each.match(OWN)?.at(-1) ?? END).toBe(END);
          }
        }),
        { numRuns: runs(300, 20_000) },
      );
    },
  );
});

const OWN = new RegExp(String.raw`\x1b\[[0-9;]+m`, "g");

describe("looksFor()", () => {
  test.each([
    ["one that says nothing", {}, false],
    ["16 colours, whatever the ground", { TERM: "xterm", COLORFGBG: "15;0" }, false],
    ["256 on a ground that is not known", { TERM: "xterm-256color" }, false],
    ["256 on one that it names", { TERM: "xterm-256color", COLORFGBG: "0;15" }, true],
    ["with the colour between", { TERM: "xterm-kitty", COLORFGBG: "15;default;0" }, true],
    ["one that a person names", { COLORTERM: "truecolor", PAPAYU_BACKGROUND: "dark" }, true],
    ["a name that is none", { COLORTERM: "truecolor", PAPAYU_BACKGROUND: "blue" }, false],
    ["rubbish", { COLORTERM: "truecolor", COLORFGBG: "\x1b[31m;0;99" }, false],
  ])("paints grounds only where they are known: %s", (_, env, hasGround) => {
    expect(looksFor(env).line["+"].includes("48;5")).toBe(hasGround);
  });

  test("has no ground on which a word is hard to read", () => {
    for (const background of ["dark", "light"]) {
      const env = { COLORTERM: "truecolor", PAPAYU_BACKGROUND: background };
      const { line, kinds, turned } = looksFor(env);
      const looks = (["-", "+"] as const).flatMap((sign) =>
        [line[sign], turned[sign]].concat(Object.values(kinds[sign])),
      );
      for (const look of looks) expect(contrastOf(look), JSON.stringify(look)).toBeGreaterThan(4.5);
    }
  });
});

/** Of a word's colour on its ground, as WCAG 2 has it. */
function contrastOf(look: string): number {
  const [, ground, word] = /48;5;(\d+);38;5;(\d+)m/.exec(look) ?? [];
  const [dark = 0, light = 0] = [Number(ground), Number(word)]
    .map(lightOf)
    .toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function lightOf(color: number): number {
  const steps = [0, 95, 135, 175, 215, 255];
  const at = color - 16;
  const parts =
    color >= 232
      ? [1, 1, 1].map(() => 8 + (color - 232) * 10)
      : [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((each) => steps[each] ?? 0);
  const [red = 0, green = 0, blue = 0] = parts
    .map((each) => each / 255)
    .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
