import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createPasteFilter, fromShown } from "../../src/cli/chat/paste.ts";

const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

describe("createPasteFilter()", () => {
  test("makes a paste part of the one line, and leaves keys alone", () => {
    const filter = createPasteFilter();
    expect(filter("a\r\x1b[A\x03\x1b")).toBe("a\r\x1b[A\x03\x1b");
    expect(filter(`x${paste("one\r\n\ttwo\rthree\n")}y\r`)).toBe("xone⏎⇥two⏎threey\r");
  });

  test("lets nothing pasted command the terminal or the line editor", () => {
    expect(createPasteFilter()(paste("a\x1b[201\x1b[31mred\x03\x04\x15\x07b"))).toBe(
      "a[201[31mredb",
    );
  });

  test("gives the same however the bytes are cut", () => {
    const keys = fc.constantFrom(
      "a",
      "я",
      "你",
      "\r",
      "\x1b[A",
      paste("x\r\ty"),
      paste("\x1b[20z"),
      paste(""),
    );
    fc.assert(
      fc.property(fc.array(keys), fc.array(fc.nat(40)), (typed, cuts) => {
        const text = typed.join("");
        const whole = createPasteFilter()(text);
        const filter = createPasteFilter();
        // A start mark comes in one piece or after its third character, as terminals write.
        const places = cuts.filter((at) => !isInKey(text.slice(0, at)));
        const edges = [0, ...places.toSorted((a, b) => a - b), text.length];
        const pieces = edges.slice(1).map((end, index) => filter(text.slice(edges[index], end)));
        expect(pieces.join("").replaceAll("⏎⏎", "⏎")).toBe(whole.replaceAll("⏎⏎", "⏎"));
      }),
    );
  });
});

function isInKey(before: string): boolean {
  const isInPaste = before.lastIndexOf("\x1b[200~") > before.lastIndexOf("\x1b[201~");
  return !isInPaste && (before.endsWith("\x1b") || before.endsWith("\x1b["));
}

test("fromShown() gives back the line breaks and tabs of a paste", () => {
  const line = createPasteFilter()(paste("if x:\r\n\treturn 1\r\n"));
  expect(fromShown(line)).toBe("if x:\n\treturn 1");
});
