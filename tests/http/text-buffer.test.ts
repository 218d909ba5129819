import { expect, test } from "bun:test";
import { createTextBuffer } from "../../src/http/html-to-text/text-buffer.ts";

/** One whose flushed text is in `text()`, and what it left out in `gone`. */
function openBuffer() {
  const flushed: string[] = [];
  const gone: string[] = [];
  const buffer = createTextBuffer({
    write: (piece) => void flushed.push(piece),
    leaveOut: ({ kind }, piece) => gone.push(`${kind}: ${piece}`),
  });
  return { buffer, gone, text: () => flushed.join("") };
}

test("createTextBuffer() passes on what is before a place, and knows how much waits behind it", () => {
  const { buffer, gone, text } = openBuffer();
  const seen: (readonly [string, number])[] = [];
  const flush = (until: number) => {
    buffer.flush(until);
    seen.push([text(), buffer.pendingLength()]);
  };
  for (const piece of ["\na", "bb", "ccc", "dddd", "\n"]) buffer.push(piece);
  expect([buffer.position(), buffer.pendingLength(), buffer.endsLine()]).toEqual([5, 12, true]);
  flush(1);
  flush(1);
  buffer.push("e");
  buffer.leaveOut(4, { omission: MENU });
  flush(3);
  buffer.push("f");
  flush(7);
  expect(seen).toEqual([
    ["a", 10],
    ["a", 10],
    ["abbccc", 6],
    ["abbcccddddf", 0],
  ]);
  expect([buffer.position(), buffer.endsLine(), ...gone]).toEqual([7, false, "menu: \ne"]);
});

test("createTextBuffer() passes on no blank before the first word, whatever comes in pieces", () => {
  const { buffer, gone, text } = openBuffer();
  buffer.push("\n");
  buffer.flush(1);
  buffer.push("\n a");
  buffer.push("\nb");
  buffer.leaveOut(2, { omission: MENU });
  // What begins at the place itself is behind it.
  buffer.flush(2);
  buffer.flush(0);
  expect([text(), gone, buffer.pendingLength()]).toEqual(["a", [], 2]);
  buffer.push("\nc");
  buffer.flush(4);
  expect([text(), gone]).toEqual(["a\nc", ["menu: \nb"]]);
});

test("createTextBuffer() writes nothing where there is nothing", () => {
  const written: string[] = [];
  const buffer = createTextBuffer({ write: (piece) => written.push(piece), leaveOut() {} });
  for (const piece of ["", " ", "\n"]) buffer.push(piece);
  buffer.flush(3);
  expect(written).toEqual([]);
});

test("createTextBuffer() takes back what it is told to, and leaves the rest out once", () => {
  const { buffer, gone, text } = openBuffer();
  for (const piece of ["a", " b", " c", " d", " e"]) buffer.push(piece);
  buffer.leaveOut(1, { omission: { ...MENU, kind: "address" }, to: 2, text: "B" });
  buffer.leaveOut(3, { omission: { ...MENU, kind: "notice" }, to: 4 });
  buffer.leaveOut(2, { omission: MENU, to: 4 });
  buffer.takeBack(["address"]);
  buffer.flush(5);
  expect([text(), gone]).toEqual(["a b e", ["menu:  c d"]]);
});

const MENU = { kind: "menu", menus: 1, links: 3 } as const;
