import { nothing, type Part, type Rule, type Token, word, words } from "./token.ts";

const NUMBERS = [
  "один|одну|одного",
  "два|две|двух",
  "три|трех",
  "четыре|четырех",
  "пять|пяти",
  "шесть|шести",
  "семь|семи",
  "восемь|восьми",
  "девять|девяти",
  "десять|десяти",
  "одиннадцать",
  "двенадцать|двенадцати",
];
const NUMBER = `(?:\\d+|${NUMBERS.join("|")}|пятнадцать|двадцать|тридцать)`;
const ORDINALS =
  "перв второ треть четверт пят шест седьм восьм девят десят одиннадцат двенадцат".split(" ");
const DAYS = [
  "воскресень\\p{L}*|вс",
  "понедельник\\p{L}*|пн",
  "вторник\\p{L}*|вт",
  "сред[ауые]\\p{L}*|ср",
  "четверг\\p{L}*|чт",
  "пятниц\\p{L}*|пт",
  "суббот\\p{L}*|сб",
];
const MONTHS = [
  "январ",
  "феврал",
  "март",
  "апрел",
  "ма[йяею]",
  "июн",
  "июл",
  "август",
  "сентябр",
  "октябр",
  "ноябр",
  "декабр",
];
const EVERY = "(?:кажд\\p{L}+|раз в|через каждые)";
const PART = "утра|дня|вечера|ночи";

/** Russian, in lower case and with ё as е. */
export const RUSSIAN: readonly Rule[] = [
  [/[\s,;.!]+/u, nothing],
  word(`${EVERY} (?:${NUMBER} )?секунд\\p{L}*|ежесекундно`, () => [refused("seconds")]),
  word(
    "через (?:день|неделю|месяц)|(?:раз в|кажд\\p{L}+) (?:два|две|три|\\d+) (?:дн\\p{L}+|недел\\p{L}+|месяц\\p{L}*)",
    () => [refused("stride")],
  ),
  word("иногда|часто|время от времени|регулярно|скоро|позже|потом|завтра|сегодня|изредка", () => [
    refused("vague"),
  ]),
  word(`${EVERY} полчаса`, () => [interval(30, "minute")]),
  word(`${EVERY} четверть часа`, () => [interval(15, "minute")]),
  word(`${EVERY} (?:(${NUMBER}) )?(мин|час|ч)\\p{L}*`, ([, count, unit]) => [
    interval(toNumber(count ?? "1"), unit === "мин" ? "minute" : "hour"),
  ]),
  word("ежечасно", () => [interval(1, "hour")]),
  word("ежеминутно", () => [interval(1, "minute")]),
  ...words({
    "каждое утро|по утрам": { kind: "part", part: "am" },
    "каждый вечер|по вечерам": { kind: "part", part: "evening" },
    "каждую ночь|по ночам": { kind: "part", part: "night" },
    "(?:каждый|раз в) день|ежедневно": { kind: "daily" },
    "(?:(?:каждую|раз в) неделю|каждой недели|еженедельно)": { kind: "period", unit: "week" },
    "(?:(?:каждый|раз в) месяц|каждого месяца|месяца|ежемесячно)": {
      kind: "period",
      unit: "month",
    },
    "(?:(?:каждый|раз в) год|каждого года|ежегодно)": { kind: "period", unit: "year" },
    "(?:по )?(?:будн\\p{L}+|рабочи\\p{L}+)(?: дн\\p{L}+| день)?|каждый (?:будний|рабочий) день": {
      kind: "weekdays",
      days: [1, 2, 3, 4, 5],
    },
    "(?:по )?выходн\\p{L}+(?: дн\\p{L}+)?": { kind: "weekdays", days: [0, 6] },
    "последн\\p{L}+ (?:день|дня|числа|число)": { kind: "date", day: "L" },
    "в полдень": { kind: "at", hour: 12, minute: 0, part: "noon" },
    "в полночь": { kind: "at", hour: 0, minute: 0, part: "night" },
    "в час дня": { kind: "at", hour: 13, minute: 0 },
    "в час ночи": { kind: "at", hour: 1, minute: 0 },
    утром: { kind: "part", part: "am" },
    днем: { kind: "part", part: "pm" },
    вечером: { kind: "part", part: "evening" },
    ночью: { kind: "part", part: "night" },
  }),
  [/по (?=\p{L}+[ая]м(?!\p{L}))/u, nothing],
  word("по|до", () => [{ kind: "to" }]),
  [/[-–]/u, () => [{ kind: "to" }]],
  ...DAYS.map((day, index) => word(day, () => [{ kind: "weekdays", days: [index] }])),
  word("(\\d{1,2})(?:-?го)?(?: числ[ао])|(\\d{1,2})-?го", ([, first, second]) => [
    { kind: "date", day: Number(first ?? second) },
  ]),
  word("первого(?: числа)?|первое(?: число)", () => [{ kind: "date", day: 1 }]),
  word(`в половин[еу] (${ORDINALS.join("|")})\\p{L}*(?: (${PART}))?`, ([, hour = "", part]) => [
    at(String(ORDINALS.indexOf(hour) || 12), "30", part),
  ]),
  ...MONTHS.map((month, index) =>
    word(`${month}\\p{L}*`, () => [{ kind: "month", month: index + 1 }]),
  ),
  [
    new RegExp(`(\\d{1,2})[:.](\\d{2})(?![\\d:])(?:\\s*(${PART})(?!\\p{L}))?`, "u"),
    ([, hour = "", minute = "", part]) => [at(hour, minute, part)],
  ],
  word(
    `(${NUMBER})\\s*(?:час(?:а|ов)?|ч)(?: (\\d{1,2}) мин\\p{L}*)?(?:\\s+(${PART}))?`,
    ([, hour = "", minute = "0", part]) => [at(hour, minute, part)],
  ),
  word(`(${NUMBER})\\s*(${PART})`, ([, hour = "", part]) => [at(hour, "0", part)]),
  word("в|во|с|со|между", () => [{ kind: "preposition" }]),
  word(NUMBER, ([text = ""]) => [{ kind: "number", value: toNumber(text) }]),
  word("и|на|кажд\\p{L}+|все|запускай|пожалуйста", nothing),
];

function interval(every: number, unit: "minute" | "hour"): Token {
  return { kind: "interval", every, unit };
}

function refused(why: "seconds" | "vague" | "stride"): Token {
  return { kind: "refused", why };
}

const PARTS: Readonly<Record<string, Part>> = {
  утра: "am",
  дня: "pm",
  вечера: "evening",
  ночи: "night",
};

function at(hour: string, minute: string, part: string | undefined): Token {
  const time = { kind: "at", hour: toNumber(hour), minute: Number(minute) } as const;
  const known = PARTS[part ?? ""];
  return known === undefined ? time : { ...time, part: known };
}

function toNumber(text: string): number {
  const tens: Readonly<Record<string, number>> = { пятнадцать: 15, двадцать: 20, тридцать: 30 };
  const index = NUMBERS.findIndex((forms) => forms.split("|").includes(text));
  return index !== -1 ? index + 1 : (tens[text] ?? Number(text));
}
