import { expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { systemClock } from "../../../src/core/clock.ts";
import { logPath } from "../../../src/daemon/app/app.ts";
import { createLogFacts } from "../../../src/daemon/console/care/care.ts";
import { levelOf } from "../../../src/daemon/console/care/log.ts";
import { tempDir } from "../../support/temp.ts";

const AT = "2026-11-24T02:00:00.000Z [trace]";
const ALL = { level: "info", text: "" } as const;

function openLog(home: string, text: string) {
  const path = logPath(home);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const redact = (each: string) => each.replaceAll("s3cret", "[secret]");
  const log = createLogFacts({ home: () => home, redact, clock: systemClock });
  const read = (more: Partial<Parameters<typeof log.read>[0]> = {}) =>
    log.read({ before: undefined, limit: 100, filter: ALL, ...more });
  return { path, log, read };
}

test.each([
  ["DAEMON_READY", "info"],
  ["RETENTION_DONE", "info"],
  ["LLM_RESPONSE_OK", "info"],
  ["NOTICE_SENT", "info"],
  ["TELEGRAM_SEND_GIVEN_UP", "warning"],
  ["CONFIG_LEFT_OUT", "warning"],
  ["TELEGRAM_OFF", "warning"],
  ["APPLY_CHECK_FAILED", "error"],
  ["ROUTINE_LEFT_BY_CRASH", "error"],
  ["HTTP_ERROR", "error"],
  ["STATE_GONE", "error"],
  ["", "info"],
] as const)("levelOf(%s) is %s", (event, level) => {
  expect(levelOf(event)).toBe(level);
});

test("createLogFacts() shows no line of a key over several lines, wherever it came from", () => {
  using dir = tempDir();
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { privateKey: short } = generateKeyPairSync("ed25519");
  const keys = [privateKey, short].map((key) => key.export({ type: "pkcs8", format: "pem" }));
  const { read } = openLog(dir.path, `before it\n${keys.join("")}src/system/own/a-file.ts\n`);
  const texts = read().lines.map(({ text }) => String(text));
  expect(texts[0]).toBe("before it");
  expect(texts.at(-1)).toBe("src/system/own/a-file.ts");
  const bodies = keys.flatMap((key) => key.split("\n")).filter((each) => /^[^-]{16}/u.test(each));
  expect(bodies.length).toBeGreaterThan(20);
  expect(texts.filter((text) => bodies.includes(text))).toEqual([]);
});

test("createLogFacts() masks, spells out and cuts, and finds nothing by what is masked", () => {
  using dir = tempDir();
  const long = "a".repeat(2 ** 20);
  const { read } = openLog(
    dir.path,
    `${AT} HTTP_ERROR error="s3cret \u202e"\nno line of ours\n${AT} LONG x=${long}s3cret\n`,
  );
  const { lines, older } = read();
  expect(lines).toMatchObject([
    { event: "HTTP_ERROR", level: "error", text: 'error="[secret] \\u{202e}"', cut: 0 },
    { at: null, event: null, level: "info", text: "no line of ours" },
    { event: "LONG" },
  ]);
  expect(older).toBeNull();
  expect(String(lines[2]?.["text"]).length).toBeLessThan(5000);
  expect(lines[2]?.["cut"]).toBeGreaterThan(1_000_000);
  expect(JSON.stringify(lines)).not.toContain("s3cret");
  expect(read({ filter: { level: "info", text: "s3c" } }).lines).toEqual([]);
  expect(read({ filter: { level: "info", text: "[SECRET] \\u" } }).lines).toHaveLength(1);
  expect(read({ filter: { level: "error", text: "" } }).lines).toHaveLength(1);
});

test("createLogFacts() gives page after page, and looks no further than a bound for what is rare", () => {
  using dir = tempDir();
  const many = Array.from({ length: 50_000 }, (_, n) => `${AT} N n=${n} ${"x".repeat(60)}\n`);
  const { read } = openLog(dir.path, `${AT} RARE\n${many.join("")}`);
  const first = read({ limit: 2 });
  expect(first.lines.map(({ text }) => String(text).slice(0, 8))).toEqual(["n=49998 ", "n=49999 "]);
  const second = read({ limit: 1, before: first.older ?? undefined });
  expect(second.lines[0]).toMatchObject({ text: expect.stringMatching(/^n=49997 /u) });
  const filter = { level: "info", text: "rare" } as const;
  const looked = read({ filter });
  expect(looked.lines).toEqual([]);
  const found = read({ filter, before: looked.older ?? undefined });
  expect(found).toMatchObject({ lines: [{ event: "RARE" }], older: null });
});

test("createLogFacts() follows what comes, whole lines alone", async () => {
  using dir = tempDir();
  const { path, log, read } = openLog(dir.path, `${AT} OLD\n`);
  const stop = new AbortController();
  const seen: unknown[] = [];
  const { end } = read();
  appendFileSync(path, `${AT} NOISE\n${AT} NEW_ERROR a=s3`);
  setTimeout(() => appendFileSync(path, `cret\n${AT} LAST_ERROR\n`), 10);
  const filter = { level: "error", text: "" } as const;
  for await (const { event, text } of log.follow(end, filter, stop.signal)) {
    if (seen.push([event, text]) === 2) stop.abort();
  }
  expect(seen).toEqual([
    ["NEW_ERROR", "a=[secret]"],
    ["LAST_ERROR", ""],
  ]);
});

test("createLogFacts() has nothing where there is no log", () => {
  using dir = tempDir();
  const log = createLogFacts({ home: () => dir.path, redact: (text) => text, clock: systemClock });
  const page = log.read({ before: undefined, limit: 10, filter: ALL });
  expect(page).toEqual({ lines: [], older: null, end: { ino: 0, offset: 0 } });
});
