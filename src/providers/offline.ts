import { languageOf } from "../core/language.ts";
import { textsIn } from "../texts/texts.ts";
import type { Provider } from "./provider.ts";

/** Answers a chat while no model is configured: what works without one, and how to get one. */
export function createOfflineProvider(): Provider {
  return {
    name: "offline",
    model: "built-in",
    async *stream(request) {
      const last = request.messages.findLast((message) => message.role === "user");
      yield { kind: "content", text: textsIn(languageOf(last?.content ?? "")).offline.help };
      yield { kind: "end", reason: "stop", usage: { inputTokens: 0, outputTokens: 0 } };
    },
  };
}
