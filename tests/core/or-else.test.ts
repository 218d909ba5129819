import { expect, test } from "bun:test";
import { hasCode, orElse } from "../../src/core/app-error.ts";

test("orElse() gives the other only for a failure that is expected, and throws on every other", () => {
  const failing = (code: string) => () => {
    throw Object.assign(new Error(code), { code });
  };
  const isExpected = hasCode("ENOENT", "EEXIST");
  const fate = (work: () => string) => {
    try {
      return orElse(work, isExpected, (error) => `instead of ${String(error)}`);
    } catch (error) {
      return `thrown ${String(error)}`;
    }
  };
  expect(fate(() => "done")).toBe("done");
  expect(fate(failing("ENOENT"))).toBe("instead of Error: ENOENT");
  expect(fate(failing("EEXIST"))).toBe("instead of Error: EEXIST");
  for (const code of ["EACCES", "ENOEN", "", "SQLITE_BUSY"]) {
    expect(fate(failing(code))).toBe(code === "" ? "thrown Error" : `thrown Error: ${code}`);
  }
  expect(
    fate(() => {
      throw new TypeError("a defect");
    }),
  ).toBe("thrown TypeError: a defect");
  const again = () => orElse(failing("ENOENT"), isExpected, failing("EIO"));
  expect(again).toThrow("EIO");
});
