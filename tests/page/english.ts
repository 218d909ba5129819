import { EN as PAGE_EN } from "../../src/console/texts/en.ts";
import { textsIn } from "../../src/console/texts/texts.ts";
import type { Language } from "../../src/core/language.ts";
import { EN } from "../../src/texts/en.ts";
import { textsIn as wordsIn } from "../../src/texts/texts.ts";

/**
 * What a page says in English to somebody who reads another language: a text of the English tables as
 * it is, or three English words in a row that nobody has written here.
 */
export function findEnglish(
  shown: readonly string[],
  language: Language,
  written: readonly string[],
): readonly string[] {
  if (language === "en") return [];
  const own = new Set([...stringsOf(textsIn(language)), ...stringsOf(wordsIn(language))]);
  const english = new Set([...stringsOf(PAGE_EN), ...stringsOf(EN)]);
  const isForeign = (text: string) => {
    if (english.has(text) && !own.has(text)) return true;
    const runs = text.match(THREE_WORDS) ?? [];
    return runs.some((run) => !written.some((each) => each.includes(run)));
  };
  return [...new Set(shown)].filter(isForeign);
}

const THREE_WORDS = /[A-Za-z][A-Za-z']+(?:,? [A-Za-z][A-Za-z']+){2}/gu;

function stringsOf(table: unknown): readonly string[] {
  if (typeof table === "string") return [table];
  if (typeof table !== "object" || table === null) return [];
  return Object.values(table).flatMap(stringsOf);
}
