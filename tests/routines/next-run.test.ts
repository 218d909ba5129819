import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { dueBetween, nextRuns, validateSchedule } from "../../src/routines/next-run.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const BERLIN = "Europe/Berlin";
const NEW_YORK = "America/New_York";

function next(schedule: string, timezone: string, from: string, count: number): string[] {
  const runs = nextRuns(schedule, timezone, Date.parse(from), count);
  return runs.map((run) => new Date(run).toISOString().slice(0, 16));
}

describe("nextRuns()", () => {
  test.each([
    ["30 2 * * *", BERLIN, "2026-03-28T12:00Z", ["2026-03-29T01:00", "2026-03-30T00:30"]],
    ["0,30 2 * * *", BERLIN, "2026-03-28T12:00Z", ["2026-03-29T01:00", "2026-03-30T00:00"]],
    ["*/30 2 * * *", BERLIN, "2026-03-28T12:00Z", ["2026-03-29T01:00", "2026-03-30T00:00"]],
    ["0 2-3 * * *", BERLIN, "2026-03-28T12:00Z", ["2026-03-29T01:00", "2026-03-30T00:00"]],
    ["30 2 * * *", NEW_YORK, "2026-03-07T12:00Z", ["2026-03-08T07:00", "2026-03-09T06:30"]],
    ["0 30 2 8 3 *", NEW_YORK, "2026-03-07T12:00Z", ["2026-03-08T07:00", "2027-03-08T07:30"]],
  ])("runs %p in %p once after a skipped time", (schedule, timezone, from, expected) => {
    expect(next(schedule, timezone, from, 2)).toEqual(expected);
  });

  test.each([
    ["30 2 * * *", BERLIN, "2026-10-24T12:00Z", ["2026-10-25T00:30", "2026-10-26T01:30"]],
    ["*/30 2 * * *", BERLIN, "2026-10-25T00:00Z", ["2026-10-25T00:30", "2026-10-26T01:00"]],
    ["0 */2 * * *", BERLIN, "2026-10-25T00:00Z", ["2026-10-25T03:00", "2026-10-25T05:00"]],
    ["30 1 * * *", NEW_YORK, "2026-10-31T12:00Z", ["2026-11-01T05:30", "2026-11-02T06:30"]],
    ["30 1 * * *", NEW_YORK, "2026-11-01T06:10Z", ["2026-11-02T06:30", "2026-11-03T06:30"]],
  ])("runs %p in %p once at a repeated time", (schedule, timezone, from, expected) => {
    expect(next(schedule, timezone, from, 2)).toEqual(expected);
  });

  test("follows the hours that pass when the hour is a star", () => {
    const spring = nextRuns("15 * * * *", BERLIN, Date.parse("2026-03-28T22:30:00Z"), 24);
    const autumn = nextRuns("15 * * * *", BERLIN, Date.parse("2026-10-24T22:30:00Z"), 24);
    for (const runs of [spring, autumn]) {
      const gaps = runs.slice(1).map((run, index) => run - (runs[index] ?? 0));
      expect(new Set(gaps)).toEqual(new Set([3_600_000]));
    }
  });

  test("reads the minutes of a zone that is half an hour off, whatever the hour", () => {
    for (const hour of ["*", "*/1", "?", "0-23"]) {
      expect(next(`15 ${hour} * * *`, "Asia/Kolkata", "2026-05-01T00:00Z", 2)).toEqual([
        "2026-05-01T00:45",
        "2026-05-01T01:45",
      ]);
    }
  });

  test("keeps half-hour changes and a whole day that a zone left out", () => {
    expect(next("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00Z", 1)).toEqual([
      "2026-10-03T15:30",
    ]);
    expect(next("0 12 30 12 *", "Pacific/Apia", "2011-12-29T00:00Z", 1)).toEqual([
      "2011-12-30T10:00",
    ]);
  });

  test("returns nothing for a date that never comes", () => {
    expect(next("0 0 30 2 *", "UTC", "2026-01-01T00:00Z", 3)).toEqual([]);
  });
});

describe("dueBetween()", () => {
  const zone = fc.constantFrom("UTC", BERLIN, NEW_YORK, "Australia/Lord_Howe", "Asia/Kolkata");
  const schedule = fc.constantFrom(
    "30 2 * * *",
    "*/20 1-3 * * *",
    "* 2 * * *",
    "15 * * * *",
    "*/30 * * * *",
    "0 8 * * 1",
    "15 30 1 1 * *",
  );
  const start = fc.integer({ min: Date.parse("2026-01-01"), max: Date.parse("2026-12-31") });
  const length = fc.integer({ min: 0, max: 86_400_000 });

  test("finds backwards what nextRuns() finds forwards", () => {
    fc.assert(
      fc.property(schedule, zone, start, length, (pattern, timezone, after, span) => {
        const until = after + span;
        const forwards = nextRuns(pattern, timezone, after, 80).filter((run) => run <= until);
        expect(dueBetween(pattern, timezone, after, until, 80)).toEqual(forwards);
      }),
      { numRuns: 40 },
    );
  });

  test("finds them around both changes of clocks", () => {
    for (const [timezone, day] of [
      [BERLIN, "2026-03-29"],
      [BERLIN, "2026-10-25"],
      [NEW_YORK, "2026-03-08"],
      [NEW_YORK, "2026-11-01"],
    ] as const) {
      const midnight = Date.parse(`${day}T00:00:00Z`);
      for (let minute = 0; minute < 600; minute += 15) {
        const until = midnight + minute * 60_000;
        const after = until - 5 * 3_600_000;
        const forwards = nextRuns("*/30 1-2 * * *", timezone, after, 20);
        expect(dueBetween("*/30 1-2 * * *", timezone, after, until, 20)).toEqual(
          forwards.filter((run) => run <= until),
        );
      }
    }
  });

  test("includes its end, leaves out its start and keeps the newest", () => {
    const eight = Date.parse("2026-05-01T08:00:00Z");
    expect(dueBetween("0 8 * * *", "UTC", eight - 1, eight, 9)).toEqual([eight]);
    expect(dueBetween("0 8 * * *", "UTC", eight, eight + 1, 9)).toEqual([]);
    expect(dueBetween("* * * * *", "UTC", NOW - 86_400_000, NOW, 2)).toEqual([NOW - 60_000, NOW]);
  });
});

describe("validateSchedule()", () => {
  test.each(["0 8 * * *", "30 0 8 * * MON-FRI", " 0  8 1 * * ", "0 0 L * *", "0 0 29 2 *"])(
    "accepts %p",
    (schedule) => {
      expect(validateSchedule(schedule, BERLIN, NOW)).toBeUndefined();
    },
  );

  test.each([
    ["", "1 fields"],
    ["@daily", "1 fields"],
    ["* * * *", "4 fields"],
    ["0 0 8 * * * 2027", "7 fields"],
    ["* * * * * *", "more than once a minute"],
    ["*/30 * * * * *", "more than once a minute"],
    ["0,30 0 8 * * *", "more than once a minute"],
    ["61 8 * * *", "61"],
    ["0 8 * * someday", "write e.g."],
    ["0 0 30 2 *", "never comes due"],
  ])("refuses %p: %s", (schedule, reason) => {
    const failure = validateSchedule(schedule, BERLIN, NOW);
    expect(failure?.code).toBe("ERR_ROUTINE_INVALID");
    expect(failure?.message).toContain(`"${schedule}"`);
    expect(failure?.message).toContain(reason);
  });

  test("refuses a timezone nobody knows", () => {
    expect(validateSchedule("0 8 * * *", "Mars/Base", NOW)?.message).toContain('"Mars/Base"');
    expect(validateSchedule("0 8 * * *", "", NOW)?.code).toBe("ERR_ROUTINE_INVALID");
  });
});
