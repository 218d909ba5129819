import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createMaskedStream } from "../../src/agent/turn/masked-stream.ts";
import { createRedactor } from "../../src/security/redact/redact.ts";
import { measureEffort } from "../support/effort.ts";
import { runs } from "../support/long.ts";

const KEY = "abc-DEF_123.456";

function createStream() {
  const redactor = createRedactor();
  redactor.add(KEY);
  return createMaskedStream(redactor);
}

describe("createMaskedStream()", () => {
  test("masks a secret however the text is cut, and changes nothing else", () => {
    const words = fc.constantFrom(
      "the ",
      "key\n",
      "密钥",
      "пароль ",
      '"',
      `${KEY} `,
      KEY,
      `(${KEY})`,
    );
    fc.assert(
      fc.property(
        fc.array(words),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (parts, sizes) => {
          const text = parts.join("");
          const stream = createStream();
          let out = "";
          for (let at = 0, i = 0; at < text.length; i++) {
            const size = sizes[i % sizes.length] ?? 1;
            out += stream.add(text.slice(at, at + size));
            at += size;
          }
          out += stream.end();
          expect(out).toBe(text.replaceAll(KEY, "[secret]"));
        },
      ),
      { numRuns: runs(50, 500) },
    );
  });

  test("opens nothing that is closed in the whole, wherever it is cut", () => {
    const SECRETS = [
      "correct horse battery staple",
      "battery staple, and on",
      "horse battery",
      "one line of it\nanother line of it\n\nand the end",
      "пароль из слов",
      "密钥与密码 一二三",
      "a  b \t c d",
      "aa aa aa",
      "aa aa aa bb",
    ];
    const redactor = createRedactor();
    for (const secret of SECRETS) redactor.add(secret);
    const words = SECRETS.flatMap((secret) => [
      [secret, JSON.stringify(secret), encodeURIComponent(secret)],
      secret.split(/(?<=\s)/u),
    ]).flat();
    const part = fc.constantFrom(
      ...words,
      " ",
      "\n",
      "x",
      "Authorization: Basic ",
      'authorization = "Token  ',
      "Bearer ",
      "dXNlcjpwYXNzd29yZA==",
      "sk-",
      "abcdefghijklmnop",
      "123456:",
      "A".repeat(30),
      "-----BEGIN RSA PRIVATE KEY-----\nMIIabc+/\n-----END RSA PRIVATE KEY-----",
    );
    const step = runs(4, 1);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const whole = redactor.redact(text);
        for (let at = 0; at <= text.length; at += step) {
          const stream = createMaskedStream(redactor);
          const out = stream.add(text.slice(0, at)) + stream.add(text.slice(at)) + stream.end();
          expect({ at, text, out }).toEqual({ at, text, out: whole });
        }
        const stream = createMaskedStream(redactor);
        expect(Array.from(text, (char) => stream.add(char)).join("") + stream.end()).toBe(whole);
      }),
      { numRuns: runs(25, 300) },
    );
  });

  test("a secret that begins within another one is masked to its end", () => {
    const redactor = createRedactor();
    for (const secret of ["aa aa aa", "aa aa aa bb"]) redactor.add(secret);
    expect(redactor.redact("x aa aa aa aa bb y")).toBe("x [secret] y");
    const stream = createMaskedStream(redactor);
    expect(stream.add("x aa aa aa aa b") + stream.add("b y") + stream.end()).toBe("x [secret] y");
  });

  test("passes on every finished word at once", () => {
    const stream = createStream();
    expect(stream.add("one two thr")).toBe("one two ");
    expect(stream.add("ee 你好")).toBe("three 你好");
    expect(stream.end()).toBe("");
  });

  test("holds a private key until its last line, and goes on", () => {
    const stream = createStream();
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIabc+/DEF==\n".repeat(20)}-----END RSA PRIVATE KEY-----`;
    const text = `Here: ${pem} and on`;
    let out = "";
    for (let at = 0; at < text.length; at += 5) out += stream.add(text.slice(at, at + 5));
    out += stream.end();
    expect(out).toBe("Here: [secret] and on");
  });

  test("a registered secret of several lines is masked line by line", () => {
    const redactor = createRedactor();
    redactor.add("first-line-of-it\nsecond line, of it\nend");
    const stream = createMaskedStream(redactor);
    const pieces = ["a first-line", "-of-it\n", "second line, of it\n"];
    const out = pieces.map((piece) => stream.add(piece)).join("");
    expect(out + stream.end()).toBe("a [secret]\n[secret]\n");
  });

  test("lets text go on after a key that never ends", () => {
    const stream = createStream();
    const text = `-----BEGIN X ${"a ".repeat(10_000)}`;
    expect((stream.add(text) + stream.end()).length).toBe(text.length);
  });

  test("holds back no more than a secret can be long", () => {
    const stream = createStream();
    const text = "x".repeat(10_000);
    expect(stream.add(text) + stream.end()).toBe(text);
    expect(stream.add(text).length).toBe(text.length - 4096);
  });

  test("masks a secret anywhere in a word that does not end", () => {
    const long = fc.integer({ min: 8100, max: 8300 });
    fc.assert(
      fc.property(long, long, fc.integer({ min: 200, max: 9000 }), (before, after, size) => {
        const stream = createStream();
        const text = `${"x".repeat(before)}${KEY}${"y".repeat(after)}`;
        let out = "";
        for (let at = 0; at < text.length; at += size) out += stream.add(text.slice(at, at + size));
        expect(out + stream.end()).toBe(text.replace(KEY, "[secret]"));
      }),
      { numRuns: runs(25, 200) },
    );
  });

  test("takes a whole answer in one piece without a pause", () => {
    const stream = createStream();
    const text = `${"x".repeat(1_000_000)} 中`;
    const effort = measureEffort();
    expect(stream.add(text)).toBe(text);
    expect(effort()).toBeLessThan(1000);
  });
});
