import { describe, expect, test } from "bun:test";
import { toCheckedLines, toGenerationLines } from "../../src/channels/checked-lines.ts";
import { buttonsOf, hasFailed, needsLook } from "../../src/channels/event-buttons.ts";
import { renderOutcome, renderPreview } from "../../src/channels/render-text.ts";
import { renderApproval } from "../../src/channels/telegram/render/render-approval.ts";
import { createRenderer } from "../../src/channels/telegram/render/renderer.ts";
import { toApplyReport, toPreviewReport } from "../../src/cli/reports.ts";
import { actionsOf } from "../../src/daemon/console/review-document.ts";
import { textsIn } from "../../src/texts/texts.ts";
import type { FixNote, Generation } from "../../src/transaction/change.ts";
import type { CheckedView, PreviewView } from "../../src/transaction/views.ts";

const MADE: Generation = {
  kind: "made",
  commands: ["npm install"],
  paths: ["package-lock.json"],
  leftOut: [{ path: "package.json", kind: "update", kept: false }],
};
const FAILED: Generation = {
  kind: "failed",
  command: "npm install",
  reason: "npm error <b>\u202ecode",
  hosts: ["packages.example.com"],
  programs: ["Gemfile"],
};
const SKIPPED: Generation = { kind: "skipped", commands: ["uv lock"] };

const PREVIEW: PreviewView = {
  planId: "plan_1",
  changeSetId: "c".repeat(64),
  workspace: "w",
  summary: "adds",
  changes: [],
  diff: "",
  notes: [],
  checks: [],
};

describe.each(["en", "ru", "zh"] as const)("toGenerationLines() in %s", (language) => {
  const linesOf = (generation: Generation | undefined) =>
    toGenerationLines(generation, textsIn(language), (name) => `<${name}>`);

  test("names every path, command, reason and host", () => {
    expect(linesOf(undefined)).toEqual([]);
    const [made = "", left = ""] = linesOf(MADE);
    expect(made).toContain("<npm install>");
    expect(made).toContain("<package-lock.json>");
    expect(left).toContain("<package.json>");
    const [failed = "", hosts = "", programs = ""] = linesOf(FAILED);
    expect(programs).toContain("<Gemfile>");
    expect(failed).toContain("<npm install>");
    expect(failed).toContain("npm error");
    expect(hosts).toContain("generate_hosts");
    expect(hosts).toContain("<packages.example.com>");
    expect(linesOf(SKIPPED)[0]).toContain("<uv lock>");
  });

  test("says nothing of lock files that were right already, and counts what is many", () => {
    expect(linesOf({ ...MADE, paths: [], leftOut: [] })).toEqual([]);
    expect(linesOf({ ...FAILED, hosts: [], programs: [] })).toHaveLength(1);
    const many = Array.from({ length: 14 }, (_, index) => `p${index}`);
    const [line = ""] = linesOf({ ...MADE, paths: many });
    expect(line).toContain("<p9>");
    expect(line).not.toContain("<p10>");
    expect(line).toContain("4");
  });

  test("say how many more hosts there are, and which nobody can open", () => {
    const hosts = Array.from({ length: 10 }, (_, n) => `h${n}.example.com`);
    const closedHosts = ["metadata.google.internal"];
    const [, asked = "", closed = ""] = linesOf({ ...FAILED, hosts, moreHosts: 3, closedHosts });
    expect(asked).toMatch(/<h9\.example\.com>\P{L}*(?:and|и ещё|以及另外) 3/u);
    expect(closed).toContain("<metadata.google.internal>");
  });
});

describe("a lock file that was not made", () => {
  const failed = { ...PREVIEW, generation: FAILED };
  const texts = textsIn("en");

  test("is in the question on every surface, with what hides made visible", () => {
    const shown = renderPreview(failed, texts, false);
    expect(shown).toContain("The lock file was not made: npm install failed");
    expect(shown).toContain("\\u{202e}");
    const [message] = renderApproval(
      { kind: "approval", approvalId: "ap_1", preview: failed },
      [],
      createRenderer(texts, (text) => text),
    );
    const html = message?.kind === "text" ? message.html : "";
    expect(html).toContain("<code>npm install</code>");
    expect(html).toContain("npm error &lt;b&gt;");
    expect(html).not.toContain("\u202e");
  });

  test("makes the yes one to something that failed", () => {
    expect(
      [FAILED, MADE, SKIPPED].map((generation) => needsLook({ ...PREVIEW, generation })),
    ).toEqual([true, false, false]);
    const event = { kind: "approval", approvalId: "ap_1", preview: failed } as const;
    expect(buttonsOf(event, texts.buttons)[0]).toMatchObject({
      label: "Approve anyway",
      isAnyway: true,
    });
    const passed = { ...event, preview: { ...PREVIEW, generation: MADE } };
    expect(buttonsOf(passed, texts.buttons)[0]).not.toHaveProperty("isAnyway");
    expect(actionsOf("ap_1", failed, texts.buttons)[0]).toMatchObject({ anyway: true });
  });

  test("is one of what a yes in advance does not cover, as is what only corrections touch", () => {
    const beyond = { ...PREVIEW, fixPaths: ["ci.sh"] };
    expect([needsLook(beyond), hasFailed(beyond), needsLook(PREVIEW)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("is among the notes of the JSON, and what was left out among the side effects", () => {
    const origin = { traceId: "t", attempts: [] };
    const reportOf = (generation: Generation) =>
      toPreviewReport({ ok: true, preview: { ...PREVIEW, generation }, ...origin });
    expect(reportOf(FAILED)["notes"]).toHaveLength(3);
    expect(reportOf(MADE)).toMatchObject({
      notes: [],
      side_effects: [{ path: "package.json", kind: "update", kept: false }],
    });
    const outcome = { ok: true, status: "committed", workspace: "w", changes: [] } as const;
    expect(toApplyReport({ ...outcome, generation: SKIPPED })["notes"]).toHaveLength(1);
    expect(renderOutcome({ ...outcome, generation: SKIPPED }, texts)).toContain("uv lock");
  });
});

const NOTES: readonly FixNote[] = [
  { why: "judges", paths: ["tests/a.test.ts"] },
  { why: "nothing" },
  { why: "unfit", paths: [] },
  { why: "same" },
  { why: "none" },
  { why: "failed", code: "LLM_BUDGET" },
  { why: "failed", code: "<b>of another version" },
];

/** Checks before a question that took two corrections. */
function checkedView(isOk: boolean, fixNotes: readonly FixNote[] = []): CheckedView {
  const stage = { name: "test", command: ["npm", "test"], timedOut: false, output: "" };
  const stages = [{ ...stage, exitCode: isOk ? 0 : 1, durationMs: 12_300 }];
  const check = { ok: isOk, stages, sandbox: "bwrap" } as const;
  return { view: "overlay", check, sideEffects: [], judges: [], fixRounds: 2, fixNotes };
}

describe.each([
  ["en", "Checks passed: npm test (12.3 s), after 2 corrections", "still fails after 2"],
  ["ru", "Проверки пройдены: npm test (12.3 с), после 2 исправлений", "и после 2 исправлений"],
  ["zh", "检查通过：npm test（12.3 秒）（修正 2 次后）", "修正 2 次后仍不通过"],
] as const)("corrections in %s", (language, passed, failed) => {
  const texts = textsIn(language);
  const renderer = createRenderer(texts, (text) => text);

  test("are told once with the checks, on a terminal and on a phone", () => {
    for (const [checked, words] of [
      [checkedView(true), passed],
      [checkedView(false), failed],
    ] as const) {
      const preview = { ...PREVIEW, checked };
      const terminal = renderPreview(preview, texts, false);
      const phone = JSON.stringify(
        renderApproval({ kind: "approval", approvalId: "ap_1", preview }, [], renderer),
      ).replace(/<\/?code>/gu, "");
      for (const said of [terminal, phone]) expect(said.split(words)).toHaveLength(2);
    }
  });

  test("that were not taken have a line each, with what they would have touched", () => {
    const show = (name: string) => `[${name.replace(/[<>]/gu, "")}]`;
    const lines = toCheckedLines(checkedView(true, NOTES), texts, show).slice(1);
    expect(new Set(lines).size).toBe(NOTES.length);
    expect(lines[0]).toContain("[tests/a.test.ts]");
    expect(lines[5]).toContain("LLM_BUDGET");
    expect(lines[6]).toContain("[bof another version]");
  });
});
