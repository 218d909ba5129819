import { describe, expect, test } from "bun:test";
import { cleanQuery } from "../../src/research/clean-query.ts";
import { createRedactor } from "../../src/security/redact/redact.ts";

const redactor = createRedactor();
redactor.add("hunter2-hunter2");
redactor.add("two\nlines of it");

describe("cleanQuery()", () => {
  test.each([
    ["  how to\n\tpin\u00a0bun \u0000? ", "how to pin bun ?"],
    ["fails with hunter2-hunter2 in x", "fails with [secret] in x"],
    ["hunt\u200ber2-hun\u2060ter2", "[secret]"],
    ["a two\nlines of it b", "a [secret] b"],
    ["key sk-abcdefghijklmnopqrstuvwx", "key [secret]"],
    ["почему 👍", "почему 👍"],
    [" \n\u200b ", ""],
  ])("makes one safe line of %j", (given, cleaned) => {
    expect(cleanQuery(given, redactor.redact)).toBe(cleaned);
  });

  test("keeps 400 characters and no half one", () => {
    const cleaned = cleanQuery(`x${"👍".repeat(300)}`, redactor.redact);
    expect(cleaned.length).toBe(399);
    expect(cleaned.isWellFormed()).toBe(true);
  });

  test("masks a secret that the cut would have halved", () => {
    const cleaned = cleanQuery(`${"x".repeat(390)} hunter2-hunter2`, redactor.redact);
    expect(cleaned).not.toContain("hunter");
  });
});
