import type { Language } from "../../core/language.ts";
import { REFUSED_EN, type RefusedWords } from "./en.ts";
import { REFUSED_RU } from "./ru.ts";
import { REFUSED_ZH } from "./zh.ts";

export type { RefusedWords };

/** Why a request of the web console gets nothing, in a language; loaded with the first refusal. */
export function refusedWordsIn(language: Language): RefusedWords {
  return WORDS[language];
}

const WORDS: Readonly<Record<Language, RefusedWords>> = {
  en: REFUSED_EN,
  ru: REFUSED_RU,
  zh: REFUSED_ZH,
};
