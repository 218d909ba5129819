import type { Language } from "../core/language.ts";
import { EN } from "./en.ts";
import { RU } from "./ru.ts";
import { ZH } from "./zh.ts";

/** What the interface says, in one language. */
export type Texts = Widened<typeof EN>;

/** The same shape with any words in it. */
type Widened<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Widened<T[K]>;
};

/** The interface's words in a language. */
export function textsIn(language: Language): Texts {
  return TEXTS[language];
}

const TEXTS: Readonly<Record<Language, Texts>> = { en: EN, ru: RU, zh: ZH };
