import type { Config } from "../../config/schema/schema.ts";
import { AppError } from "../../core/app-error.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Capabilities } from "../../providers/capabilities.ts";
import { createOfflineProvider } from "../../providers/offline.ts";
import { createOpenAiProvider } from "../../providers/openai.ts";
import type { Provider } from "../../providers/provider.ts";
import { createReliableProvider } from "../../providers/reliable.ts";

/**
 * The provider that `default.provider` names, with its retries and its fallback chain.
 *
 * @throws AppError ERR_PROVIDER_UNKNOWN or ERR_SECRET_UNAVAILABLE.
 */
export function chooseProvider(parts: {
  readonly config: Config;
  /** For short work on what was read: `extract_model`, where one is set. */
  readonly isForExtracts?: boolean;
  readonly capabilities: Capabilities;
  /** Has each try of a provider counted. */
  readonly pay: (provider: Provider) => Provider;
  readonly secret: (reference: string) => string | undefined;
  readonly log: Log;
  readonly clock: Clock;
}): Provider {
  const { config, isForExtracts = false, capabilities, pay, secret, log, clock } = parts;
  const { provider: name } = config.default;
  if (name === "offline") return createOfflineProvider();
  const { reliability } = config;
  const chain = [name, ...reliability.fallback_providers].map((each) => {
    const settings = config.providers[each];
    if (!settings) {
      throw new AppError(
        "ERR_PROVIDER_UNKNOWN",
        `Cannot find the provider "${each}"; add [providers.${each}] or choose another`,
      );
    }
    const provider = createOpenAiProvider({
      name: each,
      baseUrl: settings.base_url,
      apiKey: secret(settings.api_key),
      model: (isForExtracts && settings.extract_model) || settings.model,
      timeoutMs: reliability.request_timeout_s * 1000,
      capabilities,
      log,
    });
    return pay(provider);
  });
  return createReliableProvider(chain, {
    maxRetries: reliability.max_retries,
    initialBackoffMs: reliability.initial_backoff_ms,
    maxWaitMs: config.agent.turn_timeout_s * 1000,
    clock,
    random: Math.random,
    onRetry: ({ provider, next, failure, delayMs }) =>
      log("LLM_RETRY", { provider, next, code: failure.code, delay_ms: delayMs }),
  });
}
