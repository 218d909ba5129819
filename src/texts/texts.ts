import type { Language } from "../core/language.ts";
import { EN } from "./en.ts";
import { RU } from "./ru.ts";
import type { Texts } from "./wording.ts";
import { ZH } from "./zh.ts";

export type { Texts } from "./wording.ts";

/** The interface's words in a language. */
export function textsIn(language: Language): Texts {
  return TEXTS[language];
}

const TEXTS: Readonly<Record<Language, Texts>> = { en: EN, ru: RU, zh: ZH };
