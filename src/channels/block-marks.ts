/**
 * What stands between blocks of Markdown while they are rendered, characters that no text has: a new
 * line, an empty line. Many in a row are worth one of the larger.
 */
export const [LINE, GAP] = ["\ufdd0", "\ufdd1"] as const;

/** A block, apart from what stands before it and behind it. */
export function toBlock(text: string): string {
  return GAP + text + GAP;
}

/** Marks into lines; at the beginning and the end there is nothing to keep apart. */
export function layOut(text: string): string {
  return text
    .replace(/^[\ufdd0\ufdd1\n]+|[\ufdd0\ufdd1\n]+$/g, "")
    .replace(/[\ufdd0\ufdd1\n]*\ufdd1[\ufdd0\ufdd1\n]*/g, "\n\n")
    .replaceAll(/\ufdd0+/g, "\n");
}

/** What an item of a list begins with: its number, a box or a bullet. */
export function signOf({ ordered, start, index, checked }: Bun.markdown.ListItemMeta): string {
  const number = ordered ? `${(start ?? 1) + index}. ` : "• ";
  return checked === undefined ? number : checked ? "☑ " : "☐ ";
}
