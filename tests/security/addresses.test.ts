import { describe, expect, test } from "bun:test";
import { linksIn, sameOrSafer } from "../../src/security/addresses.ts";
import { measureEffort } from "../support/effort.ts";

describe("linksIn() what a person wrote", () => {
  test.each([
    ["https://docs.example/x?a=1", ["https://docs.example/x?a=1"]],
    ["see (https://docs.example/x), please", ["https://docs.example/x"]],
    ["read docs.example/x.", ["http://docs.example/x", "https://docs.example/x"]],
    [
      "Собака: https://яндекс.example/путь。",
      ["https://xn--d1acpjx3f.example/%D0%BF%D1%83%D1%82%D1%8C"],
    ],
    ["bun.sh/install", ["http://bun.sh/install", "https://bun.sh/install"]],
    ["https://w.example/A_(b)", ["https://w.example/A_", "https://w.example/A_(b)"]],
  ])("%s", (text, links) => {
    expect(linksIn(text)).toEqual(links);
  });

  test.each([
    "read README.md and run install.sh",
    "lib.rs main.py a.zip",
    "/etc/passwd",
    "mail bob@corp.example",
    "1.2.3",
  ])("names no host: %s", (text) => {
    expect(linksIn(text)).toEqual([]);
  });
});

describe("linksIn() a page", () => {
  const links = (text: string) => linksIn(text, "https://a.example/docs/index.html");

  test.each([
    ["more (/guide/start)", "https://a.example/guide/start"],
    ["more (install.html)", "https://a.example/docs/install.html"],
    ["more (?page=2)", "https://a.example/docs/index.html?page=2"],
    ["more (../up)", "https://a.example/up"],
    ['<a href="next.html">', "https://a.example/docs/next.html"],
    ["//b.example/x", "https://b.example/x"],
    ["HTTPS://B.EXAMPLE/x", "https://b.example/x"],
  ])("%s leads to %s", (text, link) => {
    expect(links(text)).toContain(link);
  });

  test("a name in prose is no link", () => {
    expect(links("evil.example/x and (words) javascript:alert(1)")).toEqual([]);
  });
});

test("linksIn() takes a megabyte of links, or of one long word, without a pause", () => {
  const effort = measureEffort();
  for (const text of [
    "https://a.example/x ".repeat(50_000),
    "a.".repeat(500_000),
    "(".repeat(1e6),
  ]) {
    linksIn(text);
    linksIn(text, "https://a.example/");
  }
  expect(effort()).toBeLessThan(10_000);
});

test("sameOrSafer() adds to an address without encryption the one with it, and to no other any", () => {
  const safe = "https://docs.example/http://x";
  expect(sameOrSafer(safe)).toEqual([safe]);
  expect(sameOrSafer("http://docs.example/x")).toEqual([
    "http://docs.example/x",
    "https://docs.example/x",
  ]);
});
