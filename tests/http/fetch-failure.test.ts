import { describe, expect, test } from "bun:test";
import { toStatusFailure } from "../../src/http/fetch-failure.ts";
import { expectFailure, fetchSite } from "./fetch-support.ts";
import { rawServer } from "./raw-server.ts";

const NOW = Date.UTC(2026, 0, 1);

function answered(status: number, headers: Record<string, string> = {}) {
  return toStatusFailure({ url: "https://a.example/x?key=1", status, headers }, () => NOW);
}

test("toStatusFailure() finds nothing wrong with a success", () => {
  expect(answered(200)).toBeUndefined();
  expect(answered(204)).toBeUndefined();
  expect(answered(299)).toBeUndefined();
  expect(answered(300)).toMatchObject({ code: "unavailable" });
  expect(answered(199)).toMatchObject({ code: "unavailable" });
});

test.each([
  [301, "unavailable", false],
  [400, "invalid_args", false],
  [401, "denied", false],
  [403, "denied", false],
  [404, "not_found", false],
  [410, "not_found", false],
  [408, "timeout", true],
  [413, "too_large", false],
  [418, "unavailable", false],
  [429, "rate_limited", true],
  [500, "unavailable", true],
  [503, "unavailable", true],
  [504, "timeout", true],
])("toStatusFailure() calls status %p %s", (status, code, retryable) => {
  const message = `Cannot fetch "https://a.example/x": the server answered with status ${status}`;
  expect(answered(status)).toMatchObject({ ok: false, code, retryable, message });
});

test.each([
  ["7", 7000],
  ["Thu, 01 Jan 2026 00:01:00 GMT", 60_000],
  ["Thu, 01 Jan 2015 00:00:00 GMT", 0],
  ["soon", undefined],
  ["-5", 0],
])("toStatusFailure() reads Retry-After %p", (value, retryAfterMs) => {
  expect(answered(429, { "retry-after": value })?.retryAfterMs).toBe(retryAfterMs);
});

describe("toFetchFailure() names", () => {
  test.each([
    ["an answer that is no HTTP", "SSH-2.0-OpenSSH_9.6\r\n", "unavailable", false],
    ["headers without end", `HTTP/1.1 200 OK\r\nX: ${"a".repeat(300_000)}`, "too_large", false],
    ["no answer", "", "unavailable", true],
  ])("%s", async (_what, bytes, code, retryable) => {
    using server = await rawServer((socket) => socket.end(bytes));
    expect(expectFailure(await fetchSite(server.port))).toMatchObject({ code, retryable });
  });
});
