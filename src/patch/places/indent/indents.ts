/** Turns an added line into the source's indentation; undefined where it cannot be. */
export type Reindent = (line: string) => string | undefined;

/** The indentation of a line in the patch and in the source. */
export interface Indents {
  readonly mine: string;
  readonly theirs: string;
}

/** The blanks that a line begins with. */
export function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
