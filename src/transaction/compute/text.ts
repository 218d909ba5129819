/** Content as it is written: with `lf` every line ends with LF alone. */
export function toLineEnds(content: string, normalizeEol: "keep" | "lf"): string {
  return normalizeEol === "lf" ? content.replaceAll("\r\n", "\n") : content;
}

/**
 * `content` with the byte-order mark and the line ends of the text it replaces: models
 * write LF even where they were shown CRLF. A file with mixed line ends is no model to follow.
 */
export function withLineEndsOf(old: string, content: string): string {
  const lines = content.startsWith(BOM) ? content.slice(1) : content;
  const hasCrlf = old.includes("\r\n");
  const hasLf = /(?<!\r)\n/.test(old);
  const isOfOneKind = hasCrlf !== hasLf;
  const ended = isOfOneKind ? lines.replace(/\r?\n/g, hasCrlf ? "\r\n" : "\n") : lines;
  return old.startsWith(BOM) ? BOM + ended : ended;
}

const BOM = "\uFEFF";
