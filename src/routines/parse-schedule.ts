import type { Failure } from "../core/app-error.ts";
import { shorten } from "../core/cut-text.ts";
import { type Language, languageOf } from "../core/language.ts";
import { textsIn } from "../texts/texts.ts";
import { nextRuns, validateSchedule } from "./next-run.ts";
import { buildCron, CHINESE, ENGLISH, RUSSIAN, type Rule, tokenize } from "./phrases/phrases.ts";

const RULES: Readonly<Record<Language, readonly Rule[]>> = {
  en: ENGLISH,
  ru: RUSSIAN,
  zh: CHINESE,
};

/** A schedule and its next three instants, to be shown before it is kept. */
export type ParsedSchedule =
  | { readonly ok: true; readonly schedule: string; readonly next: readonly number[] }
  | Failure;

/**
 * A schedule in words of one of the three languages, or as cron, as a cron pattern. What is
 * ambiguous is refused (ERR_ROUTINE_INVALID) with examples of what is not.
 */
export function parseSchedule(
  text: string,
  timezone: string,
  now: number,
  language: Language = languageOf(text),
): ParsedSchedule {
  const said = text.normalize("NFKC").trim().toLowerCase().replaceAll("ё", "е");
  const read = isCron(text) ? { ok: true as const, cron: text.trim() } : readWords(said, language);
  if (!read.ok)
    return { ok: false, code: "ERR_ROUTINE_INVALID", message: `${quote(text)}: ${read.why}` };
  const failure = validateSchedule(read.cron, timezone, now);
  if (failure) return failure;
  return { ok: true, schedule: read.cron, next: nextRuns(read.cron, timezone, now, 3) };
}

/** No phrase is longer; reading takes time for each character. */
const MOST_CHARS = 200;

function readWords(said: string, language: Language) {
  const { unknown, refused, examples } = textsIn(language).schedule;
  const no = (why: string) => ({ ok: false as const, why: why + examples });
  if (said.length > MOST_CHARS) return no(unknown(shorten(said, 40)));
  const read = tokenize(said, RULES[language]);
  if (!read.ok) return no(unknown(shorten(read.rest, 40)));
  const built = buildCron(read.tokens);
  return built.ok ? built : no(refused[built.why]);
}

/** Four or five blanks between things that no phrase begins with. */
function isCron(text: string): boolean {
  return /^[\d*?/,-]+(\s+[\d*?/,a-z#-]+){4,5}$/iu.test(text.trim());
}

function quote(text: string): string {
  return `Cannot use the schedule "${shorten(text, 80)}"`;
}
