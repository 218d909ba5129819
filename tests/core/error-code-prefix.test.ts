import { describe, expect, test } from "bun:test";
import { extractErrorCodePrefix, isErrorCode } from "../../src/core/error-code-prefix.ts";

describe("extractErrorCodePrefix()", () => {
  test.each([
    ["ERR_X: text", "ERR_X"],
    ["LLM_REQUEST_TIMEOUT: no answer: 60 s", "LLM_REQUEST_TIMEOUT"],
    ["ERR_BASE_SHA256_INVALID:text", "ERR_BASE_SHA256_INVALID"],
    ["too_large: Too many messages wait", "too_large"],
    ["  ERR_IO: the disk", "ERR_IO"],
    ["no prefix", ""],
    ["", ""],
    [": ERR_X", ""],
    ["ERR_X", ""],
    ["Note: this is prose", ""],
    ["NOTE: this is prose", ""],
    ["toString: is no code", ""],
    ["Cannot read: ERR_X: later", ""],
  ])("of %j is %j", (text, code) => expect(extractErrorCodePrefix(text)).toBe(code));
});

test("isErrorCode() knows the codes of the table and nothing else", () => {
  const values = ["ERR_IO", "timeout", "ERR_X", "hasOwnProperty", "", 7, undefined];
  expect(values.filter(isErrorCode)).toEqual(["ERR_IO", "timeout"]);
});
