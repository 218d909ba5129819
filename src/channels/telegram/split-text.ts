import { toPlainText } from "./html.ts";

interface Cut {
  /** Index of the first token of the next part. */
  readonly end: number;
  /** Tags open there, which the next part opens again. */
  readonly open: readonly string[];
}

/**
 * Cuts HTML into parts of at most `limit` UTF-16 units, best between paragraphs, else lines,
 * else words; never inside a surrogate pair, an entity or a tag. Tags that are open at a cut
 * are closed and opened again. Parts that would show nothing are left out.
 *
 * Expects text escaped by `escapeHtml`, so that every `<` begins a tag.
 */
export function splitText(html: string, limit: number): string[] {
  const tokens = html.match(/<[^>]*>|&[a-z]+;|[^]/gu) ?? [];
  const parts: string[] = [];
  let from: Cut = { end: 0, open: [] };
  while (from.end < tokens.length) {
    const cut = findCut(tokens, from, limit);
    parts.push(
      from.open.join("") + tokens.slice(from.end, cut.end).join("") + closingTags(cut.open),
    );
    from = cut;
  }
  return parts.filter((part) => toPlainText(part).trim() !== "");
}

/** The best place for the next cut; places in the first quarter of a part are too early. */
function findCut(tokens: readonly string[], from: Cut, limit: number): Cut {
  let length = from.open.join("").length;
  let open = from.open;
  let paragraph: Cut | undefined;
  let line: Cut | undefined;
  let word: Cut | undefined;
  for (const [offset, token] of tokens.slice(from.end, from.end + limit + 1).entries()) {
    const next = openAfter(open, token);
    if (length + token.length + closingTags(next).length > limit) {
      if (offset === 0) throw new RangeError(`No room for "${token}" in ${limit} characters`);
      return paragraph ?? line ?? word ?? { end: from.end + offset, open };
    }
    open = next;
    length += token.length;
    if (length < limit / 4) continue;
    const here = { end: from.end + offset + 1, open };
    if (token === " ") word = here;
    if (token === "\n") line = here;
    if (token === "\n" && tokens[here.end - 2] === "\n") paragraph = here;
  }
  return { end: tokens.length, open };
}

function openAfter(open: readonly string[], token: string): readonly string[] {
  if (token.startsWith("</")) return open.slice(0, -1);
  return token.startsWith("<") ? [...open, token] : open;
}

function closingTags(open: readonly string[]): string {
  return open
    .toReversed()
    .map((tag) => `</${/[a-z]+/.exec(tag)?.[0]}>`)
    .join("");
}
