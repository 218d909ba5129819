import { AppError } from "../core/app-error.ts";
import { runConfigCheck, runConfigPath } from "./config.ts";
import type { CliContext } from "./context.ts";
import { openConfig } from "./open-app.ts";
import { JSON_OPTION, parseCommand } from "./parse.ts";

const USAGE = "config check|path [--json]";

/** `papayu config`: looks at the configuration without starting anything. */
export function config(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, USAGE, { options: JSON_OPTION, positionals: [1, 1] });
  const command = {
    load: () => openConfig(parsed, context),
    json: parsed.flag("json"),
    stdout: (text: string) => void context.stdout.write(text),
  };
  const [verb = ""] = parsed.positionals;
  switch (verb) {
    case "check":
      return runConfigCheck(command);
    case "path":
      return runConfigPath(command);
    default:
      throw new AppError("ERR_USAGE", `Cannot do "${verb}"; usage: papayu ${USAGE}`);
  }
}
