import { type Hunk, withLines } from "./hunk.ts";

/** `12|`, `12: ` and the like before a line, as files are shown to models. */
const NUMBER = /^ *(\d+)(?: ?[|│]|:(?: |$)|\t)/;

/** Whether every line begins with a number, each one higher than the one above. */
export function areNumbered(lines: readonly string[]): boolean {
  const [first] = lines;
  if (first === undefined || !NUMBER.test(first)) return false;
  const from = numberOf(first);
  return lines.every((line, i) => numberOf(line) === from + i);
}

/** A line without the number before it. */
export function withoutNumber(line: string): string {
  return line.replace(NUMBER, "");
}

/**
 * The hunk without numbers before its lines; undefined where not all of them have one, or those
 * of the old side do not count on.
 */
export function withoutLineNumbers(hunk: Hunk): Hunk | undefined {
  if (!areNumbered(hunk.before) || !hunk.lines.every(({ text }) => NUMBER.test(text))) {
    return undefined;
  }
  return withLines(hunk, withoutNumber, "lines are numbered");
}

function numberOf(line: string): number {
  return Number(NUMBER.exec(line)?.[1]);
}
