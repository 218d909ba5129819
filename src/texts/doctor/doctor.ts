import type { Language } from "../../core/language.ts";
import { DOCTOR_EN, type DoctorWords } from "./en.ts";
import { DOCTOR_RU } from "./ru.ts";
import { DOCTOR_ZH } from "./zh.ts";

export type { DoctorWords };

/** The doctor's words in a language; nothing else loads them. */
export function doctorWordsIn(language: Language): DoctorWords {
  return WORDS[language];
}

const WORDS: Readonly<Record<Language, DoctorWords>> = {
  en: DOCTOR_EN,
  ru: DOCTOR_RU,
  zh: DOCTOR_ZH,
};
