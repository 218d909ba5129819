import type { Database } from "bun:sqlite";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Author } from "../planner/author.ts";
import { createModelAuthor } from "../planner/model-author.ts";
import { createOfflineAuthor } from "../planner/offline-author.ts";
import { createOperations, type Operations } from "../planner/operations.ts";
import { createTracePlanner } from "../planner/trace-call.ts";
import type { Provider } from "../providers/provider.ts";
import { createPlanStore } from "../store/plans.ts";
import type { Trace } from "../trace/trace.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Everything that plans, applies and undoes; loaded with the first use of it. */
export function createPlanner(parts: {
  readonly config: Config;
  readonly provider: Provider;
  /** Writes the plans instead of the provider. */
  readonly author?: Author;
  readonly store: Database;
  readonly trace: (workspace: Workspace, record: Trace) => void;
  readonly log: Log;
  readonly clock: Clock;
  readonly resolve: (name: string) => Workspace;
  readonly notice: (text: string) => void;
}): Operations {
  const { config, provider, store, log, clock } = parts;
  const author = parts.author ?? createAuthor(config, provider, log, clock);
  const { context, security, trace, protocol } = config;
  return createOperations({
    author,
    plans: createPlanStore(store),
    limits: {
      maxFiles: context.max_files,
      maxFileChars: context.max_file_chars,
      maxTotalChars: context.max_total_chars,
      maxLogChars: context.max_log_chars,
    },
    trace: createTracePlanner({
      author,
      configSnapshot: { context, protocol, autonomy: security.autonomy, trace },
      prices: toPrices(config.providers[author.name]),
      now: clock.now,
      write: parts.trace,
    }),
    autonomy: security.autonomy,
    workspaceAt: parts.resolve,
    notice: parts.notice,
    log,
    clock,
  });
}

function createAuthor(config: Config, provider: Provider, log: Log, clock: Clock): Author {
  if (provider.name === "offline") return createOfflineAuthor(clock.now);
  const settings = config.providers[provider.name];
  return createModelAuthor(provider, {
    strict: settings?.strict_json ?? false,
    temperature: config.default.temperature,
    ...(settings?.max_tokens !== undefined && { maxTokens: settings.max_tokens }),
    log,
  });
}

function toPrices(settings: Config["providers"][string] | undefined) {
  const { price_input_per_mtok: input, price_output_per_mtok: output } = settings ?? {};
  return input === undefined || output === undefined
    ? undefined
    : { inputPerMtok: input, outputPerMtok: output };
}
