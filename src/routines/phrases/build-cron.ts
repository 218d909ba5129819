import type { Texts } from "../../texts/texts.ts";
import type { Part, Token } from "./token.ts";

/** Why words make no schedule. */
export type Refusal = keyof Texts["schedule"]["refused"];

/** A cron pattern, or why there is none. */
export type Built =
  | { readonly ok: true; readonly cron: string }
  | { readonly ok: false; readonly why: Refusal };

type Of<Kind extends Token["kind"]> = Extract<Token, { readonly kind: Kind }>;
type Period = Of<"period">["unit"];
interface Time {
  readonly hour: number;
  readonly minute: number;
}

/** Builds the cron pattern that tokens mean, or refuses what can mean several or none. */
export function buildCron(tokens: readonly Token[]): Built {
  const refused = pick(tokens, "refused")[0];
  if (refused) return no(refused.why);
  const times = readTimes(tokens);
  if (times === undefined) return no("impossible_time");
  const days = readDays(tokens);
  if (!days.ok) return days;
  const intervals = pick(tokens, "interval");
  if (intervals.length > 0) return buildInterval(intervals, readWindow(times, tokens), days.cron);
  if (times.length === 0) return no("no_time");
  if (days.cron === "") return no("no_day");
  if (isSpan(tokens)) return no("mixed");
  const minutes = new Set(times.map(({ minute }) => minute));
  if (minutes.size > 1) return no("mixed_minutes");
  const hours = toList(times.map(({ hour }) => hour));
  return yes(`${times[0]?.minute} ${hours} ${days.cron}`);
}

/** "every 2 hours", on some days or between two hours. */
function buildInterval(
  [interval, another]: readonly Of<"interval">[],
  window: Window | "unclear",
  days: string,
): Built {
  if (interval === undefined || another !== undefined || window === "unclear") return no("mixed");
  const step = toStep(interval);
  if (step === undefined) return no("uneven_interval");
  if (!isWholeHours(window)) return no("mixed");
  const fields =
    step.unit === "hour" ? everyHours(step.every, window) : everyMinutes(step.every, window);
  return yes(`${fields} ${days === "" ? "* * *" : days}`);
}

/** Between which times of day an interval is repeated; without any, all day. */
type Window = readonly [from: Time, to: Time] | "all day";

function readWindow(times: readonly Time[], tokens: readonly Token[]): Window | "unclear" {
  const [from, to, third] = times;
  if (from === undefined) return "all day";
  return to !== undefined && third === undefined && hasTo(tokens) ? [from, to] : "unclear";
}

function isWholeHours(window: Window): boolean {
  if (window === "all day") return true;
  const [from, to] = window;
  return from.minute === 0 && to.minute === 0 && from.hour < to.hour;
}

/** Cron can only repeat what fits evenly into its hour or day; 60 minutes are an hour. */
function toStep(interval: Of<"interval">): Of<"interval"> | undefined {
  const { every, unit } = interval;
  if (unit === "minute" && every === 60) return { ...interval, every: 1, unit: "hour" };
  const whole = unit === "hour" ? 24 : 60;
  return every >= 1 && every < whole && whole % every === 0 ? interval : undefined;
}

function everyHours(every: number, window: Window): string {
  const hours = window === "all day" ? "*" : `${window[0].hour}-${window[1].hour}`;
  return `0 ${hours}${every > 1 ? `/${every}` : ""}`;
}

/** The last hour is not begun: until 17:00 ends at 16:59. */
function everyMinutes(every: number, window: Window): string {
  const hours = window === "all day" ? "*" : `${window[0].hour}-${window[1].hour - 1}`;
  return `${every === 1 ? "*" : `*/${every}`} ${hours}`;
}

/** What is said of days. */
interface Days {
  readonly isDaily: boolean;
  readonly hasPart: boolean;
  readonly weekdays: readonly number[];
  readonly dates: readonly (number | "L")[];
  readonly months: readonly number[];
}

/** Day of month, month and day of week; empty when nothing is said of days. */
function readDays(tokens: readonly Token[]): Built {
  const days: Days = {
    isDaily: pick(tokens, "daily").length > 0,
    hasPart: pick(tokens, "part").length > 0,
    weekdays: readWeekdays(tokens),
    dates: pick(tokens, "date").map(({ day }) => day),
    months: pick(tokens, "month").map(({ month }) => month),
  };
  const periods = new Set(pick(tokens, "period").map(({ unit }) => unit));
  if (isMixed(days)) return no("mixed");
  if (lacksDay(days, periods)) return no("no_day");
  if (days.dates.some((day) => !fits(day, days.months))) return no("missing_date");
  return yes(dayFields(days));
}

function isMixed({ isDaily, weekdays, dates }: Days): boolean {
  return [isDaily, weekdays.length > 0, dates.length > 0].filter(Boolean).length > 1;
}

/** Whether a week, month or year is named without saying which of its days. */
function lacksDay({ weekdays, dates, months }: Days, periods: ReadonlySet<Period>): boolean {
  if (periods.has("week") && weekdays.length === 0) return true;
  if (periods.has("year") && months.length === 0) return true;
  const needsDate = periods.has("month") || periods.has("year") || months.length > 0;
  return needsDate && dates.length === 0;
}

function dayFields({ isDaily, hasPart, weekdays, dates, months }: Days): string {
  if (weekdays.length > 0) return `* * ${toList(weekdays)}`;
  if (dates.length > 0) {
    const month = months.length > 0 ? toList(months) : "*";
    return `${dates.includes("L") ? "L" : toList(dates.map(Number))} ${month} *`;
  }
  return isDaily || hasPart ? "* * *" : "";
}

const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether every month in question has the date, so that none is left out in silence. */
function fits(day: number | "L", months: readonly number[]): boolean {
  if (day === "L") return true;
  const wanted = months.length > 0 ? months : [2];
  return (
    day >= 1 && wanted.every((month) => day <= (month === 2 ? 28 : (MONTH_DAYS[month - 1] ?? 0)))
  );
}

/** Single days and ranges such as monday to friday, also over the week's end. */
function readWeekdays(tokens: readonly Token[]): number[] {
  const days = new Set<number>();
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "weekdays") continue;
    const before = tokens[index - 2];
    const [to = 0] = token.days;
    if (tokens[index - 1]?.kind === "to" && before?.kind === "weekdays") {
      for (let day = before.days.at(-1) ?? 0; day !== to; day = (day + 1) % 7) days.add(day);
    }
    token.days.forEach((day) => days.add(day));
  }
  return [...days];
}

/** Times of day; undefined when one of them is none. */
function readTimes(tokens: readonly Token[]): readonly Time[] | undefined {
  const general = pick(tokens, "part")[0]?.part;
  const times = tokens.flatMap((token): (Time & { readonly part?: Part })[] => {
    if (token.kind === "number") return [{ hour: token.value, minute: 0 }];
    return token.kind === "at" ? [token] : [];
  });
  const read = times.map((time) => toTime(time, time.part ?? general));
  return read.every((time) => time !== undefined) ? read : undefined;
}

function toTime({ hour, minute }: Time, part: Part | undefined): Time | undefined {
  if (hour > 23 || minute > 59) return undefined;
  switch (part) {
    case undefined:
      return { hour, minute };
    case "am":
      return hour > 12 ? undefined : { hour: hour % 12, minute };
    case "noon":
      return { hour: hour < 11 ? hour + 12 : hour, minute };
    case "pm":
      return { hour: hour < 12 ? hour + 12 : hour, minute };
    case "evening":
    case "night": {
      if (hour === 12) return { hour: 0, minute };
      const isLate = hour >= (part === "evening" ? 4 : 7) && hour < 12;
      return { hour: isLate ? hour + 12 : hour, minute };
    }
    default:
      return part satisfies never;
  }
}

function hasTo(tokens: readonly Token[]): boolean {
  return tokens.some(({ kind }) => kind === "to") || pick(tokens, "preposition").length > 0;
}

/** A range between two times, which only an interval can fill. */
function isSpan(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ kind }, index) => kind === "to" && ["at", "number"].includes(tokens[index - 1]?.kind ?? ""),
  );
}

function pick<Kind extends Token["kind"]>(tokens: readonly Token[], kind: Kind): Of<Kind>[] {
  return tokens.filter((token): token is Of<Kind> => token.kind === kind);
}

/** 1-5 for a row of three or more, 1,5 otherwise. */
function toList(values: readonly number[]): string {
  const sorted = [...new Set(values)].toSorted((a, b) => a - b);
  const [first = 0] = sorted;
  const isRow = sorted.length > 2 && sorted.every((value, index) => value === first + index);
  return isRow ? `${first}-${sorted.at(-1)}` : sorted.join(",");
}

function yes(cron: string): Built {
  return { ok: true, cron };
}

function no(why: Refusal): Built {
  return { ok: false, why };
}
