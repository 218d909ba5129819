const encoder = new TextEncoder();

/** The longest beginning of a text that takes at most `maxBytes` in UTF-8; no half character. */
export function cutBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

/** How much a text takes in UTF-8, rounded up. */
export function toKb(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 1024);
}

/** Pages of at most `size` characters; together they are the text, and always the same ones. */
export function toPages(text: string, size: number): readonly string[] {
  const pages: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = findEnd(text, start, start + size);
    pages.push(text.slice(start, end));
    start = end;
  }
  return pages;
}

/** After a paragraph, else a line, else a word, in the second half of a page; else anywhere. */
function findEnd(text: string, start: number, limit: number): number {
  if (limit >= text.length) return text.length;
  const least = start + Math.floor((limit - start) / 2);
  for (const gap of ["\n\n", "\n", " "]) {
    const at = text.lastIndexOf(gap, limit - gap.length);
    if (at >= least && at + gap.length <= limit) return at + gap.length;
  }
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1));
  return isHalf && limit - 1 > start ? limit - 1 : limit;
}
