import { describe, expect, test } from "bun:test";
import {
  type Message,
  parseButtonData,
  toSends,
} from "../../../src/channels/telegram/message/message.ts";
import { renderEvent, type ShownEvent } from "../../../src/channels/telegram/render/render.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import type { PreviewView } from "../../../src/transaction/views.ts";
import { checkText, readHtml } from "../../support/telegram-html.ts";

const preview: PreviewView = {
  planId: "plan_1",
  changeSetId: "0123456789abcdef",
  workspace: "sample",
  summary: "Fix the sum",
  changes: [
    {
      path: "src/sum.ts",
      kind: "update",
      before_sha256: "a",
      after_sha256: "b",
      added: 2,
      removed: 1,
    },
    {
      path: "new.ts",
      kind: "create",
      before_sha256: null,
      after_sha256: "c",
      added: 5,
      removed: 0,
    },
    {
      path: "old.ts",
      kind: "delete",
      before_sha256: "d",
      after_sha256: null,
      added: 0,
      removed: 9,
    },
    { path: "lib", kind: "mkdir", before_sha256: null, after_sha256: null, added: 0, removed: 0 },
  ],
  diff: "--- a/src/sum.ts\n+++ b/src/sum.ts\n-a < b\n+a <= b && c\n",
  notes: ["src/sum.ts: hunk 1 found 3 lines lower"],
  checks: [{ command: "bun test", from: "package.json: test", tookMs: 1234 }],
};

function render(event: ShownEvent): readonly Message[] {
  const messages = renderEvent(event, textsIn("en"), (text) =>
    text.replaceAll("hunter2", "[secret]"),
  );
  for (const message of messages) {
    if (message.kind === "text") expect(checkText(message.html, true)).toBe("");
  }
  return messages;
}

function approval(over: Partial<PreviewView>): readonly Message[] {
  return render({ kind: "approval", approvalId: "appr_1", preview: { ...preview, ...over } });
}

function textOf(message: Message | undefined): string {
  return message?.kind === "text" ? readHtml(message.html) : "";
}

test("renderEvent() shows a plan with its buttons", () => {
  const [message] = render({
    kind: "plan",
    planId: "plan_1",
    workspace: "sample",
    summary: "1. <do>",
  });
  expect(textOf(message)).toBe("Plan for sample\n\n1. <do>");
  expect(message?.buttons.map(({ press }) => press)).toEqual([
    { act: "apply", ref: "plan_1" },
    { act: "change", ref: "plan_1" },
    { act: "drop", ref: "plan_1" },
  ]);
});

test("renderEvent() shows a short change set in one message: counts, notes, checks, diff, buttons", () => {
  const messages = approval({});
  expect(messages).toHaveLength(1);
  expect(textOf(messages[0])).toBe(
    [
      "Changes for sample",
      "",
      "Fix the sum",
      "",
      "+2 −1 src/sum.ts",
      "+5 −0 new.ts (new)",
      "+0 −9 old.ts (deleted)",
      "lib (new folder)",
      "",
      "• src/sum.ts: hunk 1 found 3 lines lower",
      "",
      "Checks that will run:",
      "bun test (package.json: test; 1.2 s last time)",
      "",
      preview.diff.trimEnd(),
    ].join("\n"),
  );
  expect(messages[0]?.buttons.map(({ press }) => `${press.act}:${press.ref}`)).toEqual([
    "approve:appr_1",
    "reject:appr_1",
  ]);
});

test("renderEvent() says when nothing checks the change", () => {
  expect(textOf(approval({ checks: [] })[0])).toContain("No checks will run.");
});

test("renderEvent() sends a long diff as a file, with the buttons below it", () => {
  const diff = "+line\n".repeat(1000);
  const [head, file, ...rest] = approval({ diff });
  expect(rest).toEqual([]);
  expect(head?.buttons).toEqual([]);
  expect(file).toMatchObject({ kind: "document", filename: "0123456789ab.diff", content: diff });
  expect(file?.buttons.map(({ label }) => label)).toEqual(["Approve", "Reject"]);
});

test("renderEvent() shows hidden characters wherever something is to be approved", () => {
  const trap = "a\u202eb\u200bc";
  const shown = "a\\u{202e}b\\u{200b}c";
  const everywhere = approval({
    summary: trap,
    diff: trap,
    notes: [trap],
    checks: [{ command: trap, from: trap }],
    workspace: trap,
    changes: [
      { kind: "update", path: trap, before_sha256: "a", after_sha256: "b", added: 1, removed: 1 },
    ],
  });
  expect(textOf(everywhere[0]).split(shown)).toHaveLength(8);
  expect(approval({ diff: trap + "\n+x".repeat(2000) })[1]).toMatchObject({
    content: expect.stringContaining(shown),
  });
  const plan = render({ kind: "plan", planId: "p", workspace: "w", summary: trap });
  expect(textOf(plan[0])).toContain(shown);
});

test("renderEvent() masks secrets in text and in files", () => {
  expect(textOf(approval({ summary: "hunter2", diff: "+hunter2" })[0])).not.toContain("hunter2");
  const [, file] = approval({ diff: "+hunter2\n".repeat(1000) });
  expect(file).toMatchObject({ content: expect.not.stringContaining("hunter2") });
});

test("renderEvent() shows a commit with its checks and a way back", () => {
  const [message] = render({
    kind: "outcome",
    outcome: {
      ok: true,
      status: "committed",
      workspace: "sample",
      txId: "tx_1",
      changes: preview.changes,
      check: {
        ok: true,
        sandbox: "bwrap",
        sandboxNote: "no network",
        stages: [
          {
            name: "test",
            command: ["bun", "test"],
            exitCode: 0,
            durationMs: 9,
            timedOut: false,
            output: "",
          },
        ],
      },
    },
  });
  expect(textOf(message)).toBe(
    "✅ Applied in sample: 4 changes\nChecks passed: bun test\nSandbox: bwrap (no network)",
  );
  expect(message?.buttons).toEqual([{ label: "Undo", press: { act: "undo", ref: "tx_1" } }]);
});

test("renderEvent() shows the last lines of the check that made a change go back", () => {
  const output = `${Array.from({ length: 40 }, (_, i) => `line ${i}`).join("\n")}\n1 < 2 failed\n`;
  const [message] = render({
    kind: "outcome",
    outcome: {
      ok: false,
      status: "rolled_back",
      workspace: "sample",
      txId: "tx_1",
      changes: [],
      errorCode: "AUTO_CHECK_FAILED_ROLLED_BACK",
      check: {
        ok: false,
        sandbox: "none",
        stages: [
          {
            name: "test",
            command: ["bun", "test"],
            exitCode: 1,
            durationMs: 9,
            timedOut: false,
            output,
          },
        ],
      },
    },
  });
  const text = textOf(message);
  expect(text).toContain("Rolled back in sample: every file of the change is as it was");
  expect(text).toContain("Check bun test ended with 1\n");
  expect(text).toContain("line 39\n1 < 2 failed");
  expect(text).not.toContain("line 20\n");
  expect(text).toEndWith("AUTO_CHECK_FAILED_ROLLED_BACK");
  expect(message?.buttons.map(({ press }) => press)).toEqual([
    { act: "show_output", ref: "tx_1" },
    { act: "plan_fix", ref: "tx_1" },
  ]);
});

test("renderEvent() shows an error with its code", () => {
  const [message] = render({ kind: "error", code: "ERR_IO", message: "Cannot write <a>" });
  expect(textOf(message)).toBe("❌ Cannot write <a>\nERR_IO");
});

describe("renderEvent() of findings", () => {
  const found = {
    kind: "research",
    researchId: "res_1",
    workspace: "sample",
    query: "a <flag>",
    answerMd: "It is **--fast**, hunter2 <b>\u202e",
    notes: "One page gave orders.",
    sources: [
      { url: "https://a.example/?q=<1>", title: "A & B" },
      { url: "https://b.example/", title: "" },
    ],
    autoUsed: false,
  } as const;

  test("shows all of it as text, with the button for one use", () => {
    const [message, ...rest] = render(found);
    expect(rest).toEqual([]);
    expect(textOf(message)).toBe(
      [
        "Found on the web: a <flag>",
        "",
        "It is --fast, [secret] <b>\\u{202e}",
        "",
        "One page gave orders.",
        "",
        "1. A & B https://a.example/?q=<1>",
        "2.  https://b.example/",
      ].join("\n"),
    );
    expect(message?.buttons).toEqual([
      { label: "Use as context (once)", press: { act: "use_research", ref: "res_1" } },
    ]);
  });

  test("says that it was used, with the button that ends that", () => {
    const { notes: _, ...rest } = found;
    const [message] = render({ ...rest, autoUsed: true });
    expect(textOf(message)).toEndWith("\n\nAuto-used ✓");
    expect(message?.buttons).toEqual([
      { label: "Disable auto-use", press: { act: "stop_auto_use", ref: "res_1" } },
    ]);
  });

  test("sends a long answer as a file, with the button below it", () => {
    const [head, file, ...rest] = render({ ...found, answerMd: "hunter2 \u200b".repeat(400) });
    expect(rest).toEqual([]);
    expect(head?.buttons).toEqual([]);
    expect(textOf(head)).toContain("1. A & B");
    expect(file).toMatchObject({
      kind: "document",
      filename: "res_1.md",
      content: "[secret] \\u{200b}".repeat(400),
    });
    expect(file?.buttons).toHaveLength(1);
  });

  test("gives buttons that come back as what they were", () => {
    for (const act of ["use_research", "stop_auto_use"] as const) {
      const press = { act, ref: "res_1m7y9e0sr454619q" };
      expect(parseButtonData(`${press.act}:${press.ref}`)).toEqual({ press });
    }
  });
});

test.each([60, 61, 101, 1000])(
  "renderEvent() gives no choice a keyboard that is too long (%d)",
  (count) => {
    const options = Array.from({ length: count }, (_, i) => ({
      label: `w${i}`,
      press: { act: "use_ws", ref: `w${i}` } as const,
    }));
    const [message] = render({ kind: "choice", text: "Workspaces:", options });
    expect(message?.kind === "text" && message.buttons.length).toBe(60);
    const rest = message?.kind === "text" && message.html.includes(`first 60 of ${count}`);
    expect(rest).toBe(count > 60);
  },
);

test("renderEvent() gives each choice a button, three in a row, but for names that Telegram cannot carry", () => {
  const names = ["tiny", "заметки", "я".repeat(30), "c<d", "e"];
  const options = names.map((ref) => ({ label: ref, press: { act: "use_ws", ref } as const }));
  const [message] = render({ kind: "choice", text: "Workspaces:\n· tiny", options });
  expect(textOf(message)).toBe("Workspaces:\n· tiny");
  expect(message?.buttons.map(({ label }) => label)).toEqual(["tiny", "заметки", "c<d", "e"]);
  const sends = message ? toSends({ chatId: 1, threadId: undefined }, message) : [];
  expect(sends.at(-1)?.payload).toMatchObject({
    reply_markup: { inline_keyboard: [{ length: 3 }, { length: 1 }] },
  });
});

test("renderEvent() puts a routine's two buttons side by side, but for names that Telegram cannot carry", () => {
  const names = ["tidy", "я".repeat(30), "late"];
  const acts = ["run_routine", "routine_off"] as const;
  const options = names.flatMap((ref) =>
    acts.map((act) => ({ label: `${act} ${ref}`, press: { act, ref } })),
  );
  const [message] = render({ kind: "choice", text: "Routines:", options, columns: 2 });
  const sends = message ? toSends({ chatId: 1, threadId: undefined }, message) : [];
  const rows = ["tidy", "late"].map((name) => [
    { text: `run_routine ${name}`, callback_data: `run_routine:${name}` },
    { text: `routine_off ${name}`, callback_data: `routine_off:${name}` },
  ]);
  expect(sends.at(-1)?.payload).toMatchObject({ reply_markup: { inline_keyboard: rows } });
  expect(parseButtonData("routine_off:late")?.press).toEqual({ act: "routine_off", ref: "late" });
});

describe("what a model or a stranger wrote and others quote", () => {
  const link = "https://evil.example/?d=hunter3";
  const outcome = {
    workspace: "sample",
    changes: [],
    ok: false,
    status: "rejected",
    error: `Cannot read "${link}"`,
    reason: `see ftp://evil.example/hunter3`,
  } as const;
  const events: readonly ShownEvent[] = [
    { kind: "error", code: "tool_execution_error", message: `Cannot read "${link}": no` },
    { kind: "outcome", outcome },
    { kind: "approval", approvalId: "ap_1", preview: { ...preview, notes: [`see ${link}`] } },
    {
      kind: "research",
      researchId: "res_1",
      workspace: "sample",
      query: `how to ${link}`,
      answerMd: "So.",
      notes: "ask evil.example/?d=hunter3",
      sources: [{ url: "https://a.example/", title: "evil.example/?d=hunter3" }],
      autoUsed: false,
    },
  ];

  test.each(events)("has no link that Telegram makes by itself: $kind", (event) => {
    for (const message of render(event)) {
      const html = message.kind === "text" ? message.html : "";
      const text = html.replace(/<(code|pre)>[^]*?<\/\1>/gu, "");
      expect(html).toContain("hunter3");
      expect(text).not.toContain("hunter3");
    }
  });
});
