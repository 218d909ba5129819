import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/core/app-error.ts";
import { toFetchFailure, toStatusFailure } from "../../src/http/fetch-failure.ts";
import type { FetchFailure } from "../../src/http/fetch-result.ts";
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
  [414, "too_large", false],
  [422, "invalid_args", false],
  [499, "unavailable", false],
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

describe("toFetchFailure()", () => {
  const URL = "https://a.example/x?key=1";
  const of = (error: unknown, stopped?: "idle" | "total" | "cancelled") =>
    toFetchFailure(URL, error, stopped);
  const failure = (code: FetchFailure["code"], reason: string, retryable: boolean) => ({
    ok: false as const,
    code,
    message: `Cannot fetch "https://a.example/x": ${reason}`,
    retryable,
  });

  test.each([
    ["idle", "timeout", "the server fell silent", true],
    ["total", "timeout", "it took too long", true],
    ["cancelled", "ERR_CANCELLED", "it was cancelled", false],
  ] as const)("says of a bound, %s, what it was", (stopped, code, reason, retryable) => {
    expect(of(new Error("whatever"), stopped)).toEqual(failure(code, reason, retryable));
  });

  test.each([
    ..."EAI_AGAIN ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EPIPE ETIMEDOUT Z_BUF_ERROR"
      .split(" ")
      .map((code) => [code, true] as const),
    ["CERT_HAS_EXPIRED", false],
    ["Z_DATA_ERROR", false],
  ] as const)("says of %s whether it may pass", (code, retryable) => {
    const error = Object.assign(new Error("no way"), { code });
    expect(of(error)).toEqual(failure("unavailable", "no way", retryable));
    const silent = Object.assign(new Error(), { code });
    expect(of(silent)).toEqual(failure("unavailable", code, retryable));
  });

  test("knows headers that are too long, and what papa-yu itself says", () => {
    const long = Object.assign(new Error("x"), { code: "HPE_HEADER_OVERFLOW" });
    expect(of(long)).toEqual(failure("too_large", "the headers of the answer are too long", false));
    const own = new AppError("unavailable", "not that");
    expect(of(own)).toEqual(failure("unavailable", "not that", false));
  });
});

test("toStatusFailure() tells who asks to be left alone, and how long", () => {
  expect([429, 503, 500].map((status) => answered(status)?.isBusy)).toEqual([
    true,
    true,
    undefined,
  ]);
  expect(answered(429)).not.toHaveProperty("retryAfterMs");
  expect(answered(404)).not.toHaveProperty("isBusy");
});
