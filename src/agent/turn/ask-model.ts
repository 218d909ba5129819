import type { ProviderFailure, ToolCall } from "../../providers/provider.ts";
import { createLinkFilter } from "../../security/plain-links.ts";
import { createMaskedStream } from "./masked-stream.ts";
import { trimResults } from "./trim-results.ts";

import { type Answer, paragraphGap, type Turn, type TurnError, tell } from "./turn-state.ts";

/** Asks the model for the next step of a turn; what it says is passed on as it comes. */
export async function askModel(turn: Turn): Promise<Answer> {
  const { provider, temperature } = turn.model;
  const { guard, toolbox } = turn.calls;
  const { signal } = turn.bounds;
  const offered = toolbox.offered().filter(({ schema }) => !guard.isWithdrawn(schema.name));
  const tools = turn.gate.show(offered);
  const { opened } = turn;
  const later = (written: Promise<void>) => {
    written.catch(() => {}); // waited for with the round
    turn.progress.unsettled.push(written);
  };
  const { messages, stubbed } = trimResults(turn.messages);
  guard.forget(stubbed);
  const request = { messages, tools, temperature, signal, after: opened, later };
  const masked = createMaskedStream(turn.voice);
  const links = createLinkFilter(turn.voice.mayLink);
  const toolCalls: ToolCall[] = [];
  let content = "";
  // What a later round says begins a paragraph of its own.
  let gap = paragraphGap(turn);
  const pass = async (text: string) => {
    if (text === "") return;
    await tell(turn, gap + text);
    content += text;
    gap = "";
  };
  turn.progress.modelCalls += 1;
  let hasBegun = false;
  for await (const event of provider.stream(request)) {
    // Also where the provider asks nobody: nothing comes of what is not kept.
    if (!hasBegun) await opened;
    hasBegun = true;
    switch (event.kind) {
      case "content":
        await pass(links.add(masked.add(event.text)));
        break;
      case "tool_call":
        toolCalls.push(event.call);
        break;
      case "end": {
        await pass(links.add(masked.end()) + links.end());
        turn.progress.tokens.input += event.usage.inputTokens;
        turn.progress.tokens.output += event.usage.outputTokens;
        if (event.cost !== undefined) turn.progress.cost = (turn.progress.cost ?? 0) + event.cost;
        const called =
          toolCalls.length === 0
            ? { toolCalls, ...(event.aside && { aside: event.aside }) }
            : (await import("./own-ids.ts")).withOwnIds(turn.messages, toolCalls, event.aside);
        if (!event.failure && event.reason !== "length") return { content, ...called };
        const { endBroken, endCut } = await import("./end-cut.ts"); // seldom
        if (!event.failure) return endCut(turn, request, event, { content, ...called });
        const error = toTurnError(event.failure);
        return { content: endBroken(turn, content), toolCalls: [], error };
      }
      default:
        event satisfies never;
    }
  }
  throw new Error(`provider ${provider.name} ended its stream without an end event`);
}

function toTurnError({ code, message, isLasting }: ProviderFailure): TurnError {
  return { code, message, ...(isLasting && { isLasting }) };
}
