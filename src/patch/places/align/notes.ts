import { shorten } from "../../../core/cut-text.ts";
import { type Hunk, hasWords } from "../../hunks/hunks.ts";

const MOST_CHARS = 80;
/** More would hide what counts. */
const MOST_NOTES = 6;

/** For people: each line that a hunk has in another way than the file, with the file's number of it. */
export class Notes {
  readonly #said: string[];
  readonly #who: string;
  readonly #most: number;
  #line: number;

  /** `start` is the index of the file's first line. */
  constructor(
    start: number,
    { repairs = [], unmarked = false }: Pick<Hunk, "repairs" | "unmarked">,
  ) {
    this.#said = [...repairs];
    this.#most = this.#said.length + MOST_NOTES;
    this.#who = unmarked ? "the edit" : "the patch";
    this.#line = start + 1;
  }

  all(): readonly string[] {
    const { length } = this.#said;
    if (length <= this.#most) return this.#said;
    return [...this.#said.slice(0, this.#most), `and ${length - this.#most} more lines`];
  }

  /** The next line of the file is as quoted. */
  pass(): void {
    this.#line++;
  }

  misquoted(quoted: string, theirs: string): void {
    if (hasWords(quoted) || hasWords(theirs))
      this.#say(`${this.#who} has ${show(quoted)}, the file ${show(theirs)}`);
    this.#line++;
  }

  /** A line is quoted as it is to be, and so is changed. */
  part(quoted: string, theirs: string): void {
    this.#say(`${show(theirs)} becomes ${show(quoted)}, as ${this.#who} quotes it`);
    this.#line++;
  }

  leftOut(theirs: string): void {
    if (hasWords(theirs)) this.#say(`${this.#who} leaves out ${show(theirs)}`);
    this.#line++;
  }

  invented(quoted: string): void {
    if (hasWords(quoted)) this.#say(`${this.#who} has ${show(quoted)}, the file does not`);
  }

  /** A line that was left out is among the added ones. */
  again(theirs: string): void {
    this.#said.push(`${show(theirs)} is left out and added again: it is there once`);
  }

  #say(words: string): void {
    this.#said.push(`line ${this.#line}: ${words}`);
  }
}

function show(text: string): string {
  return `"${shorten(text.trim(), MOST_CHARS)}"`;
}
