import { describe, expect, test } from "bun:test";
import { type Autonomy, type CallFacts, decide, type Effect } from "../../src/security/policy.ts";

const LEVELS: readonly Autonomy[] = ["readonly", "supervised", "full"];

type State = "clean" | "files" | "named file" | "strangers" | "leaking";

/** What becomes of a call, by effect and context: readonly, supervised, full. */
const TABLE: readonly (readonly [Effect, State, string])[] = [
  ["none", "clean", "allow allow allow"],
  ["none", "strangers", "allow allow allow"],
  ["none", "leaking", "allow allow allow"],
  ["network", "clean", "allow allow allow"],
  ["network", "files", "allow allow allow"],
  ["network", "strangers", "allow allow allow"],
  ["network", "leaking", "deny ask ask"],
  ["send", "clean", "allow allow allow"],
  ["send", "files", "ask ask ask"],
  ["send", "named file", "allow allow allow"],
  ["send", "strangers", "ask ask ask"],
  ["send", "leaking", "ask ask ask"],
  ["note", "clean", "deny allow allow"],
  ["note", "files", "deny ask ask"],
  ["note", "strangers", "deny ask ask"],
  ["note", "leaking", "deny ask ask"],
  ["rule", "clean", "deny ask allow"],
  ["rule", "files", "deny ask ask"],
  ["rule", "strangers", "deny ask ask"],
  ["change", "clean", "deny ask allow"],
  ["change", "files", "deny ask allow"],
  ["change", "strangers", "deny ask ask"],
  ["change", "leaking", "deny ask ask"],
  ["person", "clean", "deny ask ask"],
  ["person", "files", "deny ask ask"],
  ["person", "strangers", "deny ask ask"],
  ["person", "leaking", "deny ask ask"],
];

const READINGS = {
  clean: "clean",
  files: "workspace",
  "named file": "workspace",
  strangers: "outside",
  leaking: "clean",
} as const satisfies Record<State, CallFacts["reading"]>;

function evaluate(level: Autonomy, effect: Effect, state: State, more: Partial<CallFacts> = {}) {
  return decide(level, {
    effect,
    reading: READINGS[state],
    leak: state === "leaking" ? "unnamed" : undefined,
    wasSaid: state === "named file",
    wasDenied: false,
    hasApprover: true,
    ...more,
  });
}

describe("decide()", () => {
  for (const [effect, state, row] of TABLE) {
    const expected = row.split(" ");
    test(`${effect} in a ${state} turn: ${row}`, () => {
      expect(LEVELS.map((level) => evaluate(level, effect, state).kind as string)).toEqual(
        expected,
      );
    });

    test(`${effect} in a ${state} turn: without an approver what would ask is denied`, () => {
      const kinds = LEVELS.map((level) => evaluate(level, effect, state, { hasApprover: false }));
      expect(kinds.map(({ kind }) => kind as string)).toEqual(
        expected.map((kind) => (kind === "ask" ? "deny" : kind)),
      );
    });

    test(`${effect} in a ${state} turn: after a no it is denied, but for a look`, () => {
      const kinds = LEVELS.map((level) => evaluate(level, effect, state, { wasDenied: true }));
      expect(kinds.map(({ kind }) => kind as string)).toEqual(
        expected.map((kind) => (effect === "none" ? kind : "deny")),
      );
    });
  }

  test("says that a yes would let it run exactly where it would have asked", () => {
    const needs = (level: Autonomy, more: Partial<CallFacts>) => {
      const decision = evaluate(level, "change", "clean", more);
      return decision.kind === "deny" && decision.denial.kind === "nobody";
    };
    expect(needs("supervised", { hasApprover: false })).toBe(true);
    expect(needs("readonly", { hasApprover: false })).toBe(false);
    expect(needs("supervised", { hasApprover: false, wasDenied: true })).toBe(false);
    expect(needs("full", { hasApprover: false })).toBe(false);
    expect(evaluate("supervised", "change", "clean", { hasApprover: false })).toMatchObject({
      kind: "deny",
      denial: { kind: "nobody", why: "supervised" },
    });
  });

  test("gives the reason of every question and denial", () => {
    expect(evaluate("supervised", "change", "clean")).toMatchObject({
      reason: "security.autonomy is supervised",
    });
    expect(evaluate("readonly", "change", "clean")).toMatchObject({
      reason: "security.autonomy is readonly",
    });
    expect(evaluate("full", "change", "clean", { hasApprover: false })).toEqual({ kind: "allow" });
    expect(evaluate("supervised", "change", "clean", { hasApprover: false })).toMatchObject({
      reason: expect.stringContaining("nobody is there to be asked"),
    });
    expect(evaluate("full", "note", "strangers", { wasDenied: true })).toMatchObject({
      reason: expect.stringContaining("said no"),
    });
  });
});
