import type { Cut } from "../texts/failures/failures.ts";
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

/** Counted by a server, a bound may come out a little short of what was asked for. */
const REACHED = 0.9;

/** What cut the answer that `request` got; undefined: it is whole. */
export function cutOf(
  { name }: Provider,
  request: Pick<ChatRequest, "maxTokens">,
  { reason, usage, servedBy, maxTokens: most = request.maxTokens }: End,
): Cut | undefined {
  if (reason !== "length") return undefined;
  const provider = servedBy?.provider ?? name;
  const counted = usage.outputTokens > 0 ? usage.outputTokens : undefined;
  const isOwn = most === undefined || (counted ?? most) < most * REACHED;
  if (isOwn) return { tokens: counted, by: "provider", provider };
  const by = request.maxTokens === undefined ? "cap" : "setting";
  return { tokens: most, by, provider };
}
