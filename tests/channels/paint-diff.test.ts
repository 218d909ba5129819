import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { paintDiff } from "../../src/channels/paint-diff.ts";
import { measureEffort } from "../support/effort.ts";
import { runs } from "../support/long.ts";

const [RED, GREEN, END] = ["\x1b[31m", "\x1b[32m", "\x1b[0m"];
const [TURNED, UPRIGHT] = ["\x1b[7m", "\x1b[27m"];
const CODES = new RegExp(String.raw`\x1b\[(?:0|1|7|27|31|32|36)m`, "g");

function paint(...lines: string[]): readonly string[] {
  const removed = lines.filter((line) => !/^[+\\]/.test(line)).length;
  const added = lines.filter((line) => !/^[-\\]/.test(line)).length;
  return paintDiff([`@@ -1,${removed} +1,${added} @@`, ...lines].join("\n"))
    .split("\n")
    .slice(1);
}

test("paintDiff() turns round what differs in lines that took each other's place", () => {
  expect(paint("-const a = 1;", "+const a = 2;")).toEqual([
    `${RED}-const a = ${TURNED}1${UPRIGHT};${END}`,
    `${GREEN}+const a = ${TURNED}2${UPRIGHT};${END}`,
  ]);
  expect(paint("-return total;", "+return total + 1;")).toEqual([
    `${RED}-return total;${END}`,
    `${GREEN}+return total${TURNED} + 1${UPRIGHT};${END}`,
  ]);
});

test("paintDiff() cuts no word in two, and no emoji", () => {
  expect(paint("-let counter = many words", "+let counted = many words")).toEqual([
    `${RED}-let ${TURNED}counter${UPRIGHT} = many words${END}`,
    `${GREEN}+let ${TURNED}counted${UPRIGHT} = many words${END}`,
  ]);
  expect(paint("-all is well 😀 here", "+all is well 😁 here")[0]).toBe(
    `${RED}-all is well ${TURNED}😀${UPRIGHT} here${END}`,
  );
});

test("paintDiff() turns nothing where little is the same, or lines come and go", () => {
  expect(paint("-abc", "+xyz")).toEqual([`${RED}-abc${END}`, `${GREEN}+xyz${END}`]);
  expect(paint("-let a = 1;", "+let a = 2;", "+let b;")[0]).toBe(`${RED}-let a = 1;${END}`);
});

test("paintDiff() takes a line that begins like a head for what it is", () => {
  expect(paint("--- a comment of SQL", "++++ b", " @@ c")).toEqual([
    `${RED}--- a comment of SQL${END}`,
    `${GREEN}++++ b${END}`,
    " @@ c",
  ]);
});

test("paintDiff() changes no character, and ends every colour in its line", () => {
  const line = fc.tuple(
    fc.constantFrom("", "+", "-", " ", "\\ ", "@@ -1,3 +1,2 @@", "--- ", "+++ ", "diff "),
    fc.string({
      unit: fc.constantFrom("a", "b", " ", "=", ";", "(", "é", "中", "😀", "e\u0301"),
      maxLength: 12,
    }),
  );
  const diff = fc.array(line.map(([sign, text]) => sign + text)).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(diff, (text) => {
      const painted = paintDiff(text);
      expect(painted.replaceAll(CODES, "")).toBe(text);
      for (const each of painted.split("\n")) {
        expect(each.split(TURNED).length).toBe(each.split(UPRIGHT).length);
        if (each.includes("\x1b")) expect(each).toEndWith(END);
      }
    }),
    { numRuns: runs(300, 20_000) },
  );
});

test("paintDiff() takes a hunk of a million lines", () => {
  const count = 1_000_000;
  const painted = paintDiff(`@@ -0,0 +1,${count} @@${"\n+x".repeat(count)}`).split("\n");
  expect(painted).toHaveLength(1 + count);
  expect(painted.at(-1)).toBe(`${GREEN}+x${END}`);
});

test("paintDiff() does work in proportion to a line of one word, and to a hunk of many runs", () => {
  const word = "a".repeat(1900);
  const effort = measureEffort();
  for (let pair = 0; pair < 100; pair++) paint(`-${word} x1`, `+${word} x2`);
  paint(...Array.from({ length: 60_000 }, (_, at) => ["-a", "+b", " c"][at % 3] ?? ""));
  expect(effort()).toBeLessThan(100); // 10; 700 where each line is gone over again and again
});
