/** The options of one command that are known to do nothing but what it is for. */
export interface OptionRules {
  /** Letters without a value. */
  readonly flags?: string;
  /** Letters whose value follows, in the same word or the next. */
  readonly valued?: string;
  /** Letters whose value, if any, is in the same word. */
  readonly attached?: string;
  /** Long names; with "=" they need a value, with "=?" they may have one. */
  readonly longs?: string;
  /** The first operand ends the options. */
  readonly stops?: boolean;
  /** `-5` is a number of lines. */
  readonly numeric?: boolean;
}

/** An option as it was given; `name` has no dashes. */
export interface GivenOption {
  readonly name: string;
  readonly value?: string;
}

/** Arguments taken apart. */
export interface ReadArguments {
  /** The words that are options or their values, as given. */
  readonly words: readonly string[];
  readonly given: readonly GivenOption[];
  readonly operands: readonly string[];
  /** What came after "--"; undefined without one. */
  readonly tail: readonly string[] | undefined;
}

/**
 * Takes arguments apart by rules, or names the first option that they do not know. Long names
 * must be whole: an abbreviation could mean an option that is not in the rules.
 */
export function readOptions(
  args: readonly string[],
  rules: OptionRules,
): ReadArguments | { readonly unknown: string } {
  const words: string[] = [];
  const given: GivenOption[] = [];
  const operands: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? "";
    if (word === "--") return { words, given, operands, tail: args.slice(index + 1) };
    if (!word.startsWith("-") || word === "-") {
      if (rules.stops) return { words, given, operands: args.slice(index), tail: undefined };
      operands.push(word);
      continue;
    }
    const read = word.startsWith("--") ? readLong(word, rules) : readShort(word, rules);
    if (read === undefined) return { unknown: word };
    words.push(word);
    given.push(...read.given);
    if (read.pending === undefined) continue;
    const value = args[++index];
    if (value === undefined) return { unknown: `${word} without its value` };
    words.push(value);
    given.push({ name: read.pending, value });
  }
  return { words, given, operands, tail: undefined };
}

/** Says which option a rule does not know, and which it does. */
export function describeUnknown(command: string, option: string, rules: OptionRules): string {
  const { flags = "", valued = "", attached = "", longs = "" } = rules;
  const letters = (flags + valued + attached).split("").map((letter) => `-${letter}`);
  const names = longs.split(/\s+/u).flatMap((name) => (name === "" ? [] : `--${name}`));
  const known = [...letters, ...names].join(" ");
  return `the option "${option}" of ${command} is not allowed; allowed are: ${known}`;
}

/** `pending`: the option whose value is the next word. */
interface ReadWord {
  readonly given: readonly GivenOption[];
  readonly pending?: string;
}

function readLong(word: string, { longs = "" }: OptionRules): ReadWord | undefined {
  const [, name = "", value] = /^--([^=]*)(?:=(.*))?$/su.exec(word) ?? [];
  const known = longs.split(/\s+/u);
  if (known.includes(`${name}=?`)) return { given: [toGiven(name, value)] };
  if (known.includes(`${name}=`)) {
    return value === undefined ? { given: [], pending: name } : { given: [{ name, value }] };
  }
  return value === undefined && known.includes(name) ? { given: [{ name }] } : undefined;
}

function readShort(word: string, rules: OptionRules): ReadWord | undefined {
  const { flags = "", valued = "", attached = "", numeric = false } = rules;
  if (numeric && /^-\d+$/u.test(word)) return { given: [] };
  const given: GivenOption[] = [];
  for (let index = 1; index < word.length; index++) {
    const name = word.charAt(index);
    const rest = word.slice(index + 1);
    if (flags.includes(name)) given.push({ name });
    else if (attached.includes(name)) {
      return { given: [...given, toGiven(name, rest === "" ? undefined : rest)] };
    } else if (valued.includes(name)) {
      return rest === "" ? { given, pending: name } : { given: [...given, { name, value: rest }] };
    } else return undefined;
  }
  return { given };
}

function toGiven(name: string, value: string | undefined): GivenOption {
  return value === undefined ? { name } : { name, value };
}
