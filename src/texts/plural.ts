import type { Language } from "../core/language.ts";

/** The forms of a counted word; Russian has all three, English two, Chinese one. */
export interface Forms {
  readonly one: string;
  readonly few?: string;
  readonly many: string;
}

/** What texts count most. */
export const CHANGES_EN = { one: "change", many: "changes" } as const;
export const CHANGES = { one: "изменение", few: "изменения", many: "изменений" } as const;

/** A number with the form of its word that the language's grammar wants. */
export function plural(language: Language, count: number, forms: Forms): string {
  return `${count} ${toForm(language, count, forms)}`;
}

function toForm(language: Language, count: number, { one, few = one, many }: Forms): string {
  if (language !== "ru") return count === 1 ? one : many;
  const [tens, units] = [count % 100, count % 10];
  if (tens > 10 && tens < 20) return many;
  if (units === 1) return one;
  return units > 1 && units < 5 ? few : many;
}
