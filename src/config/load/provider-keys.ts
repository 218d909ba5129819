import type { Environment } from "../../core/environment.ts";
import type { Fault } from "../places/places.ts";
import type { Config } from "../schema/schema.ts";
import { resolveKey } from "../secret.ts";

/** The providers that every start makes: the chosen one, then those behind it; none when it is "offline". */
export function providerChain({
  default: first,
  reliability,
}: Pick<Config, "default" | "reliability">): readonly string[] {
  return first.provider === "offline" ? [] : [first.provider, ...reliability.fallback_providers];
}

/**
 * Why nothing could start with a configuration that is right by itself: keys of its
 * {@link providerChain} that cannot be had where these variables are. No other secret is read before it is used.
 */
export function keyFaults(
  { config, userHome: home }: { readonly config: Config; readonly userHome: string },
  env: Environment,
): readonly Fault[] {
  return [...new Set(providerChain(config))].flatMap((name) => {
    const secret = resolveKey(config.providers[name]?.api_key ?? "", { env, home });
    return secret.ok ? [] : [{ path: ["providers", name, "api_key"], message: secret.message }];
  });
}
