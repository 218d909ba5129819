import { checkFind } from "./check-find.ts";
import { checkGit, type GitCall } from "./check-git.ts";
import { findWrapper } from "./find-wrapper.ts";
import { isPlain } from "./is-plain.ts";
import {
  describeUnknown,
  type OptionRules,
  type ReadArguments,
  readOptions,
} from "./read-options.ts";

/** A search through folders, whose files are to replace the folders in the arguments. */
export interface FolderSearch {
  readonly head: readonly string[];
  readonly folders: readonly string[];
}

/**
 * What may happen with an argument vector. `read`: it only looks; `change`: the owner allows the
 * command, and it may do more than look; `ask`: a person decides on exactly these words, at every
 * level of autonomy; `deny`: nobody is asked.
 */
export type CommandVerdict =
  | {
      readonly kind: "read" | "change" | "ask";
      /** Arguments that are paths; the path guard has the last word on each. */
      readonly paths: readonly string[];
      readonly search?: FolderSearch;
      readonly git?: GitCall;
    }
  | { readonly kind: "deny"; readonly reason: string };

/** More cannot be read by a person who is to approve it. */
const MAX_CHARACTERS = 8000;
const UNPRINTABLE = /(?![\t\n])\p{Cc}/u;
/** What a shell would replace. */
const SUBSTITUTION = /\$\(|\$\{|\$\w|`|[<>]\(/u;
const SHELL_CHARACTERS = /[;|&<>]/u;

/** Commands that only look, with all of their options that do. */
const READERS: ReadonlyMap<string, OptionRules> = new Map<string, OptionRules>(
  Object.entries({
    ls: {
      flags: "aAbBcCdfFgGhiklmnNopqQrRsStuUvxX1Z",
      valued: "ITw",
      longs: `all almost-all author escape directory classify=? human-readable inode recursive reverse
      size numeric-uid-gid group-directories-first full-time no-group si color=? sort= time= format=
      time-style= ignore= hide= indicator-style= block-size=`,
    },
    cat: {
      flags: "AbeEnstTuv",
      longs: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting",
    },
    head: {
      flags: "qvz",
      valued: "nc",
      longs: "lines= bytes= quiet silent verbose",
      numeric: true,
    },
    tail: {
      flags: "qvz",
      valued: "nc",
      longs: "lines= bytes= quiet silent verbose",
      numeric: true,
    },
    wc: { flags: "clmLw", longs: "bytes chars lines max-line-length words" },
    pwd: { flags: "LP", longs: "logical physical" },
    echo: { flags: "neE" },
    grep: {
      flags: "EFGPivwxcLlnHhoqsabzrZTU",
      valued: "efmABC",
      longs: `extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case
      invert-match word-regexp line-regexp count files-without-match files-with-matches line-number
      with-filename no-filename only-matching quiet silent no-messages text byte-offset null-data
      recursive null initial-tab regexp= file= max-count= after-context= before-context= context=
      include= exclude= exclude-dir= binary-files= color=? colour=?`,
      numeric: true,
    },
  }),
);

/** Evaluates a vector by its words alone; `allowed` are commands, or the first words of commands. */
export function evaluateCommand(
  argv: readonly string[],
  allowed: readonly string[],
): CommandVerdict {
  const [program = "", ...args] = argv;
  const fault = findFault(argv) ?? findWrapper(argv);
  if (fault !== undefined) return { kind: "deny", reason: fault };
  const verdict = evaluateProgram(program, args);
  if (verdict.kind === "deny") return verdict;
  const entry = findEntry(argv, allowed);
  const isKnown = verdict.kind === "read" || verdict.git !== undefined;
  if (entry !== undefined && (isKnown || isPlain(argv, entry))) return verdict;
  return { ...verdict, kind: "ask" };
}

function findFault(argv: readonly string[]): string | undefined {
  if (argv.length === 0 || argv[0] === "") {
    return 'argv names no program; give words such as ["ls","-l","src"]';
  }
  if (argv.join(" ").length > MAX_CHARACTERS) {
    return `argv is over ${MAX_CHARACTERS} characters; put what is long into a file`;
  }
  const substitution = findSubstitution(argv.slice(0, 1));
  if (substitution !== undefined) return substitution;
  const unprintable = argv.some((word) => UNPRINTABLE.test(word));
  return unprintable ? "argv holds control characters; leave them out" : undefined;
}

/** The longest entry of the owner's list that the command begins with. */
function findEntry(
  argv: readonly string[],
  allowed: readonly string[],
): readonly string[] | undefined {
  return allowed
    .map((entry) => entry.trim().split(/\s+/u))
    .filter((words) => words[0] !== "" && words.every((word, index) => argv[index] === word))
    .toSorted((one, other) => other.length - one.length)[0];
}

function evaluateProgram(program: string, args: readonly string[]): CommandVerdict {
  if (program === "git") return checkGit(args);
  if (program === "find") {
    const found = checkFind(args);
    return found.kind === "deny" ? found : withPlainPaths(found.paths);
  }
  const rules = READERS.get(program);
  return rules ? evaluateReader(program, args, rules) : evaluateOther(program, args);
}

/** A command whose options nobody here knows; what could be intended for a shell is a question. */
function evaluateOther(program: string, args: readonly string[]): CommandVerdict {
  const substitution = findSubstitution(args);
  if (substitution !== undefined) return { kind: "deny", reason: substitution };
  const own = /^[^/].*\//u.test(program) ? [program] : []; // what is on PATH has no "/"
  const isOdd = args.some((word) => SHELL_CHARACTERS.test(word));
  return { kind: isOdd ? "ask" : "change", paths: [...own, ...args.flatMap(toPaths)] };
}

function evaluateReader(
  program: string,
  args: readonly string[],
  rules: OptionRules,
): CommandVerdict {
  const read = readOptions(args, rules);
  if ("unknown" in read) {
    return { kind: "deny", reason: describeUnknown(program, read.unknown, rules) };
  }
  const operands = [...read.operands, ...(read.tail ?? [])];
  if (program === "grep") return evaluateGrep(read, operands);
  const substitution = findSubstitution(operands);
  if (substitution !== undefined) return { kind: "deny", reason: substitution };
  return program === "echo" ? { kind: "read", paths: [] } : withPlainPaths(operands);
}

function evaluateGrep(
  { given, words }: ReadArguments,
  operands: readonly string[],
): CommandVerdict {
  const lists = given.filter(({ name }) => name === "f" || name === "file");
  const isNamed = lists.length > 0 || given.some(({ name }) => name === "e" || name === "regexp");
  const pattern = isNamed ? [] : operands.slice(0, 1);
  const files = operands.slice(pattern.length);
  const paths = [...files, ...lists.map(({ value = "" }) => value)];
  if (!given.some(({ name }) => name === "r" || name === "recursive")) return withPlainPaths(paths);
  const folders = files.length === 0 ? ["."] : files;
  return withPlainPaths([...folders, ...paths], {
    search: { head: ["grep", "-H", ...words, "--", ...pattern], folders },
  });
}

function withPlainPaths(
  paths: readonly string[],
  more: { readonly search?: FolderSearch } = {},
): CommandVerdict {
  const files = paths.filter((path) => path !== "-"); // the standard input, which is empty
  const reason = findSubstitution(files) ?? findWildcard(files);
  if (reason !== undefined) return { kind: "deny", reason };
  return { kind: "read", paths: files, ...more };
}

function findSubstitution(words: readonly string[]): string | undefined {
  const word = words.find((each) => SUBSTITUTION.test(each));
  if (word === undefined) return undefined;
  return `"${word}" would be replaced by a shell and no shell reads this; write it out in full`;
}

function findWildcard(paths: readonly string[]): string | undefined {
  const path = paths.find((each) => /[*?]/u.test(each));
  if (path === undefined) return undefined;
  return `no shell expands "${path}"; name the files, or use find -name or grep -r --include`;
}

/** The parts of a word of an unknown command that could be paths: `of=/dev/sda`, `-v/:/host`. */
function toPaths(word: string): readonly string[] {
  if (/^(?:https?|ssh|git):\/\//u.test(word)) return [];
  const attached = /^-\w+(?=[./~])/u.exec(word)?.[0] ?? "";
  const value = attached !== "" ? word.slice(attached.length) : word.replace(/^-[^=]*=?/u, "");
  return value.split(/[=:,]/u).filter((part) => part !== "");
}
