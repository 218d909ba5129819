import type { CommandDeps } from "../../agent/deps.ts";
import { type LoadedConfig, providerChain } from "../../config/load/load.ts";
import type { Config } from "../../config/schema/schema.ts";
import { AppError } from "../../core/app-error.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { type Budget, createBudget, toDay } from "../../providers/budget.ts";
import { type Capabilities, createCapabilities } from "../../providers/capabilities.ts";
import { withBound, withSetting } from "../../providers/cut-answer.ts";
import { createOfflineProvider } from "../../providers/offline.ts";
import { createOpenAiProvider } from "../../providers/openai.ts";
import type { Prices } from "../../providers/prices.ts";
import type { Provider } from "../../providers/provider.ts";
import { createReliableProvider } from "../../providers/reliable.ts";
import type { Settings } from "../../store/settings/settings.ts";
import { createSpendingStore } from "../../store/spending.ts";
import type { Ready } from "../../store/writer/writer.ts";
import type { SharedServices } from "./shared-services.ts";

/** The models of a configuration, and the budget that pays for them. */
export interface Models {
  readonly provider: Provider;
  /** For short work on what was said or read. */
  readonly extractProvider: () => Provider;
  /** Every model of the chain by itself, in its order, with its own retries and no other behind it. */
  readonly alone: () => readonly Provider[];
  readonly charge: Budget["charge"];
  readonly paying: Pick<Budget, "payer" | "measure">;
  readonly spent: CommandDeps["spent"];
}

/** @throws AppError ERR_PROVIDER_UNKNOWN or ERR_SECRET_UNAVAILABLE */
export function createModels(
  loaded: LoadedConfig,
  { environment, state, secrets, log, clock }: SharedServices,
  settings: Settings,
): Models {
  const { config } = loaded;
  const { store, commit, ready } = state;
  const spending = createSpendingStore(store, commit);
  const capabilities = createCapabilities(settings.of("capabilities."), clock.now);
  const budget = createBudget({
    ledger: spending,
    caps: { tokens: config.agent.max_tokens_per_day, cost: config.agent.max_cost_per_day },
    pricesOf: (name) => pricesOf(config, name),
    refused: capabilities.refused,
    configPath: loaded.source.path ?? "config.toml",
    now: clock.now,
  });
  const pay = (each: Provider) => {
    const { max_tokens: most } = config.providers[each.name] ?? {};
    return whenReady(withSetting(budget.wrap(withBound(each)), most), ready);
  };
  const { provider: given } = environment;
  const fixed = given && (given.name === "offline" ? given : pay(given));
  const { read: secret } = secrets;
  const chain = { config, capabilities, pay, secret, log, clock };
  const choose = (isForExtracts: boolean) => fixed ?? chooseProvider({ ...chain, isForExtracts });
  return {
    provider: choose(false),
    extractProvider: () => choose(true),
    alone: () => (fixed ? [fixed] : openAlone(chain)),
    charge: (payer, work, caps) => budget.charge(payer, async () => (await ready(), work()), caps),
    paying: budget,
    spent: (payer) => spending.spent(toDay(clock.now()), payer),
  };
}

/** The configured prices of a provider; undefined: none, so that only tokens are counted. */
export function pricesOf({ providers }: Config, name: string): Prices | undefined {
  const { price_input_per_mtok: input, price_output_per_mtok: output } = providers[name] ?? {};
  if (input === undefined || output === undefined) return undefined;
  return { inputPerMtok: input, outputPerMtok: output };
}

/** A provider that ends when the database can be written. */
function whenReady(provider: Provider, ready: Ready): Provider {
  return {
    ...provider,
    async *stream(request) {
      for await (const event of provider.stream(request)) {
        if (event.kind === "end") await ready(request.signal);
        yield event;
      }
    },
  };
}

/** What a chain of providers is made of. */
interface ChainParts {
  readonly config: Config;
  /** For short work on what was read: `extract_model`, where one is set. */
  readonly isForExtracts?: boolean;
  readonly capabilities: Capabilities;
  /** Has each try of a provider counted, and bound by what is set for it. */
  readonly pay: (provider: Provider) => Provider;
  readonly secret: (reference: string) => string | undefined;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * The provider that `default.provider` names, with its retries and its fallback chain.
 *
 * @throws AppError ERR_PROVIDER_UNKNOWN or ERR_SECRET_UNAVAILABLE.
 */
export function chooseProvider(parts: ChainParts): Provider {
  const names = providerChain(parts.config);
  if (names.length === 0) return createOfflineProvider();
  return withRetries(
    parts,
    names.map((name) => openProvider(parts, name)),
  );
}

function openAlone(parts: ChainParts): readonly Provider[] {
  const names = new Set(providerChain(parts.config));
  if (names.size === 0) return [createOfflineProvider()];
  return [...names].map((name) => withRetries(parts, [openProvider(parts, name)]));
}

function openProvider(parts: ChainParts, name: string): Provider {
  const { config, isForExtracts = false, capabilities, pay, secret, log } = parts;
  const settings = config.providers[name];
  if (!settings) {
    throw new AppError(
      "ERR_PROVIDER_UNKNOWN",
      `Cannot find the provider "${name}"; add [providers.${name}] or choose another`,
    );
  }
  const provider = createOpenAiProvider({
    name,
    baseUrl: settings.base_url,
    apiKey: secret(settings.api_key),
    model: (isForExtracts && settings.extract_model) || settings.model,
    timeoutMs: config.reliability.request_timeout_s * 1000,
    capabilities,
    log,
  });
  return pay(provider);
}

function withRetries({ config, log, clock }: ChainParts, providers: readonly Provider[]): Provider {
  return createReliableProvider(providers, {
    maxRetries: config.reliability.max_retries,
    initialBackoffMs: config.reliability.initial_backoff_ms,
    maxWaitMs: config.agent.turn_timeout_s * 1000,
    clock,
    random: Math.random,
    onRetry: ({ provider, next, failure, delayMs }) =>
      log("LLM_RETRY", { provider, next, code: failure.code, delay_ms: delayMs }),
  });
}
