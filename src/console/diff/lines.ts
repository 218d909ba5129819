/** What a line is to a change. */
export type LineKind = "same" | "del" | "add";

/** One line of a review, with its numbers on both sides where it has them, from 1. */
export interface Line {
  readonly kind: LineKind;
  readonly old?: number;
  readonly new?: number;
  readonly text: string;
  /** The text ends here without the end of a line. */
  readonly isOpenEnd?: true;
  /** How it stands on its old side, where blanks that do not count are others there. */
  readonly was?: Pick<Line, "text" | "isOpenEnd">;
}

/** The lines of a text, without their ends; of an empty text none. */
export interface TextLines {
  readonly lines: readonly string[];
  readonly endsOpen: boolean;
}

/** A text as its lines. A carriage return at the end of a line stays: it may be what changes. */
export function toLines(text: string | null): TextLines {
  if (text === null || text === "") return { lines: [], endsOpen: false };
  const lines = text.split("\n");
  const endsOpen = lines.at(-1) !== "";
  if (!endsOpen) lines.pop();
  return { lines, endsOpen };
}

/** A text whose blanks do not count. */
export function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/gu, "");
}
