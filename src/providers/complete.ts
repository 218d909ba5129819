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
        return { text, toolCalls, usage, reason, servedBy, ...(failure && { failure }) };
      }
      default:
        event satisfies never;
    }
  }
  throw new Error(`provider ${provider.name} ended its stream without an end event`);
}
