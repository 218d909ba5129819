/** Share of control characters above which a text is none. */
const MOST_CONTROLS = 0.1;

/**
 * Whether content looks binary: a NUL, half a character, or many control characters other than tab,
 * LF, FF and CR.
 */
export function isPseudoBinary(content: string): boolean {
  if (!content.isWellFormed()) return true;
  let controls = 0;
  for (let i = 0; i < content.length; i++) {
    const code = content.charCodeAt(i);
    if (code === 0) return true;
    const isText =
      code >= 0x20 ? code < 0x7f || code > 0x9f : code >= 9 && code <= 13 && code !== 11;
    if (!isText) controls++;
  }
  return controls > content.length * MOST_CONTROLS;
}
