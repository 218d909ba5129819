/** A language that papa-yu speaks. */
export type Language = "en" | "ru" | "zh";

/** Whether a value names one. */
export function isLanguage(value: unknown): value is Language {
  return value === "en" || value === "ru" || value === "zh";
}

/** The language of a person's text, by its script. */
export function languageOf(text: string): Language {
  if (/\p{Script=Han}/u.test(text)) return "zh";
  return /\p{Script=Cyrillic}/u.test(text) ? "ru" : "en";
}
