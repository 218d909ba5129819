/** How a stretch of text looks. */
export type Style = "bold" | "italic" | "code";

/** Where a stretch begins and ends, as characters that no text has: they can be nested and cut. */
export const STYLES: Readonly<Record<Style, { readonly open: string; readonly close: string }>> = {
  bold: { open: "\ufde0", close: "\ufde1" },
  italic: { open: "\ufde2", close: "\ufde3" },
  code: { open: "\ufde4", close: "\ufde5" },
};

/** What a terminal is told, in the order of the marks above. */
const CODES = ["1", "22", "3", "23", "36", "39"];

/** The marks as a terminal reads them; what is bold within what is bold ends with the outer. */
export function toColors(text: string): string {
  const depths = [0, 0, 0];
  return text.replaceAll(/[\ufde0-\ufde5]/g, (mark) => {
    const index = mark.charCodeAt(0) - FIRST;
    const at = index >> 1;
    const isOpening = index % 2 === 0;
    const before = depths[at] ?? 0;
    const after = before + (isOpening ? 1 : -1);
    depths[at] = after;
    return (isOpening ? before : after) === 0 ? `\x1b[${CODES[index]}m` : "";
  });
}

const FIRST = 0xfde0;
