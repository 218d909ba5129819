import { expect, test } from "bun:test";
import { toCallText } from "../../src/channels/call-text.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { measureEffort } from "../support/effort.ts";

const texts = textsIn("en").call;

test("toCallText() leaves an ordinary call as it is", () => {
  const shown = 'run_command {\n  "argv": "git commit -m \'x\'"\n}\n\n\nthree lines';
  expect(toCallText(shown, texts)).toEqual({ whole: shown });
});

test.each([
  ["blanks", " ".repeat(5000), "⟨5000 blanks⟩"],
  ["tabs", "\t".repeat(5000), "⟨5000 blanks⟩"],
  ["wide blanks", "\u3000".repeat(5000), "⟨5000 blanks⟩"],
  ["empty lines", "\n".repeat(5000), "⟨4999 empty lines⟩"],
  ["blank lines", " \n".repeat(5000), "⟨4999 empty lines⟩"],
  ["Windows lines", "\r\n".repeat(5000), "⟨4999 empty lines⟩"],
])("toCallText() says how many %s push the rest out of sight", (_name, filler, said) => {
  const { whole, ends } = toCallText(`ls${filler}; rm -rf ~`, texts);
  expect(whole).toContain(said);
  expect(whole).toEndWith("; rm -rf ~");
  expect(whole.length).toBeLessThan(100);
  expect(ends).toBeUndefined();
});

test.each([
  ["bidi override", "safe\u202etxt.exe", "\\u{202e}"],
  ["zero width", "git\u200b push", "\\u{200b}"],
  ["escape sequence", "ls\x1b[2J", "\\u{1b}"],
  ["carriage return", "rm -rf ~\rls", "\\u{d}"],
  ["no-break spaces", "a\u00a0b", "\\u{a0}"],
  ["tag characters", "a\u{e0041}b", "\\u{e0041}"],
])("toCallText() spells out %s", (_name, shown, spelled) => {
  expect(toCallText(shown, texts).whole).toContain(spelled);
});

test("toCallText() shows length and both ends of a long call, and all of it", () => {
  const { whole, ends = "" } = toCallText(`begin ${"x".repeat(5000)} end`, texts);
  expect(whole).toHaveLength(5010);
  expect(ends).toStartWith("5010 characters; it begins:\nbegin xxx");
  expect(ends).toEndWith("xxx end");
  expect(ends).toContain("⟨3610 characters between⟩");
});

test("toCallText() takes a quarter of a megabyte of blanks and line ends without a pause", () => {
  const effort = measureEffort();
  for (const piece of [" ", "\n", " \n", "\r", "\t \n", "a"]) {
    toCallText(`${piece.repeat(250_000 / piece.length)}x`, texts);
  }
  expect(effort()).toBeLessThan(1250);
});
