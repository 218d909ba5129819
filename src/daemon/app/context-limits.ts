import { providerChain } from "../../config/load/load.ts";
import type { Config } from "../../config/schema/schema.ts";
import { type ContextLimits, charsInWindow, toMaxFiles } from "../../planner/context/context.ts";
import { knownWindow } from "../../providers/windows.ts";

/**
 * How much of a workspace a model is shown: what the configuration allows, and no more than the
 * smallest window of the models that may be asked has room for, as far as these are known.
 */
export function toContextLimits(
  config: Pick<Config, "context" | "default" | "providers" | "reliability">,
): ContextLimits {
  const { max_files, max_file_chars, max_total_chars, max_log_chars } = config.context;
  const rooms = providerChain(config).flatMap((name) => roomOf(config.providers[name]) ?? []);
  const maxTotalChars = Math.min(max_total_chars, ...rooms);
  return {
    maxFiles: toMaxFiles(max_files, maxTotalChars),
    maxFileChars: Math.min(max_file_chars, maxTotalChars),
    maxTotalChars,
    maxLogChars: Math.min(max_log_chars, maxTotalChars),
  };
}

function roomOf(provider: Config["providers"][string] | undefined): number | undefined {
  if (!provider) return undefined;
  const windowTokens = provider.context_tokens ?? knownWindow(provider.model);
  return windowTokens === undefined ? undefined : charsInWindow(windowTokens, provider.max_tokens);
}
