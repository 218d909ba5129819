import { nothing, type Part, type Rule, type Token, word, words } from "./token.ts";

const NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const NUMBER = `(?:\\d+|${NUMBERS.join("|")}|fifteen|twenty|thirty)`;
const DAYS = [
  "sun(?:day)?",
  "mon(?:day)?",
  "tue(?:s|sday)?",
  "wed(?:nesday)?",
  "thu(?:rs|rsday)?",
  "fri(?:day)?",
  "sat(?:urday)?",
];
const MONTHS = [
  "jan(?:uary)?",
  "feb(?:ruary)?",
  "mar(?:ch)?",
  "apr(?:il)?",
  "may",
  "june?",
  "july?",
  "aug(?:ust)?",
  "sept?(?:ember)?",
  "oct(?:ober)?",
  "nov(?:ember)?",
  "dec(?:ember)?",
];
const PART = "a\\.?m\\.?|p\\.?m\\.?|o'?clock|in the (?:morning|afternoon|evening)|at night";
const EVERY = "(?:every|each|once (?:an?|every|per)|per)";
const ORDINALS = ["first", "second", "third", "fourth", "fifth"];

/** English, in lower case. */
export const ENGLISH: readonly Rule[] = [
  [/[\s,;.!]+/u, nothing],
  word(`${EVERY} (?:${NUMBER} )?sec(?:ond)?s?`, () => [refused("seconds")]),
  word(`${EVERY} other (?:\\w+)|bi-?weekly|fortnightly|${EVERY} fortnight`, () => [
    refused("stride"),
  ]),
  word(
    "sometimes|often|occasionally|now and then|regularly|soon|later|tonight|tomorrow|today",
    () => [refused("vague")],
  ),
  word(`${EVERY} half(?: an)? hour|half-hourly`, () => [interval(30, "minute")]),
  word(`${EVERY} quarter(?: of an)? hour`, () => [interval(15, "minute")]),
  word(`${EVERY} (?:(${NUMBER}) )?(min|hour|hr)(?:ute)?s?`, ([, count, unit]) => [
    interval(toNumber(count ?? "1"), unit === "min" ? "minute" : "hour"),
  ]),
  word("hourly", () => [interval(1, "hour")]),
  word(`${EVERY} (${NUMBER}) (?:days|weeks|months|years)`, () => [refused("stride")]),
  word(`${EVERY} (morning|afternoon|evening|night)|nightly`, ([, part = "night"]) => [
    { kind: "daily" },
    toPart(part),
  ]),
  ...words({
    [`${EVERY} day|daily|everyday`]: { kind: "daily" },
    [`(?:(?:of )?${EVERY}|of the|a) week|weekly`]: { kind: "period", unit: "week" },
    [`(?:(?:of )?${EVERY}|of the|a) month|monthly`]: { kind: "period", unit: "month" },
    [`(?:(?:of )?${EVERY}|of the|a) year|yearly|annually`]: { kind: "period", unit: "year" },
    "week-?days?|work(?:ing |-)?days?|business days?": { kind: "weekdays", days: [1, 2, 3, 4, 5] },
    "weekends?": { kind: "weekdays", days: [0, 6] },
    "(?:the )?last day": { kind: "date", day: "L" },
    noon: { kind: "at", hour: 12, minute: 0, part: "noon" },
    midnight: { kind: "at", hour: 0, minute: 0, part: "night" },
    "in the morning": { kind: "part", part: "am" },
    "in the afternoon": { kind: "part", part: "pm" },
    "in the evening": { kind: "part", part: "evening" },
    "at night": { kind: "part", part: "night" },
    "to|till|until|through": { kind: "to" },
  }),
  [/[-–]/u, () => [{ kind: "to" }]],
  ...DAYS.map((day, index) => word(`${day}s?`, () => [{ kind: "weekdays", days: [index] }])),
  word(`(?:the )?(\\d{1,2})(?:st|nd|rd|th)(?: day)?|day (\\d{1,2})`, ([, first, second]) => [
    { kind: "date", day: Number(first ?? second) },
  ]),
  ...ORDINALS.map((name, index) =>
    word(`(?:the )?${name}(?: day)?(?= of)`, () => [{ kind: "date", day: index + 1 }]),
  ),
  ...MONTHS.map((month, index) => word(month, () => [{ kind: "month", month: index + 1 }])),
  word(`half past (${NUMBER})(?: (${PART}))?`, ([, hour = "", part]) => [at(hour, "30", part)]),
  word(`quarter past (${NUMBER})(?: (${PART}))?`, ([, hour = "", part]) => [at(hour, "15", part)]),
  [
    new RegExp(`(\\d{1,2})[:.h](\\d{2})(?![\\d:])(?:\\s*(${PART})(?!\\p{L}))?`, "u"),
    ([, hour = "", minute = "", part]) => [at(hour, minute, part)],
  ],
  [
    new RegExp(`(${NUMBER})\\s*(${PART})(?!\\p{L})`, "u"),
    ([, hour = "", part]) => [at(hour, "0", part)],
  ],
  word("at|from|between", () => [{ kind: "preposition" }]),
  word(NUMBER, ([text = ""]) => [{ kind: "number", value: toNumber(text) }]),
  word("and|&|on|the|of|in|every|each|all|run|please|do it", nothing),
];

function interval(every: number, unit: "minute" | "hour"): Token {
  return { kind: "interval", every, unit };
}

function refused(why: "seconds" | "vague" | "stride"): Token {
  return { kind: "refused", why };
}

function toPart(text: string): { readonly kind: "part"; readonly part: Part } {
  if (/morning|^a\.?m/u.test(text)) return { kind: "part", part: "am" };
  if (/evening/u.test(text)) return { kind: "part", part: "evening" };
  return { kind: "part", part: /night/u.test(text) ? "night" : "pm" };
}

function at(hour: string, minute: string, part: string | undefined): Token {
  const time = { kind: "at", hour: toNumber(hour), minute: Number(minute) } as const;
  return part === undefined || /clock/u.test(part) ? time : { ...time, part: toPart(part).part };
}

function toNumber(text: string): number {
  const tens: Readonly<Record<string, number>> = { fifteen: 15, twenty: 20, thirty: 30 };
  const index = NUMBERS.indexOf(text);
  return index !== -1 ? index + 1 : (tens[text] ?? Number(text));
}
