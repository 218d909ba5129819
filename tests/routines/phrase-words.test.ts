import { describe, expect, test } from "bun:test";
import { languageOf } from "../../src/core/language.ts";
import { parseSchedule } from "../../src/routines/parse-schedule.ts";
import { textsIn } from "../../src/texts/texts.ts";

const NOW = Date.parse("2026-05-01T06:00:00Z");

/** The pattern, or why there is none. */
function read(phrase: string): string {
  const parsed = parseSchedule(phrase, "UTC", NOW);
  if (parsed.ok) return parsed.schedule;
  const why = Object.entries(textsIn(languageOf(phrase)).schedule.refused).find(([, text]) =>
    parsed.message.includes(text),
  );
  return why?.[0] ?? parsed.message;
}

type Hour = (hour: number) => number | undefined;

/** What people mean by an hour of a part of the day, from 0 to 23; undefined: nothing. */
const MEANT: Readonly<Record<string, Hour>> = {
  morning: (hour) => (hour > 12 ? undefined : hour % 12),
  afternoon: (hour) => (hour < 12 ? hour + 12 : hour),
  evening: (hour) => (hour === 12 ? 0 : hour >= 4 && hour < 12 ? hour + 12 : hour),
  night: (hour) => (hour === 12 ? 0 : hour >= 7 && hour < 12 ? hour + 12 : hour),
  noon: (hour) => (hour < 11 ? hour + 12 : hour),
  none: (hour) => hour,
};

const PARTS: readonly (readonly [keyof typeof MEANT, (hour: number) => string])[] = [
  ["none", (hour) => `every day at ${hour}`],
  ["none", (hour) => `каждый день в ${hour}`],
  ["none", (hour) => `每天${hour}点`],
  ["morning", (hour) => `every morning at ${hour}`],
  ["morning", (hour) => `every day at ${hour} in the morning`],
  ["morning", (hour) => `каждое утро в ${hour}`],
  ["morning", (hour) => `каждый день утром в ${hour}`],
  ["morning", (hour) => `каждый день в ${hour} утра`],
  ["morning", (hour) => `每天早上${hour}点`],
  ["morning", (hour) => `每天凌晨${hour}点`],
  ["afternoon", (hour) => `every afternoon at ${hour}`],
  ["afternoon", (hour) => `every day at ${hour} in the afternoon`],
  ["afternoon", (hour) => `in the afternoon every day at ${hour}`],
  ["afternoon", (hour) => `каждый день днем в ${hour}`],
  ["afternoon", (hour) => `каждый день в ${hour} дня`],
  ["afternoon", (hour) => `每天下午${hour}点`],
  ["evening", (hour) => `every evening at ${hour}`],
  ["evening", (hour) => `every day at ${hour} in the evening`],
  ["evening", (hour) => `in the evening every day at ${hour}`],
  ["evening", (hour) => `по вечерам в ${hour}`],
  ["evening", (hour) => `каждый день вечером в ${hour}`],
  ["evening", (hour) => `каждый день в ${hour} вечера`],
  ["evening", (hour) => `每天晚上${hour}点`],
  ["night", (hour) => `every night at ${hour}`],
  ["night", (hour) => `at night every day at ${hour}`],
  ["night", (hour) => `по ночам в ${hour}`],
  ["night", (hour) => `каждый день ночью в ${hour}`],
  ["night", (hour) => `каждый день в ${hour} ночи`],
  ["noon", (hour) => `每天中午${hour}点`],
];

describe("parseSchedule() reads every hour of a part of the day", () => {
  test.each(PARTS.map(([part, say]) => [say(8), part, say] as const))("%s", (_, part, say) => {
    for (let hour = 0; hour < 24; hour++) {
      const meant = MEANT[part]?.(hour);
      const expected = meant === undefined ? "impossible_time" : `0 ${meant} * * *`;
      expect([say(hour), read(say(hour))]).toEqual([say(hour), expected]);
    }
    expect(read(say(24))).toBe("impossible_time");
  });

  test.each([
    ["every day at noon", "0 12 * * *"],
    ["every day at midnight", "0 0 * * *"],
    ["каждый день в час ночи", "0 1 * * *"],
    ["каждый день в час дня", "0 13 * * *"],
    ["каждый день в полдень", "0 12 * * *"],
    ["каждый день в полночь", "0 0 * * *"],
    ["in the morning at 8", "0 8 * * *"],
    ["утром в 8", "0 8 * * *"],
    ["早上8点", "no_day"],
  ])("%s", (phrase, expected) => {
    expect(read(phrase)).toBe(expected);
  });
});

describe("parseSchedule() reads numbers as words", () => {
  const EVERY: Readonly<Record<string, readonly (readonly [number, string])[]>> = {
    "every N minutes": [
      [2, "two"],
      [3, "three"],
      [4, "four"],
      [5, "five"],
      [6, "six"],
      [10, "ten"],
      [12, "twelve"],
      [15, "fifteen"],
      [20, "twenty"],
      [30, "thirty"],
    ],
    "каждые N минут": [
      [2, "две"],
      [3, "три"],
      [4, "четыре"],
      [5, "пять"],
      [6, "шесть"],
      [10, "десять"],
      [12, "двенадцать"],
      [15, "пятнадцать"],
      [20, "двадцать"],
      [30, "тридцать"],
    ],
    每N分钟: [
      [2, "两"],
      [3, "三"],
      [10, "十"],
      [12, "十二"],
      [20, "二十"],
      [30, "三十"],
    ],
  };
  const cases = Object.entries(EVERY).flatMap(([phrase, words]) =>
    words.map(([count, word]) => [phrase.replace("N", word), `*/${count} * * * *`] as const),
  );
  test.each(cases)("%s", (phrase, expected) => {
    expect(read(phrase)).toBe(expected);
  });
});

test("parseSchedule() repeats what fits evenly into an hour or a day, and nothing else", () => {
  for (let every = 0; every <= 61; every++) {
    const whole = every >= 1 && every < 60 && 60 % every === 0;
    const step = every === 1 ? "* * * * *" : `*/${every} * * * *`;
    const expected = every === 60 ? "0 * * * *" : whole ? step : "uneven_interval";
    expect([every, read(`every ${every} minutes`)]).toEqual([every, expected]);
  }
  for (let every = 0; every <= 25; every++) {
    const whole = every >= 1 && every < 24 && 24 % every === 0;
    const step = every === 1 ? "0 * * * *" : `0 */${every} * * *`;
    const expected = whole ? step : "uneven_interval";
    expect([every, read(`every ${every} hours`)]).toEqual([every, expected]);
  }
});

describe("parseSchedule() repeats between two whole hours of one day", () => {
  test.each([
    ["every hour from 9 to 10", "0 9-10 * * *"],
    ["every hour from 9 to 9", "mixed"],
    ["every hour from 10 to 9", "mixed"],
    ["every hour from 9:30 to 17", "mixed"],
    ["every hour from 9 to 17:30", "mixed"],
    ["every hour from 9:30 to 17:30", "mixed"],
    ["every minute from 9 to 17", "* 9-16 * * *"],
    ["every 15 minutes from 9 to 10", "*/15 9-9 * * *"],
    ["every 15 minutes from 9 to 17 on weekdays", "*/15 9-16 * * 1-5"],
    ["every hour at 9", "mixed"],
    ["every hour from 9 to 12 to 17", "mixed"],
  ])("%s", (phrase, expected) => {
    expect(read(phrase)).toBe(expected);
  });
});

describe("parseSchedule() takes a date that every such month has", () => {
  const MONTHS: Readonly<Record<string, number>> = {
    january: 31,
    february: 28,
    march: 31,
    april: 30,
    may: 31,
    june: 30,
    july: 31,
    august: 31,
    september: 30,
    october: 31,
    november: 30,
    december: 31,
  };
  test.each(Object.entries(MONTHS).map(([month, days], at) => [month, days, at + 1] as const))(
    "of %s: %i",
    (month, days, number) => {
      for (let day = 0; day <= 32; day++) {
        const isThere = day >= 1 && day <= days;
        const expected = isThere ? `0 9 ${day} ${number} *` : "missing_date";
        expect([day, read(`every year on the ${day}th of ${month} at 9`)]).toEqual([day, expected]);
      }
    },
  );

  test("of every month", () => {
    for (let day = 0; day <= 32; day++) {
      const expected = day >= 1 && day <= 28 ? `0 9 ${day} * *` : "missing_date";
      expect([day, read(`monthly on the ${day}th at 9`)]).toEqual([day, expected]);
    }
  });
});

describe("parseSchedule() wants a day of a week, a month and a year", () => {
  test.each([
    ["weekly on monday at 9", "0 9 * * 1"],
    ["weekly on the 5th at 9", "no_day"],
    ["еженедельно 5 числа в 9", "no_day"],
    ["monthly on the 5th at 9", "0 9 5 * *"],
    ["monthly on monday at 9", "no_day"],
    ["yearly on january 5th at 9", "0 9 5 1 *"],
    ["yearly on the 5th at 9", "no_day"],
    ["yearly in january at 9", "no_day"],
    ["in january at 9", "no_day"],
    ["mondays in january at 9", "no_day"],
    ["every 2 hours in january", "no_day"],
    ["every 2 hours every month", "no_day"],
    ["every 2 hours every week", "no_day"],
    ["раз в год 5-го января в 9", "0 9 5 1 *"],
    ["раз в год 5 числа в 9", "no_day"],
    ["ежемесячно в 9", "no_day"],
    ["每年5号9点", "no_day"],
    ["每周5号9点", "no_day"],
  ])("%s", (phrase, expected) => {
    expect(read(phrase)).toBe(expected);
  });
});

describe("parseSchedule() writes days in a row as a row", () => {
  test.each([
    ["mondays and tuesdays at 9", "0 9 * * 1,2"],
    ["monday, tuesday and wednesday at 9", "0 9 * * 1-3"],
    ["monday, tuesday and thursday at 9", "0 9 * * 1,2,4"],
    ["wednesday, monday and tuesday at 9", "0 9 * * 1-3"],
    ["saturday to monday at 9", "0 9 * * 0,1,6"],
    ["sunday to sunday at 9", "0 9 * * 0"],
    ["monday 9 friday", "0 9 * * 1,5"],
    ["on the 1st, 2nd and 3rd of each month at 9", "0 9 1-3 * *"],
  ])("%s", (phrase, expected) => {
    expect(read(phrase)).toBe(expected);
  });
});
