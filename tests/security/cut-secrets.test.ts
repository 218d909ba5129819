import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { secretArguments } from "../../src/config/secret.ts";
import { keepEnd, shorten } from "../../src/core/cut-text.ts";
import { cutMiddle } from "../../src/planner/context/context.ts";
import { createRedactor } from "../../src/security/redact/redact.ts";
import { createOutputWindow } from "../../src/system/run/run.ts";
import { renderResult } from "../../src/tools/mcp/render-result.ts";
import { createLog } from "../../src/trace/log.ts";
import { measureEffort } from "../support/effort.ts";
import { crossed, oneOf, runs } from "../support/long.ts";
import { needs } from "../support/needs.ts";

const SECRETS = [
  "Zq7-hunter2/Yx+9w8v7u6t5s4r3q2p1",
  "correct horse battery staple",
  "пароль от всего на свете",
  "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nZZtop9876543210abcdefghijklmnopqr\n-----END PRIVATE KEY-----",
];
/** A key of a shape that nobody registered. */
const UNKNOWN = "sk-proj-A1b2C3d4E5f6G7h8I9j0K1l2";

function redactorOf(...secrets: readonly string[]) {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

/** Whatever shortens a text, to about so many characters. */
const CUTS: Readonly<Record<string, (text: string, most: number) => string>> = {
  shorten,
  "shorten, in a sentence": (text, most) => `Cannot use "${shorten(text, most)}": it is too long`,
  "shorten, in JSON": (text, most) => JSON.stringify({ error: shorten(text, most) }),
  "shorten, twice": (text, most) => shorten(shorten(text, most * 4).replace(/\s+/gu, " "), most),
  keepEnd,
  cutMiddle: (text, most) => cutMiddle(text, most + 60),
  "a result of MCP": (text, most) =>
    renderResult({ content: [{ type: "text", text: "x".repeat(32_000 - most) + text }] }),
  "the output of a command": (text, most) => {
    const output = createOutputWindow(2 * most);
    for (const byte of Buffer.from(text)) output.add(Uint8Array.of(byte));
    return output.text();
  },
};

/** No part of a secret that is as long as the shortest secret. */
function leaked(secret: string, text: string): string | undefined {
  for (let at = 0; at + 6 <= secret.length; at++) {
    const part = secret.slice(at, at + 6);
    const isTelling = !part.includes("-----") && !/KEY|BEGIN|PRIVATE/u.test(part);
    if (isTelling && text.includes(part)) return part;
  }
  return undefined;
}

/** What stands around a secret, which is at the beginning of a text or at its end. */
const AROUND = ["§", "a "].flatMap((before) => {
  const after = before.split("").toReversed().join("");
  const filled = (at: number) => before.repeat(at).slice(0, at);
  return [
    (secret: string, at: number) => filled(at) + secret + after.repeat(200),
    (secret: string, at: number) => after.repeat(200) + secret + filled(at),
  ];
});
const MOST = 120;
const PLACES = Array.from({ length: MOST + 11 }, (_, at) => at);

describe.each(Object.entries(CUTS))("masking after %s", (_, cut) => {
  test.each(SECRETS)("leaves nothing of %j, wherever it is", (secret) => {
    const { redact } = redactorOf(...SECRETS);
    for (const [at, lay] of crossed(PLACES, AROUND, 1)) {
      const part = leaked(secret, redact(cut(lay(secret, at), MOST)));
      expect({ at, part }).toEqual({ at, part: undefined });
    }
  });
});

test.each(["shorten", "shorten, in a sentence", "a result of MCP"])(
  "masking after %s leaves nothing of a key that nobody registered",
  (name) => {
    const { redact } = redactorOf();
    for (let at = 0; at <= 100; at++) {
      const text = ` ${"é ".repeat(at)}${UNKNOWN} ${"é ".repeat(100)}`;
      const shown = redact(CUTS[name]?.(text, 120) ?? "");
      const part = /sk-proj-[\w-]{4,}/u.exec(shown.replaceAll(/x{9,}/gu, ""))?.[0];
      expect({ at, part }).toEqual({ at, part: undefined });
    }
  },
);

/** How a secret is written with something in between. */
const BROKEN: Readonly<Record<string, (secret: string) => string>> = {
  hexadecimal: (secret) => Buffer.from(secret).toString("hex"),
  "hexadecimal, byte by byte": (secret) => bytesOf(secret).join(" "),
  "numbers in a list": (secret) =>
    bytesOf(secret)
      .map((byte) => `0x${byte}`)
      .join(", "),
  "percent signs": (secret) =>
    bytesOf(secret)
      .map((byte) => `%${byte.toUpperCase()}`)
      .join(""),
  "lines of base64": (secret) => inLines(Buffer.from(secret).toString("base64"), 16, "\n"),
  "indented lines of base64": (secret) =>
    inLines(Buffer.from(secret).toString("base64"), 13, "\r\n    "),
  lines: (secret) => inLines(secret, 7, "\n"),
  "words of Markdown": (secret) => secret.replaceAll(/\W/gu, "\\$&"),
};

const bytesOf = (secret: string) => Buffer.from(secret).toString("hex").match(/../gu) ?? [];

function inLines(text: string, columns: number, between: string): string {
  return (text.match(new RegExp(`[^]{1,${columns}}`, "gu")) ?? []).join(between);
}

describe("a cut leaves nothing of a secret that is written", () => {
  const SECRET = SECRETS[0] ?? "";
  const bare = (text: string) => text.replaceAll(/0x|[\s\\%,]/giu, "").toLowerCase();

  test.each(Object.entries(BROKEN))("as %s", (_, write) => {
    const { redact } = redactorOf(SECRET);
    const written = write(SECRET);
    const secret = bare(written);
    const isTold = (shown: string) =>
      Array.from({ length: secret.length - 11 }, (__, at) => secret.slice(at, at + 12)).some(
        (part) => bare(shown).includes(part),
      );
    for (let most = 1; most < written.length; most++) {
      for (const cut of [
        shorten(`~ ${written} ~`, most + 2),
        keepEnd(`~ ${written} ~`, most + 2),
      ]) {
        expect({ most, isTold: isTold(redact(cut)) }).toEqual({ most, isTold: false });
      }
    }
  });

  test("as rows of a dump, in digits or in their text", () => {
    const { redact } = redactorOf(SECRET);
    const rows = bytesOf(`~~~~~${SECRET}~~~~~~~`).flatMap((_, at, all) =>
      at % 16 === 0 ? [all.slice(at, at + 16)] : [],
    );
    const dump = rows.map((row, i) => {
      const text = Buffer.from(row.join(""), "hex").toString("latin1");
      return `${(i * 16).toString(16).padStart(8, "0")}: ${row.join(" ").padEnd(48)} ${text}`;
    });
    const whole = dump.join("\n");
    for (let most = 1; most < whole.length; most++) {
      for (const cut of [shorten(`${whole}\n`, most), keepEnd(`\n${whole}`, most)]) {
        const shown = redact(cut);
        expect({ most, part: leaked(SECRET, shown) }).toEqual({ most, part: undefined });
        expect(bare(shown)).not.toMatch(/756e746572|2b3977387637/u);
      }
    }
  });

  test("as a private key that nobody registered, without its first line", () => {
    const { redact } = redactorOf();
    const key = SECRETS[3] ?? "";
    for (let most = 30; most < key.length; most++) {
      const shown = redact(keepEnd(`a ${key} b`, most));
      expect({ most, part: leaked(key, shown) }).toEqual({ most, part: undefined });
    }
  });
});

test("what was cut elsewhere keeps its ordinary words", () => {
  const { redact } = redactorOf(...SECRETS, "production-database");
  for (const text of [
    "products…",
    "a corre…",
    "…taple",
    "sk-…",
    "no…\n… 7 more",
    "…",
    "task-run…",
  ]) {
    expect(redact(text)).toBe(text);
  }
});

describe("createRedactor() masks a secret whose writing has breaks in it", () => {
  const SECRET = SECRETS[0] ?? "";
  const wrap = (text: string, columns: number, between: string) =>
    (text.match(new RegExp(`[^]{1,${columns}}`, "gu")) ?? []).join(between);

  test.each([
    ["lines", "\n"],
    ["lines of networks", "\r\n"],
    ["indented lines", "\n    "],
    ["blanks", " "],
  ])("base64 over several %s", (_, between) => {
    const { redact } = redactorOf(SECRET);
    fc.assert(
      fc.property(fc.nat(80), fc.integer({ min: 8, max: 76 }), (before, columns) => {
        const whole = Buffer.from("é".repeat(before) + SECRET + "é".repeat(60)).toString("base64");
        const shown = redact(wrap(whole, columns, between)).replaceAll(/\s/gu, "");
        const bare = redact(whole);
        expect(shown).toBe(bare.replaceAll(/\s/gu, ""));
        expect(shown).toContain("[secret]");
      }),
      { numRuns: runs(40, 500) },
    );
  });

  test("words that are wrapped at its blanks", () => {
    const { redact } = redactorOf("correct horse battery staple");
    expect(redact("a correct horse\n  battery\tstaple b")).toBe("a [secret] b");
  });

  const DUMPS = [
    "xxd",
    "xxd -c 7",
    "xxd -g 1",
    "hexdump -C",
    "hexdump",
    "od -tx1",
    "od -tx1z",
    "od -x",
  ];
  const isHere = (program: string) => Bun.which(program) !== null;
  const there = new Set(["xxd", "hexdump", "od"].filter((each) => needs(each, isHere(each))));

  test.each(DUMPS.filter((line) => there.has(line.split(" ")[0] ?? "")))("dumps of %s", (line) => {
    const command = line.split(" ");
    const { redact } = redactorOf(SECRET);
    for (const before of oneOf(3, [...Array(20).keys()])) {
      const stdin = Buffer.from(`${"~".repeat(before)}${SECRET}${"~".repeat(40)}`);
      const dump = Bun.spawnSync(command, { stdin }).stdout.toString();
      const shown = redact(dump);
      expect(shown).toContain("[secret]");
      expect(shown).not.toContain("nter");
      expect(shown.replaceAll(/[^0-9a-f]/gu, "")).not.toContain("756e746572"); // unter
    }
  });

  test("in time linear in the text, however it is made", () => {
    const { redact } = redactorOf(...SECRETS);
    const row = "00000000: 4142 4344 4546 4748 494a 4b4c 4d4e 4f50  ABCDEFGHIJKLMNOP\n";
    for (const piece of [
      "…",
      "a…",
      "ZZ…",
      "correct …",
      "\n…\n",
      " ",
      "o r ",
      row,
      "0000000 41\n",
      "… 32 70 31\n",
      "…\n00000000: 41 42\n",
    ]) {
      const effort = measureEffort();
      redact(piece.repeat(Math.ceil((1 << 17) / piece.length)));
      expect(effort()).toBeLessThan(750);
    }
  });
});

test("a log cuts what it has masked", () => {
  let line = "";
  const { redact } = redactorOf(...SECRETS);
  const log = createLog({ write: (text) => (line = text), redact, now: () => 0 });
  for (let at = 3960; at <= 4010; at++) {
    log("NOTICE", { text: "§".repeat(at) + (SECRETS[0] ?? "") });
    expect(leaked(SECRETS[0] ?? "", line)).toBeUndefined();
  }
});

test("secretArguments() finds what the name before it makes one", () => {
  const args = ["-y", "server", "--token", "t0ken-1", "--api-key=k3y-22", "--port", "80"];
  const more = ["-H", "Authorization: Bearer b3arer", "DB_PASSWORD=pw 1", "https://a.b/token=x"];
  expect(secretArguments([...args, ...more, "--no-auth", "--verbose"])).toEqual([
    "t0ken-1",
    "k3y-22",
    "b3arer",
    "pw 1",
  ]);
});

test("all text is shortened in one place, which marks the cut", async () => {
  const src = join(import.meta.dir, "../../src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" });
  const unmarked: string[] = [];
  for (const file of files.filter((each) => each.endsWith(".ts"))) {
    if (file === "core/cut-text.ts" || OWN_CUTS.has(file)) continue;
    const text = await Bun.file(join(src, file)).text();
    for (const [found] of text.matchAll(OF_TEXT)) unmarked.push(`${file}: ${found}`);
  }
  expect(unmarked).toEqual([]);
});

/** A part of a text that is taken to be shown: made whole, or with a mark of its own. */
const OF_TEXT =
  /\.(?:slice|substring)\([^()]*\)(?:\.toWellFormed\(\)|\}(?:…|\.\.\.))|cutText\([^;]*…/gu;

/** With marks of their own around both parts, of text that was masked before. */
const OWN_CUTS: ReadonlySet<string> = new Set([
  "channels/call-text.ts",
  "tools/mcp/render-result.ts",
]);
