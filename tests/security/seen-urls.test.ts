import { expect, test } from "bun:test";
import { namesNewUrl } from "../../src/security/seen-urls.ts";
import { cpuMs } from "../support/cpu-ms.ts";

const PAGE =
  "See https://a.example/docs?x=1, [more](/guide/start) or <https://b.example/B>.\n" +
  "Собака: https://яндекс.example/путь。 Write to c.example/d";

test.each([
  ["no address at all", "weather in Berlin"],
  ["whole", "https://a.example/docs?x=1"],
  ["as the page ends its sentence", "https://b.example/B."],
  ["with another scheme or fragment", "http://a.example/docs?x=1#part"],
  ["in upper-case host", "https://A.EXAMPLE/docs?x=1"],
  ["as a relative link of a host that was seen", "https://a.example/guide/start"],
  ["as people write it", "https://c.example/d"],
  ["in another alphabet", "https://xn--d1acpjx3f.example/%D0%BF%D1%83%D1%82%D1%8C"],
  ["inside of arguments", '{"url":"https://b.example/B","method":"GET"}'],
  ["a version number", "1.2.3 and e.g. file.txt.bak/x"],
])("namesNewUrl() knows an address that was seen: %s", (name, text) => {
  const isAddress = name === "a version number";
  expect(namesNewUrl(text, [PAGE])).toBe(isAddress);
});

test.each([
  ["another query", "https://a.example/docs?x=1&key=s3cret"],
  ["no query", "https://a.example/docs"],
  ["another path", "https://b.example/B/s3cret"],
  ["another case of the path, which can carry bits", "https://b.example/b"],
  ["another host with a link that was seen", "https://evil.example/guide/start"],
  ["a subdomain that carries text", "https://s3cret.a.example/docs?x=1"],
  ["user information", "https://b.example@evil.example/B"],
  ["another port", "https://b.example:8443/B"],
  ["one seen and one new", "https://b.example/B https://evil.example/"],
  ["without a scheme", "evil.example/?d=s3cret"],
])("namesNewUrl() finds an address that was not seen: %s", (_name, text) => {
  expect(namesNewUrl(text, [PAGE])).toBe(true);
});

test("namesNewUrl() takes a megabyte of links, or of one long word, without a pause", () => {
  const links = "https://a.example/x ".repeat(50_000);
  const word = "a.".repeat(500_000);
  const startedAt = cpuMs();
  expect(namesNewUrl("https://a.example/x", [links, word])).toBe(false);
  expect(cpuMs() - startedAt).toBeLessThan(1000);
});
