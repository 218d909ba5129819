import { expect, test } from "bun:test";
import fc from "fast-check";
import { cutBytes, toPages } from "../../../src/tools/web/text-pages.ts";

const text = fc
  .array(fc.constantFrom("a", "é", "世", "😀", " ", "\n", "\n\n"))
  .map((s) => s.join(""));

test("toPages() gives pages that are the text, none empty or too long, no character halved", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), (whole, size) => {
      const pages = toPages(whole, size);
      expect(pages.join("")).toBe(whole);
      for (const page of pages) {
        expect(page.length).toBeWithin(1, size + 1);
        if (size > 1) expect(page.isWellFormed()).toBe(true);
      }
    }),
  );
});

test("cutBytes() gives the longest beginning that fits, on a character", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 60 }), (whole, maxBytes) => {
      const cut = cutBytes(whole, maxBytes);
      expect(whole.startsWith(cut) && cut.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxBytes);
      const next = String.fromCodePoint(whole.codePointAt(cut.length) ?? 0);
      if (cut !== whole) expect(Buffer.byteLength(cut + next)).toBeGreaterThan(maxBytes);
    }),
  );
});
