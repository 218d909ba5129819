import { AppError } from "../core/app-error.ts";
import type { ErrorCode } from "../core/error-codes.ts";
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

/** One of the refusals that a person is told of in their own language. */
export type Say = (refusals: Texts["refusals"]) => string;

/**
 * A failure that the table of refusals words: its message is English, for logs and programs, and
 * whoever tells a person has the same in their language. Who refuses need not know whose that is.
 */
export class Refusal extends AppError {
  readonly say: Say;

  constructor(code: ErrorCode, say: Say) {
    super(code, say(EN.refusals));
    this.say = say;
  }
}
