import { expect, test } from "bun:test";
import { ZH } from "../../src/console/texts/zh.ts";
import { ERROR_CODES, type ErrorCode } from "../../src/core/error-codes.ts";
import type { Language } from "../../src/core/language.ts";
import { type DaemonStatus, renderStatus } from "../../src/daemon/status.ts";
import { doctorWordsIn } from "../../src/texts/doctor/doctor.ts";
import { plural } from "../../src/texts/plural.ts";
import { refusedWordsIn } from "../../src/texts/refused/refused.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { everyNoteIn, isNoteWords } from "./every-note.ts";

const LANGUAGES: readonly Language[] = ["en", "ru", "zh"];

/** Given to texts that take values: lists of a number, which read as a count, an id and names do. */
const VALUES = [[7101], [7102], [7103], [7104]];

/** All that a language has: two tables are loaded by who needs them alone. */
function allIn(language: Language) {
  const refused = refusedWordsIn(language);
  return { ...textsIn(language), doctor: doctorWordsIn(language), refused };
}

/** Texts that are the same in every language: units and what is typed. */
const SAME =
  /\.usage$|\.(?:marks|joins)\.|^\.doctor\.(?:daemon\.restart|workspaces\.recover)$|^\.doctor\.megabytes$/u;

/** Every text with its place in the table; functions are called. */
function flatten(node: unknown, path = ""): readonly (readonly [string, string])[] {
  if (typeof node === "string") return [[path, node]];
  if (path === ".failure") return [];
  if (isNoteWords(path, node)) return everyNoteIn(node);
  if (typeof node === "function") return [[path, String(Reflect.apply(node, undefined, VALUES))]];
  return Object.entries(node ?? {}).flatMap(([key, value]) => flatten(value, `${path}.${key}`));
}

test.each(LANGUAGES)(
  "textsIn(%s) has no text that is blank or would have to be escaped",
  (language) => {
    for (const [path, text] of flatten(allIn(language))) {
      if (!path.endsWith(".usage")) expect(text.trim(), path).not.toBe("");
      expect(text, path).not.toMatch(/[<>&]/u);
      expect(text, path).not.toContain("undefined");
    }
  },
);

test.each(["ru", "zh"] as const)("textsIn(%s) is a translation of every text", (language) => {
  const script = language === "ru" ? /\p{Script=Cyrillic}/u : /\p{Script=Han}/u;
  const left = flatten(allIn(language)).filter(
    ([path, text]) => !script.test(text) && !SAME.test(path),
  );
  expect(left).toEqual([]);
});

/** A blank or a mark of ASCII beside Chinese, where Chinese has one of its own, or none. */
function findForeignMark(text: string): string | undefined {
  // What is typed literally is no Chinese.
  const said = text.replaceAll(/“[ -~][^“”]*”/gu, "“”");
  const own = "[\\p{Script=Han}，。；：！？、（）“”]";
  const marks = `${own}\\s*[,;:!?()"]|[,;:!?()"][ \\t]*${own}|${own}\\.(?!\\w)`;
  return new RegExp(`${own}[ \\t]+${own}|${marks}`, "u").exec(said)?.[0];
}

test("textsIn(zh) has no blank and no mark of ASCII between Chinese characters", () => {
  expect(findForeignMark("状态 正常")).toBe("态 正");
  expect(findForeignMark("状态, 正常")).toBe("态,");
  const found = flatten(allIn("zh")).filter(
    ([path, text]) => !path.endsWith(".usage") && findForeignMark(text) !== undefined,
  );
  expect(found).toEqual([]);
});

test("renderStatus() puts Chinese words together as Chinese is written", () => {
  const channel = { state: "offline", reason: "network", last_poll_at: "2026-11-21T08:00:00Z" };
  const routines: DaemonStatus["routines"] = [
    { name: "daily", state: "waiting", next_at: "2026-11-22T08:00:00Z", reason: "missed" },
    { name: "weekly", state: "disabled", next_at: null },
  ];
  const status = { version: "1", pid: 1, uptime_s: 1, rss_bytes: 1, sessions: 1 };
  const all = { ...status, pending_approvals: 1, routines };
  const text = renderStatus(
    { ...all, running: true as const, channels: { http: channel } },
    textsIn("zh").status,
  );
  expect(text).toContain("daily：等待中，下次 ");
  expect(text.split("\n").map(findForeignMark).filter(Boolean)).toEqual([]);
});

test.each([
  ["en", "a, b", "a; b"],
  ["ru", "a, b", "a; b"],
  ["zh", "a、b", "a；b"],
] as const)("textsIn(%s) joins names and facts as the language does", (language, names, facts) => {
  const { joins, outcome, check, agent, refusals } = textsIn(language);
  const list = ["a", "b"];
  expect([joins.list(list), joins.facts(list)]).toEqual([names, facts]);
  const { rolledBackExcept, notPutBack } = outcome;
  const said = [
    rolledBackExcept("w", list),
    notPutBack("w", list),
    check.passed(list),
    agent.doneBefore(list),
    refusals.workspaceUnknown("x", list),
    refusals.providerUnknown("x", list),
  ];
  for (const text of said) expect(text).toContain(names);
});

test.each(["ru", "zh"] as const)("textsIn(%s) knows every error code", (language) => {
  const { failure } = textsIn(language);
  const blank = Object.keys(ERROR_CODES).filter((code) => !isErrorCode(code) || !failure(code));
  expect(blank).toEqual([]);
});

function isErrorCode(code: string): code is ErrorCode {
  return code in ERROR_CODES;
}

test("textsIn() says in every language what it is given", () => {
  const given = (text: string) => VALUES.filter((value) => text.includes(String(value)));
  const english = flatten(allIn("en"));
  for (const language of LANGUAGES) {
    const texts = new Map(flatten(allIn(language)));
    for (const [path, text] of english) {
      expect(given(texts.get(path) ?? ""), `${language} ${path}`).toEqual(given(text));
    }
  }
});

test.each([
  [1, "1 изменение"],
  [2, "2 изменения"],
  [5, "5 изменений"],
  [11, "11 изменений"],
  [12, "12 изменений"],
  [21, "21 изменение"],
  [112, "112 изменений"],
  [0, "0 изменений"],
])("plural() knows the Russian form for %i", (count, said) => {
  const forms = { one: "изменение", few: "изменения", many: "изменений" };
  expect(plural("ru", count, forms)).toBe(said);
});

test("textsIn() has button labels that fit side by side on a phone", () => {
  for (const language of LANGUAGES) {
    for (const [path, label] of flatten(textsIn(language).buttons)) {
      expect(label.length, path).toBeLessThanOrEqual(24);
    }
  }
});

test("textsIn(zh) and the page say 您 to whoever reads them, everywhere", () => {
  for (const texts of [allIn("zh"), ZH]) {
    expect(flatten(texts).filter(([, text]) => text.includes("你"))).toEqual([]);
  }
});
