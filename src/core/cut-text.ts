/** The first `maxLength` UTF-16 units of a text; no half character at the end. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const isInside = (text.codePointAt(maxLength - 1) ?? 0) > 0xffff;
  return text.slice(0, isInside ? maxLength - 1 : maxLength);
}
