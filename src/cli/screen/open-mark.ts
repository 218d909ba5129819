/** What begins a mark, or a link; code, addresses and whole links are passed over. */
const MARK =
  /\\[^]|(`+)(?:(?!`)[^]*?[^`])?\1(?!`)|!?\[[^[\]]*\](?:\([^()\n]*\)|(?=[^(]))|<[^<>\s]*>|([*_~])\2*|[`[<]/g;

/**
 * Where the first mark is whose end has not come: what is behind it may look otherwise then, and the
 * mark itself may be none; -1 where every mark has its end.
 */
export function openMark(text: string): number {
  const open: { readonly sign: string; readonly at: number }[] = [];
  for (const { 0: mark, 2: sign, index } of text.matchAll(MARK)) {
    if (mark.length === 1 && "`[<".includes(mark)) return Math.min(index, open[0]?.at ?? index);
    if (sign === undefined || isPlain(text, index, mark)) continue;
    const at = open.findLastIndex((each) => each.sign === mark);
    if (at >= 0) open.splice(at);
    else open.push({ sign: mark, at: index });
  }
  return open[0]?.at ?? -1;
}

/** A sign between blanks opens nothing, and a low line within a word neither. */
function isPlain(text: string, index: number, mark: string): boolean {
  const [before, after] = [text[index - 1] ?? " ", text[index + mark.length] ?? ""];
  if (mark.startsWith("_") && /\w/.test(before) && /\w/.test(after)) return true;
  return /\s/.test(before) && /\s/.test(after);
}
