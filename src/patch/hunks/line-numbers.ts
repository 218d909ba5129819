import { type Hunk, withLines } from "./hunk.ts";

/** `12|`, `12: ` and the like before a line, as files are shown to models. */
const NUMBER = /^ *(\d+)(?: ?[|│]|:(?: |$)|\t)/;
/** `12:` or, beside what was found, `12-`, as grep puts them right before a line. */
const BARE = /^(\d+)[:-]/;

/** Takes the number from before a line that has one. */
export type StripNumber = (line: string) => string;

/**
 * How numbers are taken from lines that all have one, each one higher than the one above; of several
 * ways one after which they are there.
 */
export function findNumbering(
  lines: readonly string[],
  areThere: (lines: readonly string[]) => boolean = () => false,
): StripNumber | undefined {
  // A number and a colon alone are in many a line.
  const forms = lines.length > 1 ? [NUMBER, BARE] : [NUMBER];
  const ways = forms
    .filter((form) => countOn(lines, form))
    .map(
      (form): StripNumber =>
        (line) =>
          line.replace(form, ""),
    );
  return ways.find((strip) => areThere(lines.map(strip))) ?? ways[0];
}

/** A line without the number before it, if that is set off. */
export function withoutNumber(line: string): string {
  return line.replace(NUMBER, "");
}

/** Whether lines all have a number, or none of them. */
export function areAllOrNone(lines: readonly string[], strip: StripNumber): boolean {
  const worded = lines.filter((line) => line.trim() !== "");
  return new Set(worded.map((line) => strip(line) === line)).size < 2;
}

/**
 * The hunk without numbers before its lines; undefined where not all of them have one, or those
 * of the old side do not count on. `areThere` says whether the file has lines in a row.
 */
export function withoutLineNumbers(
  hunk: Hunk,
  areThere: (lines: readonly string[]) => boolean,
): Hunk | undefined {
  const strip = findNumbering(hunk.before, areThere);
  if (strip === undefined || !hunk.lines.every(({ text }) => strip(text) !== text)) {
    return undefined;
  }
  return withLines(hunk, strip, "numbers");
}

function countOn(lines: readonly string[], form: RegExp): boolean {
  const numbers = lines.map((line) => Number(form.exec(line)?.[1]));
  const [first = Number.NaN] = numbers;
  return !Number.isNaN(first) && numbers.every((number, i) => number === first + i);
}
