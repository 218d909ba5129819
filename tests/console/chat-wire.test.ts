import { expect, test } from "bun:test";
import { type Block, isKeptEarly, readBlocks } from "../../src/console/pages/chat/wire.ts";

const nested = (deep: number): unknown =>
  Array.from({ length: deep }).reduce<unknown>(
    (inner, _, at) => [
      { kind: "quote", of: [`level${deep - at}`, ...(inner ? [inner].flat() : [])] },
    ],
    undefined,
  );

function wordsOf(blocks: readonly Block[]): string {
  return blocks.map((each) => (typeof each === "string" ? `${each} ` : wordsOf(each.of))).join("");
}

test("no word of a text is lost, however deep it stands, and nothing is drawn endlessly deep", () => {
  for (const deep of [1, 5, 39, 40, 41, 42, 100, 5000]) {
    const words = wordsOf(readBlocks(nested(deep)))
      .trim()
      .split(/ +/u);
    expect(words).toEqual(Array.from({ length: deep }, (_, at) => `level${at + 1}`));
  }
  const depthOf = (blocks: readonly Block[]): number =>
    Math.max(0, ...blocks.map((each) => (typeof each === "string" ? 0 : 1 + depthOf(each.of))));
  expect(depthOf(readBlocks(nested(5000)))).toBeLessThan(50);
});

test("what is no list of blocks is none", () => {
  for (const wrong of [undefined, null, 1, "x", {}]) expect(readBlocks(wrong)).toEqual([]);
  expect(readBlocks([{}, { of: 3 }]).map((each) => typeof each)).toEqual(["object", "object"]);
});

test("what was sent from here is not read as kept before the end of its stream was", () => {
  const [none, sent] = [new Set<string>(), new Set(["a"])];
  expect(isKeptEarly(sent, none, [{ key: "a" }, { key: undefined }])).toBe(false);
  expect(isKeptEarly(sent, none, [])).toBe(true);
  expect(isKeptEarly(sent, none, [{ key: "b" }, { key: undefined }])).toBe(true);
  expect(isKeptEarly(sent, sent, [])).toBe(false);
  expect(isKeptEarly(none, none, [{ key: undefined }])).toBe(false);
});
