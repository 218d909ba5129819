import { shorten } from "../../../core/cut-text.ts";
import type { HunkNote } from "../../../texts/notes/notes.ts";
import { type Hunk, hasWords } from "../../hunks/hunks.ts";

const MOST_CHARS = 80;
/** More would hide what counts. */
const MOST_NOTES = 6;

/** Each line that a hunk has in another way than the file, with the file's number of it. */
export class Notes {
  readonly #said: HunkNote[];
  readonly #who: "patch" | "edit";
  readonly #most: number;
  #line: number;

  /** `start` is the index of the file's first line. */
  constructor(
    start: number,
    { repairs = [], unmarked = false }: Pick<Hunk, "repairs" | "unmarked">,
  ) {
    this.#said = [...repairs];
    this.#most = this.#said.length + MOST_NOTES;
    this.#who = unmarked ? "edit" : "patch";
    this.#line = start + 1;
  }

  all(): readonly HunkNote[] {
    const { length } = this.#said;
    if (length <= this.#most) return this.#said;
    return [
      ...this.#said.slice(0, this.#most),
      { kind: "more", facts: { lines: length - this.#most } },
    ];
  }

  /** The next line of the file is as quoted. */
  pass(): void {
    this.#line++;
  }

  misquoted(quoted: string, theirs: string): void {
    if (hasWords(quoted) || hasWords(theirs))
      this.#said.push({ kind: "misquoted", facts: this.#pair(quoted, theirs) });
    this.#line++;
  }

  /** A line is quoted as it is to be, and so is changed. */
  part(quoted: string, theirs: string): void {
    this.#said.push({ kind: "becomes", facts: this.#pair(quoted, theirs) });
    this.#line++;
  }

  leftOut(theirs: string): void {
    if (hasWords(theirs)) {
      this.#said.push({ kind: "left out", facts: { ...this.#here(), theirs: show(theirs) } });
    }
    this.#line++;
  }

  invented(quoted: string): void {
    if (hasWords(quoted)) {
      this.#said.push({ kind: "invented", facts: { ...this.#here(), quoted: show(quoted) } });
    }
  }

  /** A line that was left out is among the added ones. */
  again(theirs: string): void {
    this.#said.push({ kind: "added again", facts: { theirs: show(theirs) } });
  }

  #pair(quoted: string, theirs: string) {
    return { ...this.#here(), quoted: show(quoted), theirs: show(theirs) };
  }

  #here() {
    return { who: this.#who, line: this.#line };
  }
}

function show(text: string): string {
  return shorten(text.trim(), MOST_CHARS);
}
