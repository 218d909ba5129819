import { readOptions } from "./read-options.ts";

const OPTIONS = {
  flags: "nErsuz",
  valued: "efl",
  attached: "i",
  longs: `quiet silent regexp-extended expression= file= in-place=? line-length= separate unbuffered
    null-data posix debug sandbox follow-symlinks binary help version`,
} as const;

/** A regular expression; its end is the same for those who read brackets first and who do not. */
function expression(end: string): string {
  const inBrackets = String.raw`\[\^?(?![\]^])(?:\[:\w+:\]|[^\]\[\\\n${end}])+\]`;
  return String.raw`(?:[^\\\n\[${end}]|\\[^\n]|${inBrackets})*`;
}

/** A command with texts between signs, without the flags that run or write. */
function substitution(sign: string): string {
  const end = /[|+]/u.test(sign) ? `\\${sign}` : sign;
  const text = String.raw`(?:[^\\${sign}]|\\[^])*`;
  return `s${end}${expression(sign)}${end}${text}${end}[gpiIM0-9]*|y${end}${text}${end}${text}${end}`;
}

const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|/${expression("/")}/[IM]*)`;
const ADDRESSES = String.raw`(?:${ADDRESS}\s*(?:,\s*(?:${ADDRESS}|[+~]\d+)\s*)?)?(?:!\s*)?`;
const COMMAND = [
  ..."/|#,:@!%+_~".split("").map(substitution),
  String.raw`[pPdDnNgGhHxl=z]|[qQ]\d*|[bt:T]\w*|[aic][^\n]*(?=\n|$)`,
].join("|");
/** No part of it can be read in two ways, so it is fast on whatever is given. */
const PLAIN = new RegExp(
  String.raw`^[\s;]*(?:${ADDRESSES}(?:\{[\s;]*|(?:${COMMAND})(?:[\s;}]+|$)))*$`,
  "u",
);

/**
 * Whether a call of sed only edits text: no script in its arguments runs a command, or reads or
 * writes another file. What is not understood is not plain.
 */
export function isPlainSed(args: readonly string[]): boolean {
  const read = readOptions(args, OPTIONS);
  if ("unknown" in read) return false;
  const { given, operands, tail = [] } = read;
  const scripts = given.filter(({ name }) => name === "e" || name === "expression");
  const isNamed = scripts.length > 0 || given.some(({ name }) => name === "f" || name === "file");
  // Where sed is that of BSD an empty word is the suffix of "-i".
  const words = [...operands, ...tail].filter((word) => word !== "");
  const first = isNamed ? [] : words.slice(0, 1);
  return [...scripts.map(({ value = "" }) => value), ...first].every((text) => PLAIN.test(text));
}
