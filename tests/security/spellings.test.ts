import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { createMaskedStream } from "../../src/agent/turn/masked-stream.ts";
import { createRedactor } from "../../src/security/redact/redact.ts";
import { measureEffort } from "../support/effort.ts";
import { runs } from "../support/long.ts";

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const inBytes = (text: string, toByte: (hex: string) => string, between = "") =>
  Array.from(Buffer.from(text).toString("hex").match(/../g) ?? [], toByte).join(between);

/** How a model can write down what it read, by names for a failure. */
const SPELLINGS: Readonly<Record<string, (secret: string) => string>> = {
  "as it is": (secret) => secret,
  "in Markdown": (secret) => secret.replace(/[!-/:-@[-`{-~]/g, "\\$&"),
  "in Markdown, as little as needed": (secret) => secret.replace(/[\\`*_[\]<]/g, "\\$&"),
  "in a shell": (secret) => secret.replace(/[^\w\n]/gu, "\\$&"),
  "in JSON": inJson,
  "in JSON in JSON": (secret) => inJson(inJson(secret)),
  "in JSON in JSON in JSON": (secret) => inJson(inJson(inJson(secret))),
  "in JSON in Markdown": (secret) => inJson(secret).replace(/[_*\\]/g, "\\$&"),
  "in hex": (secret) => Buffer.from(secret).toString("hex"),
  "in big hex": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
  "in hex, byte by byte": (secret) => inBytes(secret, (hex) => hex, " "),
  "as a fingerprint": (secret) => inBytes(secret, (hex) => hex.toUpperCase(), ":"),
  "in a list of bytes": (secret) => inBytes(secret, (hex) => hex, ", 0x"),
  "in the escapes of a string": (secret) => inBytes(secret, (hex) => `\\x${hex}`),
  "in base64": (secret) => Buffer.from(secret).toString("base64"),
  "in base64 for URLs": (secret) => Buffer.from(secret).toString("base64url"),
  "in base64 in JSON of PHP": (secret) =>
    Buffer.from(secret).toString("base64").replaceAll("/", "\\/"),
  "in a URL": (secret) => encodeURIComponent(secret),
  "in a URL with small digits": (secret) =>
    encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
  "in a URL, every byte": (secret) => inBytes(secret, (hex) => `%${hex.toUpperCase()}`),
  "in a URL, every byte in small digits": (secret) => inBytes(secret, (hex) => `%${hex}`),
  "in a whole URL": encodeURI,
  "in a form": (secret) => encodeURIComponent(secret).replaceAll("%20", "+"),
  "in HTML": Bun.escapeHTML,
};

const CHAR = fc.constantFrom(...("abzAZ059_-*.!'\"\\/+%&<>[]`~ \n\té密😀".match(/./gsu) ?? []));
/** What begins or ends with blanks or backslashes has no exact end in a text. */
const SECRET = fc
  .string({ unit: CHAR, minLength: 6, maxLength: 40 })
  .filter((text) => /^[^\s\\].*[^\s\\]$/su.test(text) && text.replaceAll("\\", "").length >= 6);
const SIZES = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 });

function stream(secrets: readonly string[], text: string, sizes: readonly number[]): string {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add(secret);
  const masked = createMaskedStream(redactor);
  let out = "";
  for (let at = 0, i = 0; at < text.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    out += masked.add(text.slice(at, at + size));
    at += size;
  }
  return out + masked.end();
}

describe("createRedactor() lets nothing of a secret out that is streamed in pieces", () => {
  test.each(Object.keys(SPELLINGS))("%s", (name) => {
    const spell = SPELLINGS[name] ?? String;
    fc.assert(
      fc.property(SECRET, SECRET, SIZES, (secret, other, sizes) => {
        fc.pre(!"§ [secret] §".includes(secret) && !other.includes(secret));
        fc.pre(!secret.includes(other));
        const out = stream([secret, other], `§ ${spell(secret)} §`, sizes);
        // What it begins with may be escaped itself.
        expect(out.replace(/\\+\[/, "[")).toBe("§ [secret] §");
      }),
      { numRuns: runs(20, 500) },
    );
  });

  test("the text around it has backslashes, too", () => {
    const noise = fc.string({ unit: fc.constantFrom("\\", "n", " ", "x"), maxLength: 30 });
    fc.assert(
      fc.property(SECRET, noise, noise, SIZES, (secret, before, after, sizes) => {
        const spelled = secret.replace(/[_*.-]/g, "\\$&");
        fc.pre(!`${before}[secret]${after}`.includes(secret) && !before.includes("nxn"));
        const out = stream([secret], `${before}§${spelled}§${after}`, sizes);
        expect(out.replace("§\\[", "§[")).toBe(`${before}§[secret]§${after}`);
      }),
      { numRuns: runs(50, 500) },
    );
  });
});

test("createRedactor() finds a secret with one backslash far from all others", () => {
  const redactor = createRedactor();
  redactor.add("abc_def_ghi");
  for (let gap = 0; gap < 120; gap++) {
    const text = `\\${".".repeat(gap)}abc_def\\_ghi${".".repeat(gap)}\\`;
    expect(redactor.redact(text)).toBe(text.replace("abc_def\\_ghi", "[secret]"));
  }
});

test("createRedactor() takes time linear in a text, however many backslashes it has", () => {
  const redactor = createRedactor();
  for (const secret of ["_______a", "a_b_c_d_e", "\\\\\\\\\\\\\\x", "nnnnnnnn_"])
    redactor.add(secret);
  const chars = 1 << 17;
  for (const piece of [
    "\\",
    "\\_",
    "\\n",
    "_\\\\\\\\",
    `${" ".repeat(80)}\\`,
    "a\\_b\\_c\\_d\\_e",
  ]) {
    const effort = measureEffort();
    redactor.redact(piece.repeat(chars / piece.length));
    expect(effort()).toBeLessThan(1500);
  }
});
