import { nothing, type Part, type Rule, type Token } from "./token.ts";

const DIGITS = "零一二三四五六七八九";
const NUMBER = "(?:\\d+|[零〇一二两三四五六七八九十]+)";
const WEEK = "(?:周|星期|礼拜)";
const DAY = "[一二三四五六日天]";
const PARTS: Readonly<Record<string, Part>> = {
  凌晨: "am",
  半夜: "night",
  夜里: "night",
  早上: "am",
  早晨: "am",
  清晨: "am",
  上午: "am",
  早: "am",
  中午: "noon",
  下午: "pm",
  傍晚: "evening",
  晚上: "evening",
  晚: "evening",
};
const PART = Object.keys(PARTS).join("|");

/** Chinese; words have no spaces between them. */
export const CHINESE: readonly Rule[] = [
  [/[\s，,、。；！]+/u, nothing],
  rule(`每隔?${NUMBER}?秒钟?`, () => [{ kind: "refused", why: "seconds" }]),
  rule(`每隔一?(?:天|周|月)|隔天|每隔?(?:[两三四五六七八九十]|\\d+)个?(?:天|周|星期|个月)`, () => [
    { kind: "refused", why: "stride" },
  ]),
  rule("有时候?|偶尔|经常|时常|不时|明天|今天|以后|稍后|定期", () => [
    { kind: "refused", why: "vague" },
  ]),
  rule("每隔?半个?(?:小时|钟头)", () => [interval(30, "minute")]),
  rule("每隔?一?刻钟", () => [interval(15, "minute")]),
  rule(`每隔?(${NUMBER})?个?(小时|钟头|分钟?)`, ([, count, unit = ""]) => [
    interval(toNumber(count ?? "1"), unit.startsWith("分") ? "minute" : "hour"),
  ]),
  rule(`每?个?(?:工作日|平日)`, () => [{ kind: "weekdays", days: [1, 2, 3, 4, 5] }]),
  rule("每?个?周末", () => [{ kind: "weekdays", days: [0, 6] }]),
  rule(`每?个?${WEEK}((?:${DAY}[、和及]?)*${DAY})`, ([, days = ""]) => [
    {
      kind: "weekdays",
      days: days
        .replaceAll(/[、和及]/gu, "")
        .split("")
        .map(toDay),
    },
  ]),
  rule(`每个?(早上|早晨|上午|下午|晚上|凌晨|晚)`, ([, part = ""]) => [
    { kind: "daily" },
    toPart(part),
  ]),
  rule(
    `(${PART})(${NUMBER})(?:点钟?|时)(半|一刻|三刻|整|${NUMBER}分?)?`,
    ([, part, hour = "", minute]) => [at(hour, minute, part)],
  ),
  rule(`(${PART})?(\\d{1,2})[:：](\\d{2})(?![\\d:：])`, ([, part, hour = "", minute]) => [
    at(hour, minute, part),
  ]),
  rule(`(${NUMBER})(?:点钟?|时)(半|一刻|三刻|整|${NUMBER}分?)?`, ([, hour = "", minute]) => [
    at(hour, minute, undefined),
  ]),
  rule(`(?:每天|每日)(${PART})`, ([, part = ""]) => [{ kind: "daily" }, toPart(part)]),
  rule("每一?天|每日|天天", () => [{ kind: "daily" }]),
  rule(PART, ([part = ""]) => [toPart(part)]),
  rule("(?:每个?月|月)的?(?:最后一天|底|末)|最后一天|月末|月底", () => [
    { kind: "date", day: "L" },
  ]),
  rule(`(${NUMBER})月`, ([, month = ""]) => [{ kind: "month", month: toNumber(month) }]),
  rule(`(${NUMBER})(?:号|日)`, ([, day = ""]) => [{ kind: "date", day: toNumber(day) }]),
  rule(`每个?${WEEK}`, () => [{ kind: "period", unit: "week" }]),
  rule("每个?月", () => [{ kind: "period", unit: "month" }]),
  rule("每年", () => [{ kind: "period", unit: "year" }]),
  rule("到|至|-|–|~", () => [{ kind: "to" }]),
  rule("从", () => [{ kind: "preposition" }]),
  rule("的|在|和|与|及|都|于|请|每|运行|执行|之间|间", nothing),
];

function rule(pattern: string, toTokens: Rule[1]): Rule {
  return [new RegExp(pattern, "u"), toTokens];
}

function interval(every: number, unit: "minute" | "hour"): Token {
  return { kind: "interval", every, unit };
}

function toPart(text: string): { readonly kind: "part"; readonly part: Part } {
  return { kind: "part", part: PARTS[text] ?? "am" };
}

const MINUTES: Readonly<Record<string, number>> = { 半: 30, 一刻: 15, 三刻: 45, 整: 0 };

function at(hour: string, minute: string | undefined, part: string | undefined): Token {
  const said = minute ?? "整";
  const minutes = MINUTES[said] ?? toNumber(said.replace("分", ""));
  const time = { kind: "at", hour: toNumber(hour), minute: minutes } as const;
  return part === undefined ? time : { ...time, part: toPart(part).part };
}

function toDay(name: string): number {
  return name === "日" || name === "天" ? 0 : toNumber(name);
}

/** 十二 is 12, 二十 is 20, 三十五 is 35. */
function toNumber(text: string): number {
  if (/^\d+$/u.test(text)) return Number(text);
  const [tens = "", ones] = text.replace("两", "二").replace("〇", "零").split("十");
  if (ones === undefined)
    return tens.split("").reduce((sum, digit) => sum * 10 + DIGITS.indexOf(digit), 0);
  return (
    (tens === "" ? 1 : DIGITS.indexOf(tens)) * 10 +
    (ones === "" ? 0 : DIGITS.indexOf(ones.replace("零", "")))
  );
}
