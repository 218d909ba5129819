import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { joinEdit, toEdit } from "../../src/transaction/stage/edit.ts";

const bytes = fc.uint8Array({ max: 2, maxLength: 40 });

describe("toEdit()", () => {
  test("is joined to what it was made from", () => {
    fc.assert(
      fc.property(bytes, bytes, (before, after) => {
        const edit = Buffer.from(toEdit("hash", before, after));
        const read = (hash: string) => (hash === "hash" ? Buffer.from(before) : undefined);
        expect(joinEdit(edit, read)).toEqual(Buffer.from(after));
      }),
    );
  });

  test("holds no more than the stretch that differs", () => {
    const text = "line\n".repeat(1000);
    const edit = toEdit("hash", Buffer.from(`${text}old${text}`), Buffer.from(`${text}new${text}`));
    expect(Buffer.from(edit).toString()).toBe("hash 5000 5000\nnew");
  });
});

describe("joinEdit()", () => {
  test("knows nothing without the other content", () => {
    expect(joinEdit(Buffer.from("hash 1 1\nx"), () => undefined)).toBeUndefined();
    expect(joinEdit(Buffer.from("damaged"), () => undefined)).toBeUndefined();
  });
});
