import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Reading } from "../../src/trace/read-traces.ts";
import { buildReport, type ReportWindow } from "../../src/trace/report/report.ts";
import type { StoredTrace } from "../../src/trace/stored-trace.ts";
import { applyTrace, NOW } from "./traces-scene.ts";

const DAY = 86_400_000;
const LAST_100: ReportWindow = { kind: "last", count: 100 };

/** Applies of which the first is the newest, an hour apart. */
function toReadings(applies: readonly Partial<StoredTrace>[]): readonly Reading[] {
  return applies.map((fields, n) => ({ kind: "trace", trace: applyTrace(n * 3_600_000, fields) }));
}

function times(count: number, fields: Partial<StoredTrace> = {}): readonly Partial<StoredTrace>[] {
  return Array.from({ length: count }, () => fields);
}

function fallback(reason: string, fields: Partial<StoredTrace> = {}): Partial<StoredTrace> {
  return { protocol_fallback_attempted: true, protocol_fallback_reason: reason, ...fields };
}

const REPAIRED = { protocol_repair_attempt: 1 } as const;
const FAILED = { event: "VALIDATION_FAILED", error_code: "ERR_SCHEMA_VALIDATION" } as const;

describe("buildReport()", () => {
  test("counts no correction: it is no apply of its own", async () => {
    const applies = [{ fix: { round: 1 } }, {}, { fix: { round: 2 }, ...FAILED }];
    const report = await buildReport(toReadings(applies), LAST_100);
    expect(report).toMatchObject({ apply_count: 1, failed_count: 0 });
  });

  test("gives every number of a mixed set", async () => {
    const injected = { repair_injected_sha256: true, repair_injected_paths: ["a.ts", "b.ts"] };
    const again = { repair_injected_sha256: true, repair_injected_paths: ["b.ts", "b.ts"] };
    const applies = [
      fallback("ERR_PATCH_APPLY_FAILED", REPAIRED),
      fallback("ERR_NON_UTF8_FILE"),
      { ...REPAIRED, ...injected, cost: 0.5 },
      { ...REPAIRED, ...again, cost: 0.25 },
      { ...REPAIRED, ...FAILED },
      fallback("ERR_PATCH_APPLY_FAILED", {
        error_code: "ERR_JSON_PARSE",
        event: "VALIDATION_FAILED",
      }),
      fallback("ERR_EDIT_AMBIGUOUS"),
      ...times(3, { tokens: { input: 100, output: 10 } }),
    ];
    expect(await buildReport(toReadings(applies), LAST_100)).toMatchObject({
      from: new Date(NOW - 9 * 3_600_000).toISOString(),
      to: new Date(NOW).toISOString(),
      apply_count: 10,
      failed_count: 2,
      fallback_count: 4,
      fallback_rate: 0.4,
      fallback_rate_excluding_non_utf8: 0.3,
      fallback_by_reason: {
        ERR_PATCH_APPLY_FAILED: 2,
        ERR_NON_UTF8_FILE: 1,
        ERR_EDIT_AMBIGUOUS: 1,
      },
      fallback_by_group: {
        EDIT: 1,
        PATCH: 2,
        ENCODING: 1,
        LLM_FORMAT: 0,
        SAFETY: 0,
        V2_UPDATE: 0,
        OTHER: 0,
      },
      error_by_code: { ERR_JSON_PARSE: 1, ERR_SCHEMA_VALIDATION: 1 },
      error_by_group: { LLM_FORMAT: 2, OTHER: 0 },
      repair_attempt_rate: 0.4,
      repair_success_rate: 0.5,
      repair_to_fallback_rate: 0.25,
      sha_injection_rate: 0.2,
      top_repair_injected_paths: [
        { path: "b.ts", count: 2 },
        { path: "a.ts", count: 1 },
      ],
      tokens: { input: 300, output: 30 },
      cost: 0.75,
      previous: { apply_count: 0, fallback_rate: 0, from: null, to: null, cost: null },
    });
  });

  test("counts applies only", async () => {
    const repairedPlan = { ...REPAIRED, tokens: { input: 9, output: 9 }, cost: 9 };
    const others = [
      { mode: "plan", event: "LLM_PLAN_OK", ...repairedPlan },
      { mode: "chat", event: "TURN_OK" },
    ] as const;
    const report = await buildReport(toReadings([...others, {}, ...others]), LAST_100);
    expect(report).toMatchObject({ apply_count: 1, repair_attempt_rate: 0, cost: null });
    expect(report.tokens).toEqual({ input: 0, output: 0 });
  });

  test("sums up by group, what it does not know as OTHER", async () => {
    const codes =
      "ERR_EDIT_NO_EDITS ERR_JSON_PARSE ERR_BASE_MISMATCH ERR_PROTECTED_PATH ERR_NON_UTF8_FILE ERR_V2_UPDATE_EXISTING_FORBIDDEN LLM_REQUEST __proto__".split(
        " ",
      );
    const applies = codes.map((error_code) => ({ event: "VALIDATION_FAILED", error_code }));
    const report = await buildReport(toReadings(applies), LAST_100);
    expect(report.error_by_group).toEqual({
      EDIT: 1,
      LLM_FORMAT: 1,
      PATCH: 1,
      SAFETY: 1,
      ENCODING: 1,
      V2_UPDATE: 1,
      OTHER: 2,
    });
    expect(Object.keys(report.error_by_code)).toHaveLength(8);
  });

  test("takes the newest N, and as many before them", async () => {
    const applies = [...times(3), ...times(2, FAILED), fallback("ERR_PATCH_AMBIGUOUS")];
    const report = await buildReport(toReadings(applies), { kind: "last", count: 3 });
    expect(report).toMatchObject({ apply_count: 3, failed_count: 0, fallback_count: 0 });
    expect(report.previous).toMatchObject({ apply_count: 3, failed_count: 2, fallback_count: 1 });
  });

  test("takes a period with its first instant and without its last, and as long a one before", async () => {
    const ages = [0, 1, DAY, DAY + 1, 2 * DAY, 2 * DAY + 1];
    const readings = ages.map((age) => ({ kind: "trace" as const, trace: applyTrace(age) }));
    const window = { kind: "period", from: NOW - DAY, to: NOW } as const;
    const report = await buildReport(readings, window);
    expect(report.apply_count).toBe(2);
    expect(report.previous.apply_count).toBe(2);
    expect(report.graduation.apply_count).toBe(6);
  });

  test("reads no further than the window and the verdict need", async () => {
    let read = 0;
    function* endless(): Generator<Reading> {
      for (; ; read++) yield { kind: "trace", trace: applyTrace(read) };
    }
    await buildReport(endless(), { kind: "last", count: 10 });
    expect(read).toBe(100);
    read = 0;
    await buildReport(endless(), { kind: "period", from: NOW - 499, to: NOW + 1 });
    expect(read).toBe(1000);
  });

  test("names what is no trace, and counts what it no longer names", async () => {
    const bad = Array.from({ length: 150 }, (_, n) => {
      return { kind: "unreadable" as const, file: `${n}.json`, reason: "it is empty" };
    });
    const report = await buildReport([...bad, ...toReadings([{}])], LAST_100);
    expect(report).toMatchObject({ apply_count: 1, skipped_count: 150 });
    expect(report.skipped).toHaveLength(100);
    expect(report.skipped[0]).toEqual({ file: "0.json", reason: "it is empty" });
  });

  test("has rates between 0 and 1 and groups that add up, whatever the traces say", async () => {
    const code = fc.constantFrom("ERR_PATCH_APPLY_FAILED", "ERR_NON_UTF8_FILE", "LLM_REQUEST");
    const apply = fc.record(
      {
        event: fc.constantFrom("LLM_APPLY_OK", "VALIDATION_FAILED"),
        error_code: code,
        protocol_repair_attempt: fc.constantFrom(0 as const, 1 as const),
        protocol_fallback_attempted: fc.boolean(),
        protocol_fallback_reason: code,
        repair_injected_sha256: fc.boolean(),
      },
      { requiredKeys: ["event"] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(apply), async (applies) => {
        const report = await buildReport(toReadings(applies), LAST_100);
        const rates = Object.entries(report).filter(([key]) => /_rate/.test(key));
        for (const [, rate] of rates) expect(rate).toBeWithin(0, 1.000001);
        const sum = Object.values(report.fallback_by_group).reduce((a, b) => a + b);
        expect(sum).toBe(report.fallback_count);
      }),
    );
  });
});

describe("graduation", () => {
  const SAFE = "v2-only is safe: set protocol.fallback_to_v1 = false";
  const judge = async (applies: readonly Partial<StoredTrace>[]) =>
    (await buildReport(toReadings(applies), { kind: "last", count: 1 })).graduation;

  test("is reached by 100 applies without a fallback, older ones do not matter", async () => {
    const old = times(50, fallback("ERR_PATCH_APPLY_FAILED"));
    expect(await judge([...times(100), ...old])).toMatchObject({
      apply_count: 100,
      ready: true,
      verdict: SAFE,
    });
  });

  test.each<[string, readonly Partial<StoredTrace>[]]>([
    ["files in another encoding", times(5, fallback("ERR_NON_UTF8_FILE"))],
    [
      "patches that the repair healed",
      times(9, { ...REPAIRED, repair_code: "ERR_PATCH_APPLY_FAILED" }),
    ],
    ["failures of the provider", times(9, { event: "LLM_REQUEST", error_code: "LLM_REQUEST" })],
  ])("leaves %s out of account", async (_, some) => {
    expect((await judge([...some, ...times(100)])).verdict).toBe(SAFE);
  });

  test.each<[string, readonly Partial<StoredTrace>[], readonly string[]]>([
    ["too few applies", times(99), ["100 applies known (found: 99)"]],
    [
      "a fallback",
      [fallback("ERR_EDIT_AMBIGUOUS"), ...times(99)],
      ["fallback_rate under 1 % (found: 1 of 100, 1.0 %)"],
    ],
    [
      "a patch that only the fallback healed",
      [fallback("ERR_PATCH_APPLY_FAILED"), ...times(99)],
      [
        "fallback_rate under 1 %",
        "ERR_PATCH_APPLY_FAILED under 1 % (found: 1 of 100, 1.0 %)",
        "healed by repair more often than by fallback (found: 0 by repair, 1 by fallback)",
      ],
    ],
    [
      "a patch that nothing healed",
      [{ event: "VALIDATION_FAILED", error_code: "ERR_PATCH_APPLY_FAILED" }, ...times(99)],
      ["ERR_PATCH_APPLY_FAILED under 1 %"],
    ],
    [
      "a forbidden update",
      [
        { event: "VALIDATION_FAILED", error_code: "ERR_V2_UPDATE_EXISTING_FORBIDDEN" },
        ...times(99),
      ],
      ["no ERR_V2_UPDATE_EXISTING_FORBIDDEN (found: 1)"],
    ],
    ["nothing at all", [], ["100 applies known (found: 0)"]],
  ])("is refused for %s, and says why", async (_, applies, reasons) => {
    const { ready, verdict, rules } = await judge(applies);
    expect(ready).toBe(false);
    expect(verdict).toStartWith("v2-only is not safe yet");
    for (const reason of reasons) expect(verdict).toContain(reason);
    expect(rules.filter(({ ok }) => !ok)).toHaveLength(reasons.length);
  });
});
