import type { Cut } from "../texts/failures/failures.ts";
import { MOST_OUTPUT_TOKENS } from "./budget.ts";
import type { ChatRequest, Provider, ProviderEvent } from "./provider.ts";

type End = Extract<ProviderEvent, { kind: "end" }>;

/**
 * The same provider, which says of an answer that was cut how long the request let it be: a budget
 * in front of it may have bounded what whoever asks did not.
 */
export function withBound(provider: Provider): Provider {
  return {
    ...provider,
    async *stream(request) {
      const { maxTokens } = request;
      for await (const event of provider.stream(request)) {
        const isCut = event.kind === "end" && event.reason === "length";
        yield isCut && maxTokens !== undefined ? { ...event, maxTokens } : event;
      }
    },
  };
}

/**
 * The same provider, whose answers are no longer than its own setting lets them be, whoever asks:
 * in a chain each has its own. Undefined: nothing is set.
 */
export function withSetting(provider: Provider, setting: number | undefined): Provider {
  if (setting === undefined) return provider;
  return {
    ...provider,
    async *stream(request) {
      const { maxTokens = setting } = request;
      const isSet = maxTokens >= setting;
      const bound = { ...request, maxTokens: Math.min(maxTokens, setting) };
      for await (const event of provider.stream(bound)) {
        yield isSet && event.kind === "end" ? { ...event, isSet } : event;
      }
    },
  };
}

/** Counted by a server, a bound may come out a little short of what was asked for. */
const REACHED = 0.9;

/** What cut the answer that `request` got; undefined: it is whole. */
export function cutOf(
  { name }: Provider,
  request: Pick<ChatRequest, "maxTokens">,
  { reason, usage, servedBy, isSet, maxTokens: most = request.maxTokens }: End,
): Cut | undefined {
  if (reason !== "length") return undefined;
  const provider = servedBy?.provider ?? name;
  const counted = usage.outputTokens > 0 ? usage.outputTokens : undefined;
  const isOwn = most === undefined || (counted ?? most) < most * REACHED;
  if (isOwn) return { tokens: counted, by: "provider", provider };
  if (isSet || request.maxTokens !== undefined) return { tokens: most, by: "setting", provider };
  return { tokens: most, by: most < MOST_OUTPUT_TOKENS ? "rest" : "cap", provider };
}
