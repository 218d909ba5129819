import type { Command, Options } from "../../context.ts";
import { choicesOf, type Place, placeOf } from "./usage-places.ts";

/** A word that may be put in, and what it is. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** What completion has to look up: values by their name in the usage, such as `WS` or `PLAN_ID`. */
export type Lookup = (value: string) => Promise<readonly Candidate[]>;

/** The options of a command, as it parses them itself; by its arguments, for some depend on them. */
export type OptionsOf = (name: string, args: readonly string[]) => Promise<Readonly<Options>>;

/** What there is to complete: every command by its name. */
export type Commands = Readonly<Record<string, Command>>;

/** Values for which a shell lists files by itself. */
const FILES: ReadonlySet<string> = new Set(["FILE", "DIR", "PATH"]);
/** What options take whose name does not say it in the usage. */
const BY_OPTION: Readonly<Record<string, string>> = { workspace: "WS", config: "FILE" };

/**
 * What the last of `words`, which may be empty, can be: candidates that begin with it, or "files".
 * The words are those behind `papayu`.
 */
export async function complete(
  words: readonly string[],
  commands: Commands,
  optionsOf: OptionsOf,
  lookup: Lookup,
): Promise<readonly Candidate[] | "files"> {
  const current = words.at(-1) ?? "";
  const [name = "", ...args] = words.slice(0, -1);
  if (words.length < 2) return startingWith(current, commandNames(commands));
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || args.includes("--")) return [];
  const options = await optionsOf(name, args);
  const [, inline, begun = current] = /^(--[\w-]+)=(.*)$/u.exec(current) ?? [];
  const asked = inline ?? args.at(-1) ?? "";
  const taken = optionNamed(options, asked);
  if (taken?.[1].type === "string" && (inline !== undefined || asked.startsWith("-"))) {
    const found = await valuesOf(command, taken[0], lookup);
    if (found === "files") return found;
    const before = inline === undefined ? "" : `${inline}=`;
    return startingWith(begun, found).map(({ word, about }) => ({ word: before + word, about }));
  }
  if (current.startsWith("-")) return startingWith(current, optionNames(options));
  return argumentsOf(placeOf(command.usage, plainOf(args, options)), current, lookup);
}

async function argumentsOf({ words, values }: Place, current: string, lookup: Lookup) {
  if (values.some((value) => FILES.has(value))) return "files";
  const found = await Promise.all(values.map(lookup));
  return startingWith(current, [...words.map((word) => ({ word, about: "" })), ...found.flat()]);
}

async function valuesOf({ usage }: Command, name: string, lookup: Lookup) {
  const choices = choicesOf(usage, `--${name}`);
  if (choices.length > 0) return choices.map((word) => ({ word, about: "" }));
  const [, written = ""] = new RegExp(`--${name} ([A-Z_]+)`, "u").exec(usage) ?? [];
  const value = BY_OPTION[name] ?? written;
  return FILES.has(value) ? "files" : lookup(value);
}

function commandNames(commands: Commands): readonly Candidate[] {
  const names = Object.entries(commands).map(([word, { summary }]) => ({ word, about: summary }));
  return [...names, { word: "--help", about: "lists the commands" }];
}

function optionNames(options: Readonly<Options>): readonly Candidate[] {
  return Object.entries(options).flatMap(([name, { short }]) =>
    [`--${name}`, ...(short === undefined ? [] : [`-${short}`])].map((word) => ({
      word,
      about: "",
    })),
  );
}

function optionNamed(options: Readonly<Options>, word: string) {
  return Object.entries(options).find(
    ([name, { short }]) => word === `--${name}` || (short !== undefined && word === `-${short}`),
  );
}

/** The arguments that are neither options nor their values. */
function plainOf(args: readonly string[], options: Readonly<Options>): readonly string[] {
  const isValue = (i: number) => optionNamed(options, args[i - 1] ?? "")?.[1].type === "string";
  return args.filter((arg, i) => !arg.startsWith("-") && !isValue(i));
}

function startingWith(begun: string, all: readonly Candidate[]): readonly Candidate[] {
  return all.filter(({ word }) => word.startsWith(begun));
}
