import { expect, test } from "bun:test";
import * as values from "../../src/store/settings/values.ts";
import * as stored from "../../src/store/stored-json.ts";
import * as change from "../../src/transaction/change.ts";
import { withWrongPart } from "../support/wrong-parts.ts";

const STAGE = {
  name: "test",
  command: ["bun", "test"],
  exitCode: 1,
  durationMs: 2,
  timedOut: false,
  output: "o",
  limitMs: 3,
  excess: { kind: "memory", limit: 4 },
};
const SIDE_EFFECTS = [{ path: "a", kind: "create", kept: false }];

/** What each guard takes, with every field that a value may have. */
const SAMPLES: readonly (readonly [is: (value: unknown) => boolean, ...samples: unknown[]])[] = [
  [
    stored.isMessage,
    { role: "user", content: "a" },
    { role: "system", content: "a" },
    {
      role: "assistant",
      content: "a",
      toolCalls: [
        { id: "1", name: "n", arguments: "{}" },
        { id: "2", name: "n", arguments: "{}" },
      ],
      aside: { provider: "p", model: "m", thoughts: "t", ofCalls: { "1": "{}" } },
    },
    { role: "tool", toolCallId: "1", content: "a", page: "p" },
  ],
  [
    stored.isShown,
    { kind: "said", text: "a" },
    {
      kind: "outcome",
      text: "a",
      ref: "tx_1",
      workspace: "w",
      elsewhere: true,
      actions: [
        { act: "undo", ref: "tx_1", label: "l" },
        { act: "plan_fix", ref: "tx_1", label: "l" },
      ],
    },
    { kind: "file", text: "a", file: { path: "a", absolute: "/a", sha256: "0", sizeBytes: 1 } },
  ],
  [
    stored.isAction,
    { kind: "CREATE_FILE", path: "a", content: "" },
    { kind: "UPDATE_FILE", path: "a", content: "" },
    { kind: "CREATE_DIR", path: "a" },
    { kind: "DELETE_FILE", path: "a" },
    { kind: "DELETE_DIR", path: "a" },
    { kind: "PATCH_FILE", path: "a", patch: "p", base_sha256: "b" },
    {
      kind: "REPLACE_RANGE",
      path: "a",
      base_sha256: "b",
      start_line: 1,
      end_line: 2,
      content: "c",
    },
    {
      kind: "EDIT_FILE",
      path: "a",
      base_sha256: "b",
      edits: [
        { op: "replace", anchor: "a", before: "b", after: "c", occurrence: 1, context_lines: 2 },
      ],
    },
  ],
  [stored.isVersion, 1, 2, 3],
  [stored.isTexts, ["a", "b"]],
  [stored.isTextMap, { a: "1", b: "2" }],
  [stored.isCounts, { a: 1, b: 2 }],
  [stored.isHits, [{ url: "u", title: "t", snippet: "s", date: "d" }]],
  [
    stored.isFindings,
    {
      answerMd: "a",
      confidence: 1,
      sources: [{ url: "u", title: "t", missing: "m" }],
      notes: "n",
    },
  ],
  [
    change.isCheckResult,
    {
      ok: false,
      stages: [STAGE, { ...STAGE, exitCode: null }],
      sandbox: "bwrap",
      sandboxNote: "n",
      sandboxGaps: ["g"],
      baseline: { ok: true, stages: [STAGE], isSame: true, before: ["b"], added: ["a"] },
    },
  ],
  [change.isFixNote, { why: "judges", paths: ["a"], code: "c" }],
  [change.isSideEffects, SIDE_EFFECTS],
  [
    change.isGeneration,
    { kind: "made", commands: ["c"], paths: ["a"], leftOut: SIDE_EFFECTS },
    {
      kind: "failed",
      command: "c",
      reason: "r",
      hosts: ["h"],
      programs: ["p"],
      moreHosts: 1,
      closedHosts: ["h"],
    },
    { kind: "skipped", commands: ["c"] },
  ],
  [
    values.isHeartbeat,
    {
      pid: 1,
      aliveAt: 2,
      isOver: true,
      launch: { configPath: "c", cwd: "/", isService: true },
      runner: "r",
      crashedAt: 3,
    },
  ],
  [values.isBrowser, { browser: "b", signedInAt: 1, secretSha256: "s", cookieSha256: "c" }],
  [values.isComment, { text: "t", path: "p", side: "before", line: 1, to: 2 }],
  [values.isDraft, { comments: [{ text: "t" }], unticked: [{ path: "p", hunks: [0] }] }],
  [values.isEarlier, { approvalId: "ap", comments: [{ text: "t" }], leftOut: [{ path: "p" }] }],
  [values.isBegunPass, { at: 1, removed: 2 }],
  [
    values.isRetentionPass,
    {
      at: 1,
      removed: 2,
      bytes: 3,
      endedAt: 4,
      fits: 5,
      failed: "f",
      failedParts: 6,
      cutOff: { at: 1, removed: 2 },
      heldSince: 7,
    },
  ],
  [values.isIdentity, { id: "i", seal: "s" }],
  [values.isMovedChat, { to: -1007, from: -7 }],
  [values.isFailedCheck, { planId: "p", userId: "u", fixedBy: "w", workspace: "w" }],
  [values.isChange, { planId: "p", outcome: {} }],
  [values.isAsked, { sessionId: "s", digest: "d", approvalId: "a" }],
  [values.isUnreported, { workId: "w", runner: "r", isReported: true }],
  [values.isAwaitedRevision, { planId: "p", userId: "u", until: 1 }],
  [values.isAttempt, { at: 1, runner: "r", code: "c", message: "m", said: "s" }],
  [values.isSidePlan, { sessionId: "s", userId: "u", mustAsk: false }],
  [values.isAllowed, { at: 1, origins: ["o"] }],
  [values.isToolList, { fingerprint: "f", at: 1, tools: [{}] }],
  [values.isSeenFile, { sides: ["a"], approvalId: "b", before: "c" }],
];

test("what is stored as JSON is believed whole, and with no part of another kind", () => {
  for (const [is, ...samples] of SAMPLES) {
    for (const sample of samples) {
      expect({ sample, isTaken: is(sample) }).toEqual({ sample, isTaken: true });
      for (const wrong of withWrongPart(sample)) {
        expect({ wrong, isTaken: is(wrong) }).toEqual({ wrong, isTaken: false });
      }
    }
  }
});

test("every guard of what is stored has its samples", () => {
  const guards = [stored, values, change].flatMap((room) => Object.entries(room));
  const named = guards.filter(([name]) => name.startsWith("is"));
  const known = new Set<unknown>(SAMPLES.map(([is]) => is));
  expect(named.filter(([, is]) => !known.has(is)).map(([name]) => name)).toEqual([]);
});
