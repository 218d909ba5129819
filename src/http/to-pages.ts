import { cutText } from "../core/cut-text.ts";

/** Where a text may be cut, best first. */
const BREAKS = ["\n\n", "\n", " "];

/**
 * A text in pages of at most `maxLength` UTF-16 units, which joined are the text again. The same
 * text has the same pages: cut behind a paragraph, a line or a word, and never in a character.
 */
export function toPages(text: string, maxLength: number): readonly string[] {
  if (!(maxLength >= 2)) throw new RangeError(`A page of ${maxLength} units holds no character`);
  const pages: string[] = [];
  let rest = 0;
  while (text.length - rest > maxLength) {
    const page = toPage(text.slice(rest, rest + Math.floor(maxLength) + 1));
    pages.push(page);
    rest += page.length;
  }
  return [...pages, text.slice(rest)];
}

/** The page that `window` starts with; its last unit is on the next one in any case. */
function toPage(window: string): string {
  const length = window.length - 1;
  for (const between of BREAKS) {
    const end = window.lastIndexOf(between, length - between.length) + between.length;
    if (end > length / 2) return window.slice(0, end);
  }
  return cutText(window, length);
}
