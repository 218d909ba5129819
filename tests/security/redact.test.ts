import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { createRedactor } from "../../src/security/redact/redact.ts";
import { anyCharacter } from "../support/any-character.ts";
import { measureEffort } from "../support/effort.ts";
import { runs } from "../support/long.ts";

const SECRET = 'pass "wörd"/+\\\n1';

function redactorOf(...secrets: string[]) {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

test("createRedactor() tells whether a text holds a registered secret, and of no other", () => {
  const { holds } = redactorOf("hunter2-hunter2");
  const base64 = Buffer.from("me:hunter2-hunter2").toString("base64");
  for (const text of ["a hunter2-hunter2", `Basic ${base64}`]) {
    expect([holds(text), holds(text)]).toEqual([true, true]);
  }
  expect(holds("Bearer sk-somebody-elses-0123456789")).toBe(false);
  expect(redactorOf().holds("hunter2-hunter2")).toBe(false);
});

describe("createRedactor() masks a registered secret", () => {
  test.each([
    ["as it is", SECRET],
    ["in a URL", encodeURIComponent(SECRET)],
    ["in a URL with small digits", encodeURIComponent(SECRET).toLowerCase()],
    ["in JSON", JSON.stringify(SECRET).slice(1, -1)],
    ["in base64", Buffer.from(SECRET).toString("base64")],
    ["in base64url", Buffer.from(SECRET).toString("base64url")],
  ])("%s", (_, spelling) => {
    expect(redactorOf(SECRET).redact(`a ${spelling} b ${spelling}`)).toBe("a [secret] b [secret]");
  });

  const ODD = " pässwört  <für>\nму & me ";
  test.each([
    ["with the line ends of networks", ODD.replace("\n", "\r\n")],
    ["without the blanks around it", ODD.trim()],
    ["with letters taken apart", ODD.normalize("NFD")],
    ["in a form", encodeURIComponent(ODD).replaceAll("%20", "+")],
    ["in HTML", Bun.escapeHTML(ODD)],
    ["in JSON of ASCII alone", String.raw` p\u00e4ssw\u00f6rt  <f\u00fcr>\n\u043c\u0443 & me `],
  ])("with blanks and letters of any kind, %s", (_, spelling) => {
    expect(redactorOf(ODD).redact(`a${spelling}b`).trim()).toMatch(/^a ?\[secret\] ?b$/);
  });

  test("inside longer base64, at every offset", () => {
    for (const before of ["", "u", "me", "bot"]) {
      const text = Buffer.from(`${before}hunter2-hunter2:after`).toString("base64");
      const masked = redactorOf("hunter2-hunter2").redact(text);
      expect(masked).toContain("[secret]");
      expect(Buffer.from(masked.replace("[secret]", ""), "base64").toString()).not.toContain("unt");
    }
  });

  test("in the midst of a word and next to itself", () => {
    expect(redactorOf("s3cr3t!").redact("xs3cr3t!s3cr3t!y")).toBe("x[secret][secret]y");
  });

  test("the longest first, where one holds another", () => {
    expect(redactorOf("abcdef", "abcdef-more").redact("abcdef-more abcdef")).toBe(
      "[secret] [secret]",
    );
  });

  test("even when it is the word of the mask", () => {
    expect(redactorOf("secret", "[secret]").redact("secret")).toBe("[secret]");
  });

  test("unless it is shorter than 6 characters", () => {
    expect(redactorOf("short", "").redact("short and a")).toBe("short and a");
  });

  test("whatever it is made of and whatever is around it", () => {
    const secret = fc.string({ unit: anyCharacter, minLength: 6, maxLength: 40 });
    const around = fc.string({ unit: anyCharacter, maxLength: 20 });
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        fc.pre(!"[secret]".includes(value) && !`${before}[secret]${after}`.includes(value));
        const { redact } = redactorOf(value);
        expect(redact(before + value + after)).not.toContain(value);
        expect(JSON.parse(redact(JSON.stringify({ value })))).not.toEqual({ value });
      }),
      { numRuns: runs(20, 300) },
    );
  });
});

describe("createRedactor() masks a well-known shape", () => {
  const pem = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIE\nvQ==\n";
  test.each([
    ["key sk-proj-AbCd_1234-efgh5678 end", "key [secret] end"],
    [
      "https://api.telegram.org/bot123456789:AAF-abc_defghijklmnopqrstuvwxyz12/getMe",
      "https://api.telegram.org/bot[secret]/getMe",
    ],
    ["ghp_0123456789abcdefABCDEF0123456789abcd", "[secret]"],
    ["github_pat_11ABCDEFG0abcdefghijkl_xyz", "[secret]"],
    ["id AKIAIOSFODNN7EXAMPLE.", "id [secret]."],
    ["pppsk-proj-AbCd_1234-efgh5678 end", "ppp[secret] end"],
    ["xsk-aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oR6", "x[secret]"],
    ["sk-proj-AbCd_1234-efgh5678sk-proj-AbCd_1234-efgh5678", "[secret]"],
    ["_ghp_0123456789abcdefABCDEF0123456789abcd", "_[secret]"],
    ["xglpat-0123456789abcdefABCD", "x[secret]"],
    ["idAKIAIOSFODNN7EXAMPLE_", "id[secret]_"],
    ["AKIAIOSFODNN7EXAMPLEAKIAIOSFODNN7EXAMPLE", "[secret]"],
    [
      "123456789:AAF-abc_defghijklmnopqrstuvwxyz12123456789:AAF-abc_defghijklmnopqrstuvwxyz12",
      "[secret]",
    ],
    ["Authorization: Bearer abc", "Authorization: Bearer [secret]"],
    ['{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"Basic [secret]"}'],
    ["sent Bearer abc.def.ghi there", "sent Bearer [secret] there"],
    ["bearer abcdefghijklmnopqrst", "bearer [secret]"],
    [`${pem}-----END RSA PRIVATE KEY-----\nafter`, "[secret]\nafter"],
    [JSON.stringify(`${pem}-----END RSA PRIVATE KEY-----`), '"[secret]"'],
    [`cut off: ${pem}`, "cut off: [secret]"],
  ])("%j", (text, masked) => {
    expect(createRedactor().redact(text)).toBe(masked);
  });

  test.each([
    "The risk-averse task-management-of-everything plan",
    "a task-proj-of-everybody weighs_more_than_expected highs_and_lows_of_the_day",
    "disk-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b XAKIAIOSFODNN7EXAMPLE AKIAIOSFODNN7EXAMPLES",
    "Bearer tokens are sent in the authorization header",
    "12:30:45, 1700000000:short, a@b.c:80",
    "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "`-----BEGIN CERTIFICATE-----`",
    "Привет, 世界 😀",
  ])("and leaves %j", (text) => {
    expect(createRedactor().redact(text)).toBe(text);
  });

  test("in time linear in the text, however it is made", () => {
    const { redact } = redactorOf("aaaaaaaaab", SECRET);
    const chars = 1 << 18;
    const hostile = [
      "1",
      "123456:",
      "-",
      "-----BEGIN ",
      "-----BEGIN PRIVATE KEY-----",
      "-----BEGIN PRIVATE KEY-----a-",
      "sk-",
      "ask-",
      "ask-proj-",
      "sk-proj-a",
      "atvly-",
      "axoxb-",
      "ghp_",
      "aghp_a",
      "AKIAIOSFODNN7EXAMPLE",
      "123456:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "bearer ",
      "authorization:",
      "authorization: bearer ",
      "a",
      "AKIA",
      " ",
      "1234567:aaaaaaa",
    ];
    for (const piece of hostile) {
      const effort = measureEffort();
      redact(piece.repeat(chars / piece.length));
      expect(effort()).toBeLessThan(2000);
    }
  });
});
