import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toPrintableText, toTerminalText, toVisibleText } from "../../src/core/visible-text.ts";
import { anyCharacter } from "../support/any-character.ts";

/** Escapes, bells, C1 controls and what moves the cursor. */
const COMMANDS = ["\x1b[31m", "\x1b]0;title\x07", "\x9b2J", "\x9d", "\b", "\x7f", "\0", "\v"];

describe("toVisibleText()", () => {
  test.each([
    ["bidirectional override", "a\u202eb", "a\\u{202e}b"],
    ["isolate", "\u2066x\u2069", "\\u{2066}x\\u{2069}"],
    ["zero-width space", "a\u200bb", "a\\u{200b}b"],
    ["zero-width joiner", "a\u200db", "a\\u{200d}b"],
    ["byte-order mark", "\ufeffa", "\\u{feff}a"],
    ["soft hyphen", "a\u00adb", "a\\u{ad}b"],
    ["no-break space", "a\u00a0b", "a\\u{a0}b"],
    ["line separator", "a\u2028b", "a\\u{2028}b"],
    ["Hangul filler", "a\u3164b", "a\\u{3164}b"],
    ["blank braille", "a\u2800b", "a\\u{2800}b"],
    ["tag character", "a\u{e0041}b", "a\\u{e0041}b"],
    ["variation selector after a letter", "a\ufe0fb", "a\\u{fe0f}b"],
    ["lone surrogate", "a\ud800b", "a\\u{d800}b"],
    ["carriage return alone", "safe\revil", "safe\\u{d}evil"],
    ["escape", "\x1b[2K", "\\u{1b}[2K"],
  ])("shows a %s", (_name, text, shown) => {
    expect(toVisibleText(text)).toBe(shown);
  });

  test("leaves ordinary text of any script alone", () => {
    const text = "Tab\t, CRLF\r\n, привет, 你好\u3000世界, ❤️, 🙂, é, ﷽ → ✓\n";
    expect(toVisibleText(text)).toBe(text);
  });

  test("leaves nothing hidden, and nothing of what is shown is lost", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(toVisibleText(toVisibleText(text))).toBe(toVisibleText(text));
      }),
    );
  });
});

describe("toPrintableText()", () => {
  test.each(COMMANDS)("disarms %j", (command) => {
    const shown = toPrintableText(`a${command}b`);
    expect(shown).toStartWith("a\\u{");
    expect(/[^\P{Cc}\n\t]/u.test(shown)).toBe(false);
  });

  test("leaves lines, tabs, CRLF and joined emoji alone", () => {
    const text = "a\tb\r\nc\n👩‍👩‍👧 👩🏽‍🚒 ❤️ 1️⃣ 葛\u{e0100} می‌خواهم क्‍ष\u00a0x\u3000y";
    expect(toPrintableText(text)).toBe(text);
    expect(toPrintableText("a\rb")).toBe("a\\u{d}b");
  });

  test("cuts no emoji that comes in pieces", () => {
    expect(["👩‍", "👩", "\ufe0f!"].map(toPrintableText).join("")).toBe("👩‍👩️!");
  });

  test.each([
    "\u202e",
    "\u2066",
    "\u200b",
    "\u200f",
    "\ufeff",
    "\u00ad",
    "\u3164",
    "\u2028",
    "\u{e0041}",
    "\ud800",
  ])("shows %j", (hidden) => {
    expect(toPrintableText(`pay${hidden}pal`)).toMatch(/^pay\\u\{[0-9a-f]+\}pal$/u);
  });

  test.each(["\u200c", "\u200d", "\ufe0f"])(
    "shows %j between letters that do not join",
    (hidden) => {
      expect(toPrintableText(`pay${hidden}pal`)).toMatch(/^pay\\u\{[0-9a-f]+\}pal$/u);
    },
  );
});

describe("toTerminalText()", () => {
  test("leaves our own colours and nothing else", () => {
    expect(toTerminalText("\x1b[32m+a\x1b[0m")).toBe("\x1b[32m+a\x1b[0m");
    expect(toTerminalText("\x1b[8mhidden\x1b[0m")).toBe("\\u{1b}[8mhidden\x1b[0m");
    expect(toTerminalText("\x1b[1;8mhidden\x1b[2J")).toBe("\\u{1b}[1;8mhidden\\u{1b}[2J");
  });
});
