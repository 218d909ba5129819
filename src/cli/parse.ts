import { type ParseArgsConfig, parseArgs } from "node:util";
import { AppError, errorMessage } from "../core/app-error.ts";
import type { CliContext } from "./context.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Options every command has. */
const COMMON = {
  config: { type: "string" },
  help: { type: "boolean", short: "h" },
  json: { type: "boolean" },
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
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const [problem = ""] = errorMessage(error).split(". ");
    throw usageError(problem, context);
  }
  const { positionals, values } = parsed;
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

/** ERR_USAGE with what is wrong and how the command is used. */
export function usageError(problem: string, { usage }: CliContext): AppError {
  return new AppError("ERR_USAGE", `${problem}; usage: papayu ${usage}`);
}

/** `-w WS`, which many commands take. */
export const WORKSPACE_OPTION = { workspace: { type: "string", short: "w" } } as const;
