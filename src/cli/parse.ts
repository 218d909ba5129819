import { parseArgs } from "node:util";
import { nearestKey } from "../config/nearest-key.ts";
import { AppError, errorMessage } from "../core/app-error.ts";
import type { CliContext, Options } from "./context.ts";

/** Options every command has. */
const COMMON = {
  config: { type: "string" },
  help: { type: "boolean", short: "h" },
  json: { type: "boolean" },
  quiet: { type: "boolean" },
} as const satisfies Options;

/** A command line, taken apart. */
export interface Parsed {
  readonly positionals: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  /** Of an option that may be given several times. */
  texts(name: string): readonly string[];
}

/**
 * Reads a command's arguments; `positionals` is how many it takes at least and at most.
 *
 * @throws AppError ERR_USAGE that quotes what is not understood and how the command is used.
 */
export function parseCommand(
  args: readonly string[],
  context: CliContext,
  spec: { readonly options?: Options; readonly positionals: readonly [number, number] },
): Parsed {
  const options = { ...COMMON, ...spec.options };
  context.command.probe?.(options);
  let parsed: ReturnType<typeof readArguments>;
  try {
    parsed = readArguments(args, options);
  } catch (error) {
    const [problem = ""] = errorMessage(error).split(". ");
    const [, unknown] = /^Unknown option '--([^']+)'/u.exec(problem) ?? [];
    const near = unknown === undefined ? undefined : nearestKey(unknown, Object.keys(options));
    throw usageError(near ? `${problem}; did you mean --${near}?` : problem, context);
  }
  const { positionals, values, tokens } = parsed;
  assertOnce(tokens, options, context);
  const [least, most] = spec.positionals;
  if (positionals.length < least) throw usageError("An argument is missing", context);
  if (positionals.length > most) {
    throw usageError(`Cannot use "${positionals.slice(most).join(" ")}" here`, context);
  }
  return {
    positionals,
    flag: (name) => values[name] === true,
    text(name) {
      const value = values[name];
      return typeof value === "string" ? value : undefined;
    },
    texts(name) {
      const value = values[name];
      return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
    },
  };
}

function readArguments(args: readonly string[], options: Options) {
  const rules = { allowPositionals: true, strict: true, tokens: true } as const;
  return parseArgs({ args: [...args], options, ...rules });
}

/** Of two values one would be dropped, and nobody would hear of it. */
function assertOnce(
  tokens: ReturnType<typeof readArguments>["tokens"],
  options: Options,
  context: CliContext,
): void {
  const given = new Map<string, string | undefined>();
  for (const token of tokens) {
    if (token.kind !== "option" || options[token.name]?.multiple === true) continue;
    const { name, rawName, value } = token;
    if (given.has(name) && given.get(name) !== value) {
      const both = [given.get(name), value].map((each) => `"${each}"`).join(" and ");
      throw usageError(`Cannot take both ${both}: ${rawName} is given once`, context);
    }
    given.set(name, value);
  }
}

/** ERR_USAGE with what is wrong and how the command is used. */
export function usageError(problem: string, { command }: CliContext): AppError {
  return new AppError("ERR_USAGE", `${problem}; usage: papayu ${command.usage}`);
}

/** `-w WS`, which many commands take. */
export const WORKSPACE_OPTION = { workspace: { type: "string", short: "w" } } as const;

/** `--last N`, where it is given. */
export function parseCount(parsed: Parsed, context: CliContext): number | undefined {
  const text = parsed.text("last");
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageError(`Cannot take the last "${text}": name a number from 1`, context);
}
