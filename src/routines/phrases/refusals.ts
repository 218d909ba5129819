import type { Language } from "../../core/language.ts";
import type { Refusal } from "./build-cron.ts";

const EXAMPLES: Readonly<Record<Language, string>> = {
  en: '; say e.g. "every day at 8", "every weekday at 9:30", "every 2 hours"',
  ru: "; скажите, например, «каждый день в 8», «по будням в 9:30», «каждые 2 часа»",
  zh: "；例如“每天8点”“工作日9:30”“每两小时”",
};

/** Why a schedule in words is not taken, with examples of what would be. */
export const REFUSALS: Readonly<Record<Refusal, Readonly<Record<Language, string>>>> = {
  seconds: withExamples("once a minute is the most", "чаще раза в минуту нельзя", "最多每分钟一次"),
  vague: withExamples("it names no time", "время не названо", "没有明确的时间"),
  stride: withExamples(
    "every so many days, weeks or months cannot be said in cron; name the days",
    "«через день» и подобное в cron не выразить; назовите дни",
    "cron 无法表示每隔几天、几周或几月；请写明日期",
  ),
  no_time: withExamples("the time of day is missing", "не сказано, в котором часу", "缺少具体时间"),
  no_day: withExamples("it does not say on which days", "не сказано, в какие дни", "缺少日期"),
  impossible_time: withExamples("no clock shows that time", "такого времени нет", "没有这个时间"),
  uneven_interval: withExamples(
    "the interval must divide an hour or a day evenly: 5, 10, 15, 20, 30 minutes or 1, 2, 3, 4, 6, 8, 12 hours",
    "промежуток должен делить час или сутки нацело: 5, 10, 15, 20, 30 минут или 1, 2, 3, 4, 6, 8, 12 часов",
    "间隔必须能整除一小时或一天：5、10、15、20、30 分钟或 1、2、3、4、6、8、12 小时",
  ),
  missing_date: withExamples(
    'not every month has that day; "on the last day of each month" has',
    "такое число есть не в каждом месяце; есть «в последний день месяца»",
    "不是每个月都有这一天；可用“每月最后一天”",
  ),
  mixed: withExamples(
    "it can be meant in several ways; make two routines of it",
    "это можно понять по-разному; сделайте две задачи",
    "含义不明确；请分成两个任务",
  ),
  mixed_minutes: withExamples(
    "one schedule cannot have times with different minutes; make two routines of it",
    "в одном расписании не может быть разных минут; сделайте две задачи",
    "一个计划不能包含不同的分钟；请分成两个任务",
  ),
};

/** What is said of words that stand for nothing known. */
export const UNKNOWN_WORDS: Readonly<Record<Language, (rest: string) => string>> = {
  en: (rest) => `"${rest.slice(0, 40)}" is not understood${EXAMPLES.en}`,
  ru: (rest) => `непонятно «${rest.slice(0, 40)}»${EXAMPLES.ru}`,
  zh: (rest) => `无法理解“${rest.slice(0, 40)}”${EXAMPLES.zh}`,
};

function withExamples(en: string, ru: string, zh: string): Readonly<Record<Language, string>> {
  return { en: en + EXAMPLES.en, ru: ru + EXAMPLES.ru, zh: zh + EXAMPLES.zh };
}
