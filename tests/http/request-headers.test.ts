import { describe, expect, test } from "bun:test";
import {
  dropPrivateHeaders,
  isReservedHeader,
  toRequestHeaders,
} from "../../src/http/request-headers.ts";

describe("toRequestHeaders() refuses", () => {
  test.each([
    ["a line feed in a value", { "X-A": "a\nX-B: b" }],
    ["a carriage return in a value", { "X-A": "a\r" }],
    ["a NUL in a value", { "X-A": "a\0" }],
    ["a character beyond Latin-1", { "X-A": "日" }],
    ["a line break in a name", { "X-A\r\nHost": "x" }],
    ["a space in a name", { "X A": "x" }],
    ["an empty name", { "": "x" }],
  ])("%s", (_what, headers) => {
    expect(toRequestHeaders(headers)).toMatchObject({ ok: false });
  });
});

test.each([
  "Host",
  "Connection",
  "Upgrade",
  "Transfer-Encoding",
  "Content-Length",
  "Proxy-Authorization",
  "TE",
  "HTTP2-Settings",
  "Metadata-Flavor",
  "X-aws-ec2-metadata-token",
])("toRequestHeaders() leaves out %s", (name) => {
  const result = toRequestHeaders({ [name]: "x" });
  if (!result.ok) throw new Error(result.reason);
  expect(Object.keys(result.headers)).not.toContain(name.toLowerCase());
});

test("toRequestHeaders() keeps the caller's own and sets the coding itself", () => {
  const result = toRequestHeaders({ Authorization: "Bearer é", "Accept-Encoding": "zstd" });
  expect(result).toMatchObject({
    ok: true,
    headers: { authorization: "Bearer é", "accept-encoding": "gzip, deflate, br" },
  });
});

test("toRequestHeaders() says who asks and for what, unless the caller does", () => {
  const accept = "text/html, application/json;q=0.9, */*;q=0.8";
  const agent = "Mozilla/5.0 (compatible; papa-yu)";
  const coding = { "accept-encoding": "gzip, deflate, br" };
  expect(toRequestHeaders({})).toEqual({
    ok: true,
    headers: { "user-agent": agent, accept, ...coding },
  });
  expect(toRequestHeaders({ ACCEPT: "a", "User-Agent": "b" })).toEqual({
    ok: true,
    headers: { "user-agent": "b", accept: "a", ...coding },
  });
  expect(toRequestHeaders({ "X A": "x" })).toEqual({
    ok: false,
    reason: '"X A" is not a valid header',
  });
});

test("isReservedHeader() knows those that are ours, and nobody's, in any letters", () => {
  const is = ["HOST", "Proxy-X", "Accept-Encoding", "METADATA", "X-Google-Metadata-Request"];
  const not = ["X-Host", "Accept", "My-Metadata", "Authorization"];
  expect([...is, ...not].filter(isReservedHeader)).toEqual(is);
});

test("dropPrivateHeaders() keeps only what says nothing about the caller", () => {
  const headers = { authorization: "a", cookie: "b", "x-api-key": "c", accept: "d" };
  expect(dropPrivateHeaders(headers)).toEqual({ accept: "d" });
});
