import type { Cut } from "../texts/failures/failures.ts";
import { cutOf } from "./cut-answer.ts";
import type {
  ChatRequest,
  Provider,
  ProviderFailure,
  ServedBy,
  ToolCall,
  Usage,
} from "./provider.ts";

/** A whole answer, gathered from a stream. */
export interface Completion {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: Usage;
  readonly reason: "stop" | "tool_calls" | "length" | "failed";
  /** It is not whole, and this is why. */
  readonly cut?: Cut;
  readonly failure?: ProviderFailure;
  readonly servedBy: ServedBy;
}

/** Asks a provider and waits for the whole answer; failures are in the result. */
export async function complete(provider: Provider, request: ChatRequest): Promise<Completion> {
  let text = "";
  const toolCalls: ToolCall[] = [];
  for await (const event of provider.stream(request)) {
    switch (event.kind) {
      case "content":
        text += event.text;
        break;
      case "tool_call":
        toolCalls.push(event.call);
        break;
      case "end": {
        const { reason, usage, failure } = event;
        const { servedBy = { provider: provider.name, model: provider.model } } = event;
        const cut = cutOf(provider, request, event);
        const rest = { ...(cut && { cut }), ...(failure && { failure }) };
        return { text, toolCalls, usage, reason, servedBy, ...rest };
      }
      default:
        event satisfies never;
    }
  }
  throw new Error(`provider ${provider.name} ended its stream without an end event`);
}
