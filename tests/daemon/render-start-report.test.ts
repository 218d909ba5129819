import { describe, expect, test } from "bun:test";
import {
  renderStartReport,
  type StartFacts,
} from "../../src/daemon/start-report/render-start-report.ts";
import { textsIn } from "../../src/texts/texts.ts";

const NOTHING: StartFacts = {
  recovered: [],
  unreported: [],
  interrupted: [],
  answering: [],
  cutOff: [],
  missed: [],
  madeUp: [],
  waiting: [],
};
const FROM = new Date(2026, 10, 21, 8, 0).getTime();
const MINUTE = 60_000;

function away(minutes: number, wasClean: boolean): StartFacts {
  return { ...NOTHING, down: { from: FROM, to: FROM + minutes * MINUTE, wasClean } };
}

describe("renderStartReport()", () => {
  test("says nothing of the first start, nor of a short stop in order that left nothing", () => {
    expect(renderStartReport(NOTHING, textsIn("en").start)).toBeUndefined();
    expect(renderStartReport(away(0.9, true), textsIn("en").start)).toBeUndefined();
  });

  test("says from when to when nobody was there, and how it had ended", () => {
    expect(renderStartReport(away(12, true), textsIn("en").start)).toBe(
      "papa-yu is back. It was stopped from 2026-11-21 08:00 to 08:12.",
    );
    expect(renderStartReport(away(0.1, false), textsIn("en").start)).toBe(
      "papa-yu is back. It ended unexpectedly and was down from about 2026-11-21 08:00 to 08:00.",
    );
  });

  test("names the day of the end when it is another one", () => {
    expect(renderStartReport(away(24 * 60, true), textsIn("en").start)).toEndWith(
      "from 2026-11-21 08:00 to 2026-11-22 08:00.",
    );
  });

  test("speaks after a short stop in order when something waits", () => {
    const report = renderStartReport(
      { ...away(0.1, true), waiting: ["notes: add a README"] },
      textsIn("en").start,
    );
    expect(report).toEndWith("\nStill waiting for your answer:\n• notes: add a README");
  });

  test("names each kind of thing it found, in the order of weight", () => {
    const facts: StartFacts = {
      ...away(12, false),
      recovered: ["a"],
      interrupted: ["b"],
      cutOff: ["c"],
      answering: ["d"],
      missed: ["tidy ×3"],
      madeUp: ["tidy"],
      waiting: ["g"],
    };
    for (const language of ["en", "ru", "zh"] as const) {
      const report = renderStartReport(facts, textsIn(language).start) ?? "";
      const entries = report.split("\n").filter((line) => line.startsWith("• "));
      expect(entries).toEqual(["• a", "• b", "• c", "• d", "• tidy ×3", "• tidy", "• g"]);
      expect(report).not.toContain("undefined");
    }
  });

  test("shows a few of many, short, and nothing hidden in them", () => {
    const answering = Array.from({ length: 9 }, (_, index) => `${index}\n\u202e${"x".repeat(500)}`);
    const report = renderStartReport({ ...NOTHING, answering }, textsIn("en").start) ?? "";
    const lines = report.split("\n");
    expect(lines).toHaveLength(8);
    expect(lines.at(-1)).toBe("• + 4");
    expect(report).not.toContain("\u202e");
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(170);
  });
});
