import { describe, expect, test } from "bun:test";
import { languageOf } from "../../src/core/language.ts";
import { parseSchedule } from "../../src/routines/parse-schedule.ts";
import { type Texts, textsIn } from "../../src/texts/texts.ts";

const NOW = Date.parse("2026-05-01T06:00:00Z");

const UNDERSTOOD: readonly (readonly [phrase: string, cron: string])[] = [
  ["every day at 8", "0 8 * * *"],
  ["Every day at 8 am", "0 8 * * *"],
  ["daily at 8:05", "5 8 * * *"],
  ["every day at 8pm", "0 20 * * *"],
  ["every day at 12 am", "0 0 * * *"],
  ["every day at 12 pm", "0 12 * * *"],
  ["at 8 every day", "0 8 * * *"],
  ["each day at noon", "0 12 * * *"],
  ["every day at midnight", "0 0 * * *"],
  ["every morning at 7", "0 7 * * *"],
  ["every evening at 6", "0 18 * * *"],
  ["every night at 11", "0 23 * * *"],
  ["every night at 1", "0 1 * * *"],
  ["at 4 in the evening every day", "0 16 * * *"],
  ["every day at half past eight", "30 8 * * *"],
  ["every day at quarter past 7 p.m.", "15 19 * * *"],
  ["every day at 8 and 18", "0 8,18 * * *"],
  ["every day at 8, 12 and 18:00", "0 8,12,18 * * *"],
  ["daily at 9 in the morning", "0 9 * * *"],
  ["every day at 9 o'clock", "0 9 * * *"],
  ["every weekday at 9:30", "30 9 * * 1-5"],
  ["on weekdays at 18:00", "0 18 * * 1-5"],
  ["every working day at seven", "0 7 * * 1-5"],
  ["weekends at 10", "0 10 * * 0,6"],
  ["every monday and friday at 18:00", "0 18 * * 1,5"],
  ["every Monday at 9", "0 9 * * 1"],
  ["mondays at 9", "0 9 * * 1"],
  ["on tue, thu at 14:15", "15 14 * * 2,4"],
  ["monday to friday at 6", "0 6 * * 1-5"],
  ["friday to sunday at 21:00", "0 21 * * 0,5,6"],
  ["every sunday at 8 in the evening", "0 20 * * 0"],
  ["every week on friday at 17:00", "0 17 * * 5"],
  ["weekly on monday at 9", "0 9 * * 1"],
  ["every 2 hours", "0 */2 * * *"],
  ["every two hours", "0 */2 * * *"],
  ["every hour", "0 * * * *"],
  ["hourly", "0 * * * *"],
  ["every 15 minutes", "*/15 * * * *"],
  ["every fifteen minutes", "*/15 * * * *"],
  ["every minute", "* * * * *"],
  ["every half hour", "*/30 * * * *"],
  ["every 60 minutes", "0 * * * *"],
  ["every 2 hours on weekdays", "0 */2 * * 1-5"],
  ["every hour from 9 to 17", "0 9-17 * * *"],
  ["every 2 hours between 8 and 18 on weekdays", "0 8-18/2 * * 1-5"],
  ["every 15 minutes from 9 to 17", "*/15 9-16 * * *"],
  ["on the 1st of each month at 7", "0 7 1 * *"],
  ["on the first day of every month at 7", "0 7 1 * *"],
  ["on the 1st and 15th of every month at 6:30", "30 6 1,15 * *"],
  ["monthly on the 5th at 9", "0 9 5 * *"],
  ["on the last day of the month at 20:00", "0 20 L * *"],
  ["every year on january 1st at 9", "0 9 1 1 *"],
  ["on the 31st of december at 12", "0 12 31 12 *"],
  ["0 8 * * *", "0 8 * * *"],
  ["*/5 8-18 * * MON-FRI", "*/5 8-18 * * MON-FRI"],
  ["0 30 9 1 * *", "0 30 9 1 * *"],
  ["каждый день в 8", "0 8 * * *"],
  ["ежедневно в 8:30", "30 8 * * *"],
  ["каждый день в 8 утра", "0 8 * * *"],
  ["каждый день в 8 вечера", "0 20 * * *"],
  ["каждый день в 3 часа дня", "0 15 * * *"],
  ["каждый день в час дня", "0 13 * * *"],
  ["каждый день в полдень", "0 12 * * *"],
  ["каждый день в полночь", "0 0 * * *"],
  ["каждое утро в 7", "0 7 * * *"],
  ["по вечерам в 9", "0 21 * * *"],
  ["каждый день в 2 часа ночи", "0 2 * * *"],
  ["каждый день в 12 ночи", "0 0 * * *"],
  ["каждый день в половине девятого", "30 8 * * *"],
  ["каждый день в 8 и в 18", "0 8,18 * * *"],
  ["каждый понедельник в 9 утра", "0 9 * * 1"],
  ["по понедельникам в 9", "0 9 * * 1"],
  ["в 9 по понедельникам и средам", "0 9 * * 1,3"],
  ["каждый понедельник и пятницу в 18:00", "0 18 * * 1,5"],
  ["каждую среду в семь вечера", "0 19 * * 3"],
  ["в субботу и воскресенье в 10", "0 10 * * 0,6"],
  ["с понедельника по пятницу в 9", "0 9 * * 1-5"],
  ["пн-пт в 9:15", "15 9 * * 1-5"],
  ["по будням в 18:30", "30 18 * * 1-5"],
  ["каждый рабочий день в 9", "0 9 * * 1-5"],
  ["по выходным в 11", "0 11 * * 0,6"],
  ["каждые 15 минут", "*/15 * * * *"],
  ["каждые полчаса", "*/30 * * * *"],
  ["каждый час", "0 * * * *"],
  ["каждые 2 часа", "0 */2 * * *"],
  ["каждые два часа по будням", "0 */2 * * 1-5"],
  ["раз в час", "0 * * * *"],
  ["раз в 6 часов", "0 */6 * * *"],
  ["каждый час с 9 до 17", "0 9-17 * * *"],
  ["1 числа каждого месяца в 7", "0 7 1 * *"],
  ["1-го числа каждого месяца в 7 утра", "0 7 1 * *"],
  ["первого числа каждого месяца в 7:00", "0 7 1 * *"],
  ["ежемесячно 15 числа в 10", "0 10 15 * *"],
  ["в последний день месяца в 20:00", "0 20 L * *"],
  ["еженедельно в пятницу в 17:00", "0 17 * * 5"],
  ["каждый год 1-го января в 9", "0 9 1 1 *"],
  ["每天8点", "0 8 * * *"],
  ["每天早上8点", "0 8 * * *"],
  ["每天早8点", "0 8 * * *"],
  ["每天晚8点", "0 20 * * *"],
  ["每天下午3点", "0 15 * * *"],
  ["每天下午三点半", "30 15 * * *"],
  ["每天晚上十点", "0 22 * * *"],
  ["每天8点一刻", "15 8 * * *"],
  ["每天早上八点三刻", "45 8 * * *"],
  ["每天8点整", "0 8 * * *"],
  ["每天中午12点", "0 12 * * *"],
  ["每天凌晨2点", "0 2 * * *"],
  ["每天8:30", "30 8 * * *"],
  ["每天早上8点15分", "15 8 * * *"],
  ["每天18点", "0 18 * * *"],
  ["每晚9点", "0 21 * * *"],
  ["每天8点和18点", "0 8,18 * * *"],
  ["每周一早上9点半", "30 9 * * 1"],
  ["每星期五下午6点", "0 18 * * 5"],
  ["周一和周五18:00", "0 18 * * 1,5"],
  ["每周一、三、五上午十点", "0 10 * * 1,3,5"],
  ["周一到周五9点", "0 9 * * 1-5"],
  ["工作日晚上8点", "0 20 * * 1-5"],
  ["每个工作日9:30", "30 9 * * 1-5"],
  ["周末上午10点", "0 10 * * 0,6"],
  ["每周日晚上八点", "0 20 * * 0"],
  ["每两小时", "0 */2 * * *"],
  ["每隔2个小时", "0 */2 * * *"],
  ["每小时", "0 * * * *"],
  ["每15分钟", "*/15 * * * *"],
  ["每十五分钟", "*/15 * * * *"],
  ["每半小时", "*/30 * * * *"],
  ["每月1号7点", "0 7 1 * *"],
  ["每月十五日上午9点", "0 9 15 * *"],
  ["每月最后一天晚上8点", "0 20 L * *"],
  ["每年1月1日9点", "0 9 1 1 *"],
];

const REFUSED: readonly (readonly [phrase: string, why: keyof Texts["schedule"]["refused"]])[] = [
  ["every 30 seconds", "seconds"],
  ["every second", "seconds"],
  ["sometimes", "vague"],
  ["tomorrow at 8", "vague"],
  ["every other day at 8", "stride"],
  ["every 3 days at 8", "stride"],
  ["every 2 weeks on monday at 9", "stride"],
  ["every day", "no_time"],
  ["every morning", "no_time"],
  ["every monday", "no_time"],
  ["at 8", "no_day"],
  ["weekly at 9", "no_day"],
  ["monthly at 9", "no_day"],
  ["every year at 9", "no_day"],
  ["every day at 25:00", "impossible_time"],
  ["every day at 8:75", "impossible_time"],
  ["every day at 24:00", "impossible_time"],
  ["every day at 15 am", "impossible_time"],
  ["every 7 hours", "uneven_interval"],
  ["every 45 minutes", "uneven_interval"],
  ["every 0 minutes", "uneven_interval"],
  ["every 90 minutes", "uneven_interval"],
  ["on the 31st of each month at 7", "missing_date"],
  ["on the 30th at 7", "missing_date"],
  ["on the 30th of february at 7", "missing_date"],
  ["on the 0th of each month at 7", "missing_date"],
  ["every monday and the 1st at 7", "mixed"],
  ["every 2 hours at 9", "mixed"],
  ["every day from 9 to 17", "mixed"],
  ["every 2nd monday at 9", "mixed"],
  ["every hour at 30", "impossible_time"],
  ["每天8点到9点", "mixed"],
  ["каждый день с 9 до 17", "mixed"],
  ["every 2 hours and every 5 minutes", "mixed"],
  ["every day at 8:30 and 18:00", "mixed_minutes"],
  ["каждые 10 секунд", "seconds"],
  ["иногда", "vague"],
  ["через день в 8", "stride"],
  ["каждые 3 дня в 8", "stride"],
  ["каждый день", "no_time"],
  ["в 8", "no_day"],
  ["каждый день в 25:00", "impossible_time"],
  ["каждые 7 часов", "uneven_interval"],
  ["31 числа каждого месяца в 7", "missing_date"],
  ["каждый день в 8:30 и 18:00", "mixed_minutes"],
  ["每30秒", "seconds"],
  ["有时", "vague"],
  ["每隔一天8点", "stride"],
  ["每三天8点", "stride"],
  ["每天", "no_time"],
  ["8点", "no_day"],
  ["每天25点", "impossible_time"],
  ["每7小时", "uneven_interval"],
  ["每月31号7点", "missing_date"],
  ["每天8点半和18点", "mixed_minutes"],
];

const STRANGE = [
  "every day except sunday at 8",
  "on the first monday of each month at 9",
  "last friday of the month at 5",
  "twice a day",
  "каждую вторую среду в 9",
  "каждый день кроме воскресенья в 8",
  "每月第一个周一9点",
  "除周日外每天8点",
  "when the moon is full",
  "every blue monday at 9",
  "every day at eightish",
  "каждый день в обед",
  "每天有空的时候",
  "every day at 8; rm -rf /",
  "@daily",
  "",
  "💤",
  "every ".repeat(50),
  `每周${"一、".repeat(5000)}`,
  `every day at ${"8 and ".repeat(20_000)}`,
];

describe("parseSchedule()", () => {
  test.each(UNDERSTOOD)("reads %p as %p", (phrase, cron) => {
    expect(parseSchedule(phrase, "Europe/Berlin", NOW)).toMatchObject({ ok: true, schedule: cron });
  });

  test.each(REFUSED)("refuses %p: %s", (phrase, why) => {
    const read = parseSchedule(phrase, "UTC", NOW);
    expect(read).toMatchObject({ ok: false, code: "ERR_ROUTINE_INVALID" });
    const { refused, examples } = textsIn(languageOf(phrase)).schedule;
    expect(read.ok ? "" : read.message).toEndWith(refused[why] + examples);
  });

  test.each(STRANGE)("refuses %p and gives examples", (phrase) => {
    const read = parseSchedule(phrase, "UTC", NOW);
    expect(read.ok ? "" : read.message).toMatch(/every day at 8|каждый день в 8|每天8点/u);
  });

  test("gives the next three instants in the timezone", () => {
    const read = parseSchedule("every weekday at 9:30", "Europe/Berlin", NOW);
    const next = read.ok ? read.next.map((at) => new Date(at).toISOString()) : [];
    expect(next).toEqual([
      "2026-05-01T07:30:00.000Z",
      "2026-05-04T07:30:00.000Z",
      "2026-05-05T07:30:00.000Z",
    ]);
  });

  test("refuses a cron pattern that is none, and an unknown timezone", () => {
    expect(parseSchedule("* * * * * *", "UTC", NOW).ok).toBe(false);
    expect(parseSchedule("0 0 30 2 *", "UTC", NOW).ok).toBe(false);
    expect(parseSchedule("every day at 8", "Mars/Base", NOW)).toMatchObject({ ok: false });
  });

  test("answers in the language asked for", () => {
    const read = parseSchedule("sometimes", "UTC", NOW, "en");
    expect(read.ok ? "" : read.message).toContain("it names no time");
  });
});

test("parseSchedule() reads every instant of a day in Chinese numerals, by tens and digit by digit", () => {
  const DIGITS = Array.from("零一二三四五六七八九");
  const byTens = (n: number): string => {
    const [tens, ones] = [Math.floor(n / 10), n % 10];
    const head = tens === 0 ? "" : `${tens === 1 ? "" : DIGITS[tens]}十`;
    return head + (ones === 0 && tens > 0 ? "" : DIGITS[ones]);
  };
  const byDigits = (n: number) => Array.from(String(n), (digit) => DIGITS[Number(digit)]).join("");
  for (let minute = 1; minute < 60; minute++) {
    const hour = (minute * 7) % 24;
    for (const say of [byTens, byDigits, String]) {
      const phrase = `每天${say(hour)}点${say(minute)}分`;
      const parsed = parseSchedule(phrase, "UTC", NOW);
      expect({ phrase, parsed }).toMatchObject({
        phrase,
        parsed: { ok: true, schedule: `${minute} ${hour} * * *` },
      });
    }
  }
});
