import { Cron } from "croner";
import { errorMessage, type Failure } from "../core/app-error.ts";

/**
 * The next `count` instants of a schedule strictly after `fromMs`, ascending; fewer when it ends.
 *
 * A local time that a change of clocks skips runs once, at the first valid instant after the gap;
 * one that the clocks repeat runs at its first occurrence only. A schedule whose hour is `*` names
 * no local hour: it follows the hours that really pass, 23 or 25 of them on such a day.
 *
 * Croner keeps the first two rules only for a single hour and minute, so it walks the wall clock
 * here and the zone is applied afterwards.
 */
export function nextRuns(
  schedule: string,
  timezone: string,
  fromMs: number,
  count: number,
): number[] {
  const calendar = calendarOf(schedule, timezone);
  const runs: number[] = [];
  let wall: number | undefined = calendar.toWall(fromMs);
  while (runs.length < count) {
    wall = calendar.cron.nextRun(new Date(wall))?.getTime();
    if (wall === undefined) break;
    const instant = calendar.toInstant(wall);
    if (instant > (runs.at(-1) ?? fromMs)) runs.push(instant);
  }
  return runs;
}

/** The instants in (`afterMs`, `untilMs`], ascending; the newest `limit` of them. */
export function dueBetween(
  schedule: string,
  timezone: string,
  afterMs: number,
  untilMs: number,
  limit: number,
): number[] {
  const calendar = calendarOf(schedule, timezone);
  const dues: number[] = [];
  // One second on: croner looks strictly before, in whole seconds.
  let wall: number | undefined = calendar.latestWall(untilMs) + 1000;
  while (dues.length < limit) {
    wall = calendar.cron.previousRuns(1, new Date(wall))[0]?.getTime();
    const instant = wall === undefined ? -Infinity : calendar.toInstant(wall);
    if (wall === undefined || instant <= afterMs) break;
    if (instant <= untilMs && instant !== dues.at(-1)) dues.push(instant);
  }
  return dues.toReversed();
}

/** Why a schedule cannot be used (ERR_ROUTINE_INVALID), or undefined. */
export function validateSchedule(
  schedule: string,
  timezone: string,
  now: number,
): Failure | undefined {
  const fields = schedule.trim().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6) {
    return invalid(schedule, `it has ${fields.length} fields; write 5 or 6, e.g. "0 8 * * *"`);
  }
  if (fields.length === 6 && !/^\d+$/.test(fields[0] ?? "")) {
    return invalid(schedule, "it runs more than once a minute; write one second, e.g. 0");
  }
  if (!isTimezone(timezone)) {
    return invalid(schedule, `the timezone "${timezone}" is unknown; write e.g. "Europe/Berlin"`);
  }
  try {
    if (nextRuns(schedule, timezone, now, 1).length > 0) return undefined;
    return invalid(schedule, "it never comes due; check day and month");
  } catch (error) {
    return invalid(schedule, `${errorMessage(error)}; write e.g. "0 8 * * *"`);
  }
}

function invalid(schedule: string, why: string): Failure {
  const message = `Cannot use the schedule "${schedule}": ${why}`;
  return { ok: false, code: "ERR_ROUTINE_INVALID", message };
}

function isTimezone(name: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** When a clock in `to` shows what one in `from` showed at an instant. */
export function carryOver(instant: number, from: string, to: string): number {
  return toInstant(toWall(instant, from), to);
}

/** A cron walk over wall-clock readings, and how readings and instants correspond. */
interface Calendar {
  readonly cron: Cron;
  toWall(instant: number): number;
  /** The latest reading the clock has shown up to an instant. */
  latestWall(instant: number): number;
  toInstant(wall: number): number;
}

function calendarOf(schedule: string, timezone: string): Calendar {
  const mode = "5-or-6-parts";
  if (isEveryHour(schedule)) {
    const cron = new Cron(schedule, { timezone, mode });
    return { cron, toWall: same, latestWall: same, toInstant: same };
  }
  return {
    cron: new Cron(schedule, { timezone: "UTC", mode }),
    toWall: (instant) => toWall(instant, timezone),
    latestWall: (instant) => latestWall(instant, timezone),
    toInstant: (wall) => toInstant(wall, timezone),
  };
}

function same(instant: number): number {
  return instant;
}

function isEveryHour(schedule: string): boolean {
  return /^(\*(\/1)?|\?|0-23)$/.test(schedule.trim().split(/\s+/).at(-4) ?? "");
}

/** What a clock on the wall shows, as if it showed UTC. */
function toWall(instant: number, timezone: string): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
  return instant + zoned.offsetNanoseconds / 1e6;
}

/** Just before clocks were turned back, they showed a later time than they may show now. */
function latestWall(instant: number, timezone: string): number {
  const after = Temporal.Instant.fromEpochMilliseconds(instant + 1).toZonedDateTimeISO(timezone);
  const change = after.getTimeZoneTransition("previous")?.epochMilliseconds ?? instant;
  return Math.max(toWall(instant, timezone), toWall(change - 1, timezone));
}

/** The first instant at which the wall clock shows a reading, or has passed it. */
function toInstant(wall: number, timezone: string): number {
  const reading = Temporal.Instant.fromEpochMilliseconds(wall)
    .toZonedDateTimeISO("UTC")
    .toPlainDateTime();
  const zoned = reading.toZonedDateTime(timezone, { disambiguation: "earlier" });
  if (zoned.toPlainDateTime().equals(reading)) return zoned.epochMilliseconds;
  return zoned.getTimeZoneTransition("next")?.epochMilliseconds ?? zoned.epochMilliseconds;
}
