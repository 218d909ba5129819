import { describe, expect, test } from "bun:test";
import { type Autonomy, type CallFacts, decide, type Effect } from "../../src/security/policy.ts";

const LEVELS: readonly Autonomy[] = ["readonly", "supervised", "full"];

/** What becomes of a call, by effect and state of the turn: readonly, supervised, full. */
const TABLE: readonly (readonly [Effect, "clean" | "tainted" | "leaking", string])[] = [
  ["none", "clean", "allow allow allow"],
  ["none", "tainted", "allow allow allow"],
  ["none", "leaking", "allow allow allow"],
  ["network", "clean", "allow allow allow"],
  ["network", "tainted", "allow allow allow"],
  ["network", "leaking", "ask ask ask"],
  ["send", "clean", "allow allow allow"],
  ["send", "tainted", "ask ask ask"],
  ["send", "leaking", "ask ask ask"],
  ["note", "clean", "deny allow allow"],
  ["note", "tainted", "deny ask ask"],
  ["note", "leaking", "deny ask ask"],
  ["change", "clean", "deny ask allow"],
  ["change", "tainted", "deny ask ask"],
  ["change", "leaking", "deny ask ask"],
  ["person", "clean", "deny ask ask"],
  ["person", "tainted", "deny ask ask"],
  ["person", "leaking", "deny ask ask"],
];

function judge(level: Autonomy, effect: Effect, state: string, more: Partial<CallFacts> = {}) {
  return decide(level, {
    effect,
    isTainted: state !== "clean",
    mayLeak: state === "leaking",
    wasDenied: false,
    hasApprover: true,
    ...more,
  });
}

describe("decide()", () => {
  for (const [effect, state, row] of TABLE) {
    const expected = row.split(" ");
    test(`${effect} in a ${state} turn: ${row}`, () => {
      expect(LEVELS.map((level) => judge(level, effect, state).kind as string)).toEqual(expected);
    });

    test(`${effect} in a ${state} turn: without an approver what would ask is denied`, () => {
      const kinds = LEVELS.map((level) => judge(level, effect, state, { hasApprover: false }));
      expect(kinds.map(({ kind }) => kind as string)).toEqual(
        expected.map((kind) => (kind === "ask" ? "deny" : kind)),
      );
    });

    test(`${effect} in a ${state} turn: after a no it is denied, but for a look`, () => {
      const kinds = LEVELS.map((level) => judge(level, effect, state, { wasDenied: true }));
      expect(kinds.map(({ kind }) => kind as string)).toEqual(
        expected.map((kind) => (effect === "none" ? kind : "deny")),
      );
    });
  }

  test("an unseen address alone asks nothing of a clean turn", () => {
    expect(judge("full", "network", "clean", { mayLeak: true }).kind).toBe("allow");
  });

  test("gives the reason of every question and denial", () => {
    expect(judge("supervised", "change", "clean")).toMatchObject({
      reason: "security.autonomy is supervised",
    });
    expect(judge("readonly", "change", "clean")).toMatchObject({
      reason: "security.autonomy is readonly",
    });
    expect(judge("full", "change", "clean", { hasApprover: false })).toEqual({ kind: "allow" });
    expect(judge("supervised", "change", "clean", { hasApprover: false })).toMatchObject({
      reason: expect.stringContaining("nobody is there to be asked"),
    });
    expect(judge("full", "note", "tainted", { wasDenied: true })).toMatchObject({
      reason: expect.stringContaining("said no"),
    });
  });
});
