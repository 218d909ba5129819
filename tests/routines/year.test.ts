import { describe, expect, test } from "bun:test";
import { dueBetween, nextRuns } from "../../src/routines/next-run.ts";
import { oneOf } from "../support/long.ts";
import { bench, patient, routine } from "./bench.ts";
import { FakeClock } from "./fake-clock.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const END = Date.parse("2027-01-01T00:00:00Z");
const MINUTE = 60_000;
const STEP = 15 * MINUTE;
const HOUR = 3_600_000;
const SPAN = 6 * HOUR;
const DAY = 24 * HOUR;

/** The first changes its clocks twice a year, by half an hour. */
const ZONES = oneOf(7, [
  "Australia/Lord_Howe",
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kolkata",
  "America/Sao_Paulo",
  "Africa/Casablanca",
]);

/** A schedule and the same said as sets; without hours it follows the hours that pass. */
interface Plan {
  readonly cron: string;
  readonly minutes: readonly number[];
  readonly hours?: readonly number[];
  readonly fits?: (day: Date) => boolean;
}

const isSunday = (day: Date) => day.getUTCDay() === 0;
const isChangeOfClocks = (day: Date) => day.getUTCMonth() === 9 && day.getUTCDate() === 25;
const isWorkday = (day: Date) => day.getUTCDay() % 6 !== 0;
const isLast = (day: Date) => new Date(day.getTime() + DAY).getUTCDate() === 1;

const PLANS: readonly Plan[] = [
  { cron: "30 * * * 0", minutes: [30], fits: isSunday },
  { cron: "*/30 * 25 10 *", minutes: [0, 30], fits: isChangeOfClocks },
  { cron: "0 0 * * *", minutes: [0], hours: [0] },
  { cron: "30 2 * * *", minutes: [30], hours: [2] },
  { cron: "0,30 2 * * *", minutes: [0, 30], hours: [2] },
  { cron: "15 1-3 * * *", minutes: [15], hours: [1, 2, 3] },
  { cron: "0 */6 * * *", minutes: [0], hours: [0, 6, 12, 18] },
  { cron: "59 23 * * *", minutes: [59], hours: [23] },
  { cron: "0 8 * * 1-5", minutes: [0], hours: [8], fits: isWorkday },
  { cron: "0 9 * * 1", minutes: [0], hours: [9], fits: (day) => day.getUTCDay() === 1 },
  { cron: "0 7 1 * *", minutes: [0], hours: [7], fits: (day) => day.getUTCDate() === 1 },
  { cron: "45 1 L * *", minutes: [45], hours: [1], fits: isLast },
];

describe("a year of due instants, as a walk over every minute with Intl says", () => {
  const table = new Map<string, ReadonlyMap<string, readonly number[]>>();
  for (const zone of ZONES) table.set(zone, walkYear(zone));

  test.each(ZONES)("nextRuns() and dueBetween() in %s miss none and double none", (zone) => {
    for (const { cron } of PLANS) {
      const expected = table.get(zone)?.get(cron) ?? [];
      const found = nextRuns(cron, zone, START, expected.length + 1);
      expect([cron, found.filter((at) => at < END)]).toEqual([cron, [...expected]]);
      const back = dueBetween(cron, zone, START, END - 1, 5000);
      expect([cron, back]).toEqual([cron, [...expected]]);
    }
  });

  test("the scheduler runs each one of weekdays, weeks and months once, asleep for hours at a time", async () => {
    const clock = new FakeClock("2026-01-01T00:00:00Z");
    const jobs = ZONES.flatMap((timezone) =>
      PLANS.slice(8).map(({ cron: schedule }) =>
        routine({ name: `${timezone} ${schedule}`, timezone, schedule, misfire: "all" }),
      ),
    );
    const { scheduler, started } = bench(clock, jobs);
    scheduler.start();
    for (let at = START; at < END - MINUTE; ) {
      at = Math.min(at + 11 * HOUR, END - MINUTE);
      clock.jumpTo(new Date(at).toISOString());
      scheduler.wake();
      await clock.advance(0);
    }
    await scheduler.stop(patient);
    const expected = jobs.flatMap(({ name, timezone, schedule }) => {
      const runs = table.get(timezone)?.get(schedule) ?? [];
      return runs.map((at) => `${name} ${new Date(at).toISOString()}`);
    });
    expect(started.toSorted()).toEqual(expected.toSorted());
  });
});

/** The instants of every plan in a zone: the first at which the clock shows a reading, or is past it. */
function walkYear(timeZone: string): ReadonlyMap<string, readonly number[]> {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "short",
  });
  const due = new Map(PLANS.map(({ cron }) => [cron, [] as number[]]));
  const readingAt = (at: number) => Date.parse(`${format.format(at).replace(" ", "T")}Z`);
  let most = -Infinity;
  let [known, offset, next] = [-Infinity, 0, 0];
  for (let quarter = START - DAY; quarter < END; quarter += STEP) {
    // Clocks are changed at full quarters of an hour only; within one, minutes simply pass. Where
    // six hours passed on the clock as well, none was changed within them.
    if (quarter >= known + SPAN) {
      known = quarter;
      offset = readingAt(quarter) - quarter;
      next = readingAt(quarter + SPAN) - quarter - SPAN;
    }
    const reading = offset === next ? quarter + offset : readingAt(quarter);
    for (let at = quarter, shown = reading; at < quarter + STEP; at += MINUTE, shown += MINUTE) {
      const isFirst = quarter < START;
      // Nothing is due then, and nothing was passed over.
      if (!MINUTES.has((shown / MINUTE) % 60) && shown === most + MINUTE) {
        most = shown;
        continue;
      }
      // After a gap several readings are new at once.
      const from = isFirst ? shown : Math.max(most + MINUTE, shown - 3 * HOUR);
      const plans = new Set(isFirst ? [] : hourlyAt(shown));
      for (let passed = from; passed <= shown; passed += MINUTE) addDue(plans, passed);
      if (at > START) for (const { cron } of plans) due.get(cron)?.push(at);
      most = Math.max(most, shown);
    }
  }
  return due;
}

function hourlyAt(shown: number): readonly Plan[] {
  const minute = (shown / MINUTE) % 60;
  if (minute % 30 > 0) return [];
  const day = new Date(shown);
  return PLANS.filter((it) => !it.hours && it.minutes.includes(minute) && it.fits?.(day));
}

/** Adds the plans with local hours that name a reading. */
function addDue(plans: Set<Plan>, shown: number): void {
  const minute = (shown / MINUTE) % 60;
  if (!MINUTES.has(minute)) return;
  const hour = Math.floor(shown / HOUR) % 24;
  for (const plan of PLANS) {
    if (!plan.minutes.includes(minute) || !plan.hours?.includes(hour)) continue;
    if (plan.fits?.(new Date(shown)) ?? true) plans.add(plan);
  }
}

const MINUTES = new Set(PLANS.flatMap(({ minutes }) => minutes));
