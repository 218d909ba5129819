import { checkFolders } from "../../config/edit/edit.ts";
import type { CliContext } from "../context.ts";
import { readConfig, toLoadOptions, warnOfBroken } from "../open-config.ts";
import { parseCommand, usageError } from "../parse.ts";
import { runConfigCheck, runConfigPath } from "./config.ts";
import { loadGlobFaults, runConfigGet, runConfigSet, runConfigUnset } from "./config-keys.ts";
import { runConfigTrust } from "./config-trust.ts";

/** Arguments of each verb, itself included: at least and at most. */
const ARGUMENTS: Readonly<Record<string, readonly [number, number]>> = {
  check: [1, 1],
  path: [1, 1],
  get: [1, 2],
  set: [3, 3],
  unset: [2, 2],
  trust: [1, 1],
};

/** `papayu config`: looks at the configuration, or changes it, without starting anything. */
export function config(args: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseCommand(args, context, {
    options: { yes: { type: "boolean", short: "y" } },
    positionals: [1, 3],
  });
  const options = toLoadOptions(parsed, context);
  const command = {
    load: async () => {
      const loaded = await readConfig(parsed, context);
      if (parsed.positionals[0] === "check") {
        return checkFolders(options, loaded, await loadGlobFaults(loaded.config));
      }
      warnOfBroken(loaded.source.broken, context);
      return loaded;
    },
    json: context.command.json,
    stdout: (text: string) => void context.stdout.write(text),
  };
  const isYes = parsed.flag("yes");
  const [verb = "", key = "", value = ""] = parsed.positionals;
  const [least, most] = ARGUMENTS[verb] ?? [0, 3];
  const count = parsed.positionals.length;
  if (count < least) throw usageError("An argument is missing", context);
  if (count > most) throw usageError(`Cannot use "${parsed.positionals.at(-1)}" here`, context);
  switch (verb) {
    case "check":
      return runConfigCheck(command);
    case "path":
      return runConfigPath(command);
    case "get":
      return runConfigGet(command, key);
    case "set":
      return runConfigSet([key, value], { options, isYes, context });
    case "unset":
      return runConfigUnset(key, { options, isYes, context });
    case "trust":
      return runConfigTrust(options, isYes, context);
    default:
      throw usageError(`Cannot do "${verb}"`, context);
  }
}
