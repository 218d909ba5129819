import { toVisibleText } from "../core/visible-text.ts";

/** What a person reads before a yes to a tool call. */
export interface CallText {
  /** All of it, with nothing that hides: see {@link toCallText}. */
  readonly whole: string;
  /** Its length, beginning and end, when it is too long for one look. */
  readonly ends?: string;
}

/** A longer text does not fit on one screen. */
const MAX_CHARS = 3000;
const END_CHARS = 700;

/**
 * The text of a call for approval. Hidden and reordering characters are spelled out, and so are
 * long runs of blanks or empty lines, behind which the rest would be out of sight.
 */
export function toCallText(shown: string): CallText {
  const whole = toVisibleText(shown)
    .replace(/[ \t\u3000]{24,}/gu, (run) => ` ⟨${run.length} blanks⟩ `)
    .replace(
      /(?:[ \t\u3000]{0,23}\r?\n){4,}/gu,
      (run) => `\n⟨${run.split("\n").length - 2} empty lines⟩\n`,
    );
  if (whole.length <= MAX_CHARS) return { whole };
  const head = whole.slice(0, END_CHARS).toWellFormed();
  const tail = whole.slice(-END_CHARS).toWellFormed();
  const between = whole.length - head.length - tail.length;
  return {
    whole,
    ends: `${whole.length} characters; it begins:\n${head}\n⟨${between} characters between⟩\nand ends:\n${tail}`,
  };
}
