/** Parts of a request that some OpenAI-compatible servers refuse. */
export type OptionalPart = "response_format" | "stream_options" | "temperature" | "max_tokens";

/** What is known, by provider and model, about the parts a server refuses. */
export interface Capabilities {
  refused(provider: string, model: string): ReadonlySet<OptionalPart>;
  remember(provider: string, model: string, parts: Iterable<OptionalPart>): void;
}

/** A record in memory: a restart asks again, so that an upgraded server gets its chance. */
export function createCapabilities(): Capabilities {
  const known = new Map<string, Set<OptionalPart>>();
  return {
    refused: (provider, model) => known.get(key(provider, model)) ?? new Set(),
    remember(provider, model, parts) {
      const before = known.get(key(provider, model)) ?? [];
      known.set(key(provider, model), new Set([...before, ...parts]));
    },
  };
}

function key(provider: string, model: string): string {
  return JSON.stringify([provider, model]);
}
