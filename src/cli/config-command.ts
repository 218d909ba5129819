import { runConfigCheck, runConfigPath } from "./config.ts";
import type { CliContext } from "./context.ts";
import { readConfig } from "./open-config.ts";
import { parseCommand, usageError } from "./parse.ts";

/** `papayu config`: looks at the configuration without starting anything. */
export function config(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, { positionals: [1, 1] });
  const command = {
    load: () => readConfig(parsed, context),
    json: context.json,
    stdout: (text: string) => void context.stdout.write(text),
  };
  const [verb = ""] = parsed.positionals;
  switch (verb) {
    case "check":
      return runConfigCheck(command);
    case "path":
      return runConfigPath(command);
    default:
      throw usageError(`Cannot do "${verb}"`, context);
  }
}
