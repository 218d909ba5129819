import { describe, expect, test } from "bun:test";
import { renderEvent } from "../../src/channels/render-event.ts";
import { renderEvent as renderMessages } from "../../src/channels/telegram/render/render.ts";
import type { Language } from "../../src/core/language.ts";
import { textsIn } from "../../src/texts/texts.ts";
import type { CheckStage } from "../../src/transaction/change.ts";
import { describeFailedCheck } from "../../src/transaction/last-check.ts";
import type { CheckedView, PreviewView } from "../../src/transaction/views.ts";
import { checkText, readHtml } from "../support/telegram-html.ts";

const LANGUAGES = ["en", "ru", "zh"] as const;

const HASHES = { before_sha256: null, after_sha256: null };

const PREVIEW: PreviewView = {
  planId: "plan_1",
  changeSetId: "0".repeat(64),
  workspace: "api",
  summary: "s",
  changes: [{ path: "a.txt", kind: "update", added: 1, removed: 1, ...HASHES }],
  diff: "",
  notes: [],
  checks: [],
};

const STAGE: CheckStage = {
  name: "test",
  command: ["npm", "test"],
  exitCode: 0,
  durationMs: 1200,
  timedOut: false,
  output: "",
};

const CHECKED: CheckedView = {
  view: "overlay",
  check: { ok: true, stages: [STAGE], sandbox: "bwrap" },
  sideEffects: [],
  judges: [],
  fixRounds: 0,
  fixNotes: [],
};

const effect = (path: string, kept: boolean) => ({ path, kind: "create", kept }) as const;
const many = Array.from({ length: 12 }, (_, index) => `f${index}`);

/** What is said of a change set before a yes, and where; the same on a phone and in a terminal. */
const ROWS: readonly (readonly [string, Partial<PreviewView>, Record<Language, string>])[] = [
  [
    "what only corrections touch",
    { checked: { ...CHECKED, fixRounds: 1 }, fixPaths: ["ci.sh"] },
    {
      en: "Corrections also touched: ci.sh",
      ru: "Исправления затронули ещё и это: ci.sh",
      zh: "修正还更改了：ci.sh",
    },
  ],
  [
    "what only corrections touch, where no check ran before",
    { fixPaths: ["ci.sh"] },
    {
      en: "Corrections also touched: ci.sh",
      ru: "Исправления затронули ещё и это: ci.sh",
      zh: "修正还更改了：ci.sh",
    },
  ],
  [
    "what the checks changed",
    { checked: { ...CHECKED, sideEffects: [effect("a.snap", false)] } },
    {
      en: "The checks changed 1 file of the project, left out: a.snap",
      ru: "Проверки изменили 1 файл проекта, они не входят в изменение: a.snap",
      zh: "检查更改了项目中的 1 个文件，未纳入变更集：a.snap",
    },
  ],
  [
    "more of it than is listed",
    { checked: { ...CHECKED, sideEffects: many.map((path) => effect(path, false)) } },
    {
      en: "The checks changed 12 files of the project, left out: f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 and 2 more",
      ru: "Проверки изменили 12 файлов проекта, они не входят в изменение: f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 и ещё 2",
      zh: "检查更改了项目中的 12 个文件，未纳入变更集：f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 以及另外 2 个",
    },
  ],
  [
    "what was kept of it",
    { checked: { ...CHECKED, sideEffects: [effect("a.snap", true)] } },
    {
      en: "The checks changed these files, which are part of it: a.snap",
      ru: "Проверки изменили файлы, и они входят в изменение: a.snap",
      zh: "检查更改了这些文件，已纳入变更集：a.snap",
    },
  ],
  [
    "that the change set changes what checks it",
    { checked: { ...CHECKED, judges: ["package.json", "tests/a.test.ts"] } },
    {
      en: "The change touches what checks it: package.json, tests/a.test.ts",
      ru: "Изменение затрагивает то, что его проверяет: package.json, tests/a.test.ts",
      zh: "这项更改涉及检查它的内容：package.json, tests/a.test.ts",
    },
  ],
  [
    "what was found, where, and how long it took",
    {
      checks: [{ command: "npm test", from: "package.json: test", tookMs: 12_340 }],
      unseen: "before",
    },
    {
      en: "npm test (package.json: test; 12.3 s last time)",
      ru: "npm test (package.json: test; в прошлый раз 12.3 с)",
      zh: "npm test（package.json: test；上次用时 12.3 秒）",
    },
  ],
  [
    "when that runs",
    { checks: [{ command: "npm test" }], unseen: "before" },
    {
      en: "They run after your yes, before anything is written; from the next plan on, before you are asked.",
      ru: "Они запустятся после вашего согласия, прежде чем что-либо будет записано; со следующего плана — до вопроса.",
      zh: "它们在您同意之后、写入任何内容之前运行；从下一个计划起，在询问之前运行。",
    },
  ],
  [
    "when it runs where there is no view",
    { checks: [{ command: "npm test" }], unseen: "after" },
    {
      en: "They run after your yes.",
      ru: "Они запустятся после вашего согласия.",
      zh: "它们在您同意之后运行。",
    },
  ],
];

function onTerminal(preview: PreviewView, language: Language): string {
  return renderEvent({ kind: "approval", approvalId: "ap_1", preview }, textsIn(language)).text;
}

function onPhone(preview: PreviewView, language: Language): string {
  const event = { kind: "approval", approvalId: "ap_1", preview } as const;
  const [message] = renderMessages(event, textsIn(language), (text) => text);
  if (message?.kind !== "text") throw new Error("no text");
  expect(checkText(message.html, true)).toBe("");
  return readHtml(message.html);
}

describe.each(LANGUAGES)("in %s a question says", (language) => {
  test.each(ROWS)("%s", (_, over, expected) => {
    const preview = { ...PREVIEW, ...over };
    for (const shown of [onTerminal(preview, language), onPhone(preview, language)]) {
      const lines = shown.split("\n").map((line) => line.trim());
      expect(lines).toContain(expected[language]);
    }
  });

  test("nothing of what is not so", () => {
    const preview = { ...PREVIEW, checked: CHECKED };
    for (const shown of [onTerminal(preview, language), onPhone(preview, language)]) {
      for (const [name, , expected] of ROWS) {
        const [head = name] = expected[language].split("a.snap");
        expect(shown).not.toContain(head);
      }
    }
  });

  test("how long a check was allowed to take, and which key allows more", () => {
    const late = {
      ...STAGE,
      exitCode: null,
      timedOut: true,
      limitMs: 120_000,
      durationMs: 122_400,
    };
    const check = { ok: false, stages: [late], sandbox: "bwrap" } as const;
    const preview = { ...PREVIEW, checked: { ...CHECKED, check } };
    for (const shown of [onTerminal(preview, language), onPhone(preview, language)]) {
      expect(shown).toMatch(/\b120 (?:s|с|秒)/u);
      expect(shown).toContain("check_timeout_s");
    }
    expect(describeFailedCheck(check)).toContain("timed out after 120 s");
    expect(describeFailedCheck(check)).toContain("check_timeout_s");
  });
});

test.each([
  [{ limitMs: 2000, durationMs: 2450 }, "2"],
  [{ limitMs: 500, durationMs: 900 }, "0.5"],
  [{ limitMs: 3_600_000, durationMs: 3_600_100 }, "3600"],
  [{ durationMs: 120_040 }, "120"], // as it was stored before the limit was
])("a check that timed out says its limit: %j", (over, seconds) => {
  const late: CheckStage = { ...STAGE, exitCode: null, timedOut: true, ...over };
  const said = describeFailedCheck({ ok: false, stages: [late], sandbox: "none" });
  expect(said).toContain(`timed out after ${seconds} s`);
});

test("[Check first] is there where checks can run before a yes, and nobody has seen them", () => {
  const labelsOf = (over: Partial<PreviewView>) => {
    const preview = { ...PREVIEW, ...over };
    const { buttons } = renderEvent({ kind: "approval", approvalId: "a", preview }, textsIn("en"));
    return buttons.map(({ label }) => label);
  };
  expect(labelsOf({ unseen: "before" })).toEqual(["Approve", "Reject", "Check first"]);
  expect(labelsOf({ unseen: "after" })).toEqual(["Approve", "Reject"]);
  expect(labelsOf({ checked: CHECKED })).toEqual(["Approve", "Reject"]);
});
