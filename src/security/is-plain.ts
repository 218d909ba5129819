import { COLLECTIONS, PLAIN, type PlainWords, RUNNERS } from "./plain-options.ts";
import { readOptions } from "./read-options.ts";

/** Addresses, versions, variables, files of arguments, tool chains: more than a path or a name. */
const ODD = /[=:@]|^[+%!]/u;

/**
 * Whether the words that follow an entry of the owner's list do nothing but what the entry
 * is for. The entry's own words are the owner's; every other option has to be known as harmless,
 * whatever the program, and an operand has to be a plain path or name.
 */
export function isPlain(argv: readonly string[], entry: readonly string[]): boolean {
  const words = [toName(argv[0] ?? ""), ...argv.slice(1)];
  const runner = RUNNERS.map((each) => each.split(" ")).find((each) => startsWith(words, each));
  if (runner !== undefined && !hasRules(words)) {
    if (entry.length <= runner.length) return argv.length === entry.length;
    return isPlain(argv.slice(runner.length), entry.slice(runner.length));
  }
  const known = findRules(words);
  const rest = words.slice(entry.length);
  if (rest.length === 0) return true;
  if (known === undefined) {
    const isOpen = COLLECTIONS.has(words[0] ?? "") && entry.length === 1;
    return !isOpen && holds(rest, {});
  }
  const { rules, length } = known;
  if (rules.isNamed && entry.length < length) return false;
  if (rules.hands === "script") return isScript(words, entry.length, rules);
  return holds(words.slice(Math.max(entry.length, length)), rules);
}

/** Without its folder and version. */
function toName(program: string): string {
  const name = program.split("/").at(-1) ?? "";
  return name.toLowerCase().replace(/-?[\d.]+$/u, "");
}

function startsWith(words: readonly string[], start: readonly string[]): boolean {
  return start.every((word, index) => words[index] === word);
}

function hasRules(words: readonly string[]): boolean {
  return (findRules(words)?.length ?? 0) > 1;
}

/** The rules of the most words. */
function findRules(
  words: readonly string[],
): { readonly rules: PlainWords; readonly length: number } | undefined {
  for (const length of [3, 2, 1]) {
    const rules = words.length < length ? undefined : PLAIN.get(words.slice(0, length).join(" "));
    if (rules) return { rules, length };
  }
  return undefined;
}

/** A script has a path, so that it is no subcommand; behind it all words are its own. */
function isScript(words: readonly string[], from: number, rules: PlainWords): boolean {
  if (words.slice(1, from).some(isFile)) return true; // the owner's entry names it
  const read = readOptions(words.slice(from), { ...rules, stops: true });
  if ("unknown" in read) return false;
  const [script] = [...read.operands, ...(read.tail ?? [])];
  const isTest = read.given.some(({ name }) => name === "test");
  return script === undefined || isFile(script) || (isTest && !ODD.test(script));
}

function isFile(word: string): boolean {
  return !word.startsWith("-") && /[./]/u.test(word) && !ODD.test(word);
}

function holds(words: readonly string[], rules: PlainWords): boolean {
  const { words: whole, operands: known, isSingle, hands } = rules;
  const given = words
    .filter((word) => whole?.test(word) !== true)
    .map((word) => (isSingle ? word.replace(/^-(?=\w)/u, "--") : word));
  const read = readOptions(given, rules);
  if ("unknown" in read) return false;
  if (
    read.tail !== undefined &&
    read.tail.some((word) => word.startsWith("-")) &&
    hands !== "tail"
  ) {
    return false;
  }
  if (rules.hasPlainValues && read.given.some(({ value = "" }) => ODD.test(value))) return false;
  const operands = [...read.operands, ...(hands === "tail" ? [] : (read.tail ?? []))];
  return operands.every((word) => known?.test(word) ?? !ODD.test(word));
}
