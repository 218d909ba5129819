import { type ParseArgsConfig, parseArgs } from "node:util";
import { AppError, errorMessage } from "../core/app-error.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Options every command has. */
const COMMON = {
  config: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const satisfies Options;

/** A command line, taken apart. */
export interface Parsed {
  readonly positionals: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
}

/**
 * Reads a command's arguments; `positionals` is how many it takes at least and at most.
 *
 * @throws AppError ERR_USAGE that quotes what is not understood and how the command is used.
 */
export function parseCommand(
  args: readonly string[],
  usage: string,
  spec: { readonly options?: Options; readonly positionals: readonly [number, number] },
): Parsed {
  const options = { ...COMMON, ...spec.options };
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new AppError("ERR_USAGE", `${errorMessage(error)}; usage: papayu ${usage}`);
  }
  const { positionals, values } = parsed;
  const [least, most] = spec.positionals;
  if (positionals.length < least || positionals.length > most) {
    const found = positionals.length === 0 ? "nothing" : `"${positionals.join(" ")}"`;
    throw new AppError("ERR_USAGE", `Cannot use ${found} here; usage: papayu ${usage}`);
  }
  return {
    positionals,
    flag: (name) => values[name] === true,
    text(name) {
      const value = values[name];
      return typeof value === "string" ? value : undefined;
    },
  };
}

/** `-w WS`, which many commands take. */
export const WORKSPACE_OPTION = { workspace: { type: "string", short: "w" } } as const;
/** `--json`: exactly one document on stdout. */
export const JSON_OPTION = { json: { type: "boolean" } } as const;
