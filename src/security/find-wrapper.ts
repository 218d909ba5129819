import { CODE_OPTIONS, type CodeOptions, WRAPPERS } from "./code-options.ts";
import { isPlainSed } from "./is-plain-sed.ts";
import { readOptions } from "./read-options.ts";

/** Interpreters that wait for a program on their standard input when none is named. */
const SHELLS = /^(?:ba|rba|da|a|z|k|rk|mk|ya|fi|c|tc)?sh$/u;
const SED = /^(?:g|s|super-?|mini)?sed$/u;
const MAX_INNER_WORDS = 200;
/** Options of awk that hold no program. */
const AWK_OPTIONS = {
  flags: "bcknNPrsSt",
  valued: "fFv",
  longs: "file= field-separator= assign= csv posix traditional re-interval sandbox",
  stops: true,
} as const;
/** For them such words are patterns or messages, and their own rules look at the rest. */
const OWN_MEANING: ReadonlySet<string> = new Set(["grep", "find", "git"]);
/** Words that only a shell would read: operators and redirections. */
const OPERATOR = /^(?:\|\|?|\|&|&&?|;;?|\d*(?:>>?|<<?<?)[&|]?.*|&>>?.*)$/su;

/**
 * Why an argument vector is no plain command: it needs a shell, or it is there to run another
 * one that nobody would see for what it is. Undefined when it is plain.
 */
export function findWrapper([program = "", ...args]: readonly string[]): string | undefined {
  if (/^\w+\+?=/u.test(program)) {
    return `"${program}" sets a variable; variables cannot be set, leave it out`;
  }
  const name = toName(program);
  if (WRAPPERS.has(name) || name.startsWith("ld-linux")) {
    return `"${name}" runs or hides another program; give that one as the argv itself`;
  }
  return findOperator(name, args) ?? findInlineCode(name, args);
}

/** Some disks tell no upper from lower case. */
function toName(program: string): string {
  const name = program.split("/").at(-1) ?? "";
  return name.toLowerCase().replace(/\.exe$/u, "");
}

function findOperator(name: string, args: readonly string[]): string | undefined {
  if (OWN_MEANING.has(name)) return undefined;
  const operator = args.find((word) => OPERATOR.test(word));
  if (operator === undefined) return undefined;
  return `"${operator}" is for a shell and no shell reads this; run one command at a time, its whole output is returned`;
}

function findInlineCode(name: string, args: readonly string[]): string | undefined {
  return findOwnCode(name, args) ?? findInnerCode(name, args);
}

function findOwnCode(name: string, args: readonly string[]): string | undefined {
  const bare = toBare(name);
  if (bare.endsWith("awk") && !isAwkOfFile(args)) return inline(name);
  if (SED.test(bare) && !isPlainSed(args)) return inline(name);
  if (SHELLS.test(bare) && !args.some((word) => !/^[-+]/u.test(word))) {
    return `"${name}" without a script reads commands; name a script of the workspace`;
  }
  const options = optionsOf(name);
  return options && holdsCode(args, options) ? inline(name) : undefined;
}

function optionsOf(name: string): CodeOptions | undefined {
  return CODE_OPTIONS.get(name) ?? CODE_OPTIONS.get(toBare(name));
}

/** Without its version. */
function toBare(name: string): string {
  return name.replace(/-?[\d.]+$/u, "");
}

function inline(name: string): string {
  return `code or a program to run inside the options of "${name}"; put the code into a file with propose_changes and run that file`;
}

/** Else the first operand of awk is the program. */
function isAwkOfFile(args: readonly string[]): boolean {
  const read = readOptions(args, AWK_OPTIONS);
  return "given" in read && read.given.some(({ name }) => name === "f" || name === "file");
}

/** What a runner is given to run may be anywhere behind: its own options are not known. */
function findInnerCode(name: string, args: readonly string[]): string | undefined {
  const runs = optionsOf(name)?.runs;
  if (runs === undefined) return undefined;
  const from = runs === "" ? 0 : args.findIndex((word) => listOf(runs).includes(word));
  const inner = from === -1 ? [] : args.slice(from);
  if (inner.length > MAX_INNER_WORDS) return `"${name}" runs more words than anybody reads`;
  for (const [index, word] of inner.entries()) {
    const fault = findOwnCode(toName(word), inner.slice(index + 1));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function holdsCode(args: readonly string[], options: CodeOptions): boolean {
  const { commands = "", words, letters = "" } = options;
  const own = ownWords(args, options);
  return (
    own.some((word) => isCode(word, options) || words?.test(word)) ||
    own.some((word) => listOf(commands).includes(word)) ||
    isOldTar(args[0], letters, options)
  );
}

/**
 * The words that a program takes for itself. An operand behind an option may be its value, so
 * only the next one is taken for the script.
 */
function ownWords(args: readonly string[], options: CodeOptions): readonly string[] {
  // As the value of an option "--" ends nothing.
  const end = args.findIndex(
    (word, index) => word === "--" && !mayTakeNext(args[index - 1] ?? "", options),
  );
  const own = end === -1 ? args : args.slice(0, end);
  if (!options.leads) return own;
  const last = own.findIndex((word, index) => {
    if (isOption(word))
      return namesScript(word, options) && !namesScript(`-${word.at(-1)}`, options);
    const before = own[index - 1] ?? "";
    return !mayTakeNext(before, options) || namesScript(before, options);
  });
  return last === -1 ? args.slice(0, own.length + 2) : own.slice(0, last + 1);
}

function namesScript(word: string, options: CodeOptions): boolean {
  return readCluster(word, options) === "script";
}

function mayTakeNext(word: string, { next }: CodeOptions): boolean {
  if (!isOption(word) || next === undefined) return isOption(word) && !/^--.*=/su.test(word);
  if (word.startsWith("--")) return !word.includes("=");
  return next.split("").some((letter) => word.includes(letter));
}

function isOption(word: string): boolean {
  return /^[-+]./u.test(word);
}

/** An abbreviated long option counts too. */
function isCode(word: string, options: CodeOptions): boolean {
  const { longs = "", plain } = options;
  const [, dashes, given = ""] = /^(--?)([^=]+)/u.exec(word) ?? [];
  const known = listOf(longs);
  if (dashes === "--") return given !== plain && known.some((long) => long.startsWith(given));
  return known.includes(given.toLowerCase()) || readCluster(word, options) === "code";
}

function listOf(names: string): readonly string[] {
  return names.split(/\s+/u).filter((name) => name !== "");
}

/** What the letters of one word say, up to the first that takes the rest as its value. */
function readCluster(
  word: string,
  { letters = "", valued = "", script = "" }: CodeOptions,
): "code" | "script" | undefined {
  if (!/^[-+][^-]/u.test(word)) return undefined; // a shell's letters may follow a plus
  for (const letter of word.slice(1)) {
    if (letters.includes(letter)) return "code";
    if (script.includes(letter)) return "script";
    if (valued.includes(letter)) return undefined;
  }
  return undefined;
}

/** `tar xIf program archive`: letters without a dash. */
function isOldTar(first = "", letters: string, { plain }: CodeOptions): boolean {
  if (plain !== "checkpoint" || isOption(first)) return false;
  return letters.split("").some((letter) => first.includes(letter));
}
