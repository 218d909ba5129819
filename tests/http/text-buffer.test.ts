import { expect, test } from "bun:test";
import { createTextBuffer } from "../../src/http/html-to-text/text-buffer.ts";

test("createTextBuffer() passes on what is before a place, and knows how much waits behind it", () => {
  let text = "";
  const buffer = createTextBuffer((piece) => {
    text += piece;
  });
  const seen: (readonly [string, number])[] = [];
  const flush = (until: number) => {
    buffer.flush(until);
    seen.push([text, buffer.pendingLength()]);
  };
  for (const piece of ["\na", "bb", "ccc", "dddd", "\n"]) buffer.push(piece);
  expect([buffer.position(), buffer.pendingLength(), buffer.endsLine()]).toEqual([5, 12, true]);
  flush(1);
  flush(1);
  buffer.push("e");
  buffer.leaveOut(4);
  flush(3);
  buffer.push("f");
  flush(7);
  expect(seen).toEqual([
    ["a", 10],
    ["a", 10],
    ["abbccc", 6],
    ["abbcccddddf", 0],
  ]);
  expect([buffer.position(), buffer.endsLine()]).toEqual([7, false]);
});
