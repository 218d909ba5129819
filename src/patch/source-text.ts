/** A text cut into lines, able to give back every byte that no change touches. */
export interface SourceText {
  readonly source: string;
  /** Lines without their ends and without the byte order mark. */
  readonly lines: readonly string[];
  /** Where each line begins in `source`, and at the end where the text ends. */
  readonly starts: Uint32Array;
}

/**
 * Cuts at LF and CRLF only: form feeds, U+2028 and a lone CR are part of their line.
 * A text that ends in a line end has no empty last line.
 */
export function splitSource(source: string): SourceText {
  const bomLength = source.startsWith("\uFEFF") ? 1 : 0;
  const lines = source.slice(bomLength).split("\n");
  const starts = new Uint32Array(lines.length + 1);
  // An index loop: an iterator costs more than all the rest on a large file.
  for (let i = 0, at = bomLength; i < lines.length; i++) {
    starts[i] = at;
    at += (lines[i]?.length ?? 0) + 1;
  }
  if (lines.at(-1) === "") lines.pop();
  starts[lines.length] = source.length;
  if (source.includes("\r")) dropCarriageReturns(lines, source.endsWith("\n"));
  return { source, lines, starts };
}

/** Takes the CR of every CRLF off its line; a last line without end has none. */
function dropCarriageReturns(lines: string[], terminated: boolean): void {
  const count = terminated ? lines.length : lines.length - 1;
  for (let i = 0; i < count; i++) {
    const line = lines[i];
    if (line?.endsWith("\r")) lines[i] = line.slice(0, -1);
  }
}

/** Offset in the source at which line `index` begins; the end of the text past the last line. */
export function lineStart(text: SourceText, index: number): number {
  return text.starts[index] ?? text.source.length;
}

/** The line end of line `index`: LF, CRLF, or "" where there is none. */
export function lineEnd(text: SourceText, index: number): string {
  const line = text.lines[index];
  if (line === undefined) return "";
  return text.source.slice(lineStart(text, index) + line.length, lineStart(text, index + 1));
}
