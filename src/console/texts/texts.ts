import { isLanguage, type Language } from "../../core/language.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { EN } from "./en.ts";
import { RU } from "./ru.ts";
import type { Texts } from "./wording.ts";
import { ZH } from "./zh.ts";

export type { Texts } from "./wording.ts";

/** The words of the page in a language that the daemon named; English where it is none of ours. */
export function textsIn(language: string): Texts {
  return TEXTS[isLanguage(language) ? language : "en"];
}

/** The first of the languages that a browser asks for which is one of ours. */
export function languageOfBrowser(asked: readonly string[]): Language {
  return asked.map((tag) => tag.toLowerCase().split("-", 1)[0]).find(isLanguage) ?? "en";
}

/** The word that a table has for a name that came from outside; `other` for any other name. */
export function wordFor(
  words: Readonly<Record<string, unknown>>,
  name: string,
  other: string,
): string {
  const word = Object.hasOwn(words, name) ? words[name] : undefined;
  return typeof word === "string" ? word : toVisibleText(other);
}

const SUBJECT = /^(provider|workspace|channel|MCP server) (.+)$/su;

/** What a finding is about: in words, and behind them its name as it is. */
export function subjectOf(name: string, { care }: Texts): string {
  const { subjects } = care.doctor;
  const [whole, kind = "", named = ""] = SUBJECT.exec(name) ?? [];
  if (whole === undefined) return wordFor(subjects, name, name);
  return `${wordFor(subjects, kind, kind)} ${toVisibleText(named)}`;
}

const TEXTS = { en: EN, ru: RU, zh: ZH } as const;
