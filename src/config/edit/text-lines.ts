/** The line end that a text uses. */
export function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** Where the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Where the line of an offset ends, before its line end. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" ? end - 1 : end;
}

/** The blanks that a line begins with, when nothing else is before the offset. */
export function indentAt(text: string, offset: number): string | undefined {
  const before = text.slice(lineStart(text, offset), offset);
  return before.trim() === "" ? before : undefined;
}
