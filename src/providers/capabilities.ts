/** Parts of a request that some OpenAI-compatible servers refuse. */
export type OptionalPart =
  | "response_format"
  | "stream_options"
  | "temperature"
  | "max_tokens"
  | "tools"
  /** What a model gave for itself: see `Aside`. */
  | "asides"
  /** Of others, or of a model that did not think; where there are calls, every answer counts. */
  | "calls_without_thoughts"
  | "calls_without_signature";

/** What is known, by provider and model, about the parts a server refuses. */
export interface Capabilities {
  readonly refused: (provider: string, model: string) => ReadonlySet<OptionalPart>;
  readonly remember: (provider: string, model: string, parts: Iterable<OptionalPart>) => void;
}

/** Where they outlive a run: small texts by provider and model. */
export interface CapabilityMemory {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

/** A server may have been upgraded since: what was learnt is tried again after a day. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** A record that starts from what `memory` kept of the last day. */
export function createCapabilities(
  memory: CapabilityMemory = createMemory(),
  now: () => number = Date.now,
): Capabilities {
  const refused = (provider: string, model: string): ReadonlySet<OptionalPart> => {
    const [learntAt = "", ...parts] = memory.get(toKey(provider, model))?.split(" ") ?? [];
    return settle(now() - Number(learntAt) < MAX_AGE_MS ? parts.filter(isPart) : []);
  };
  return {
    refused,
    remember(provider, model, parts) {
      const more = [...parts];
      if (more.length === 0) return; // asked behind every piece of an answer
      const before = refused(provider, model);
      const after = settle([...before, ...more]);
      if (after.isSubsetOf(before)) return;
      memory.set(toKey(provider, model), [now(), ...after].join(" "));
    },
  };
}

/** What is refused, without what contradicts itself: who takes no asides is sent none in their place. */
export function settle(parts: Iterable<OptionalPart>): ReadonlySet<OptionalPart> {
  const refused = new Set(parts);
  return refused.has("asides") ? refused.difference(IN_THEIR_PLACE) : refused;
}

const IN_THEIR_PLACE: ReadonlySet<OptionalPart> = new Set<OptionalPart>([
  "calls_without_thoughts",
  "calls_without_signature",
]);

const PARTS: ReadonlySet<string> = new Set<OptionalPart>([
  "response_format",
  "stream_options",
  "temperature",
  "max_tokens",
  "tools",
  "asides",
  "calls_without_thoughts",
  "calls_without_signature",
]);

function isPart(part: string): part is OptionalPart {
  return PARTS.has(part);
}

function createMemory(): CapabilityMemory {
  const texts = new Map<string, string>();
  return { get: (key) => texts.get(key), set: (key, value) => void texts.set(key, value) };
}

function toKey(provider: string, model: string): string {
  return JSON.stringify([provider, model]);
}
