import { expect, test } from "bun:test";
import fc from "fast-check";
import { maskLines } from "../../../src/daemon/console/mask-lines.ts";
import { createRedactor } from "../../../src/security/redact/redact.ts";
import { runs } from "../../support/long.ts";

const KEY = `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj
MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu
-----END PRIVATE KEY-----`;

test("maskLines() leaves every other line where it is", () => {
  const { redact } = createRedactor();
  const masked = maskLines(`const key = \`${KEY}\`;\nlast\n`, redact);
  const lines = masked.split("\n");
  expect(lines).toHaveLength(6);
  expect(lines[0]).toStartWith("const key = `[secret]");
  expect(lines.slice(-2)).toEqual(["last", ""]);
  expect(masked).not.toContain("MIIE");
  expect(masked).not.toContain("MzEf");
});

test("maskLines() keeps the number of lines of any text, and no part of a secret", () => {
  const { redact, add, holds } = createRedactor();
  add("first line of it!\nsecond line of it");
  const part = fc.oneof(
    fc.constantFrom(KEY, "first line of it!\nsecond line of it", "\n", "a\nb\n", "[secret]"),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      const masked = maskLines(text, redact);
      expect(masked.split("\n")).toHaveLength(text.split("\n").length);
      expect(masked).not.toContain("MzEf");
      expect(holds(masked)).toBe(false);
    }),
    { numRuns: runs(200, 20_000) },
  );
});
