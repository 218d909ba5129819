import { AppError } from "../core/app-error.ts";
import type { Chunk } from "./openai-chunk.ts";
import type { ToolCall, Usage } from "./provider.ts";
import { createToolCallMerger } from "./tool-call-merger.ts";

/** An answer as its chunks add up. */
export interface Answer {
  /** Takes one chunk and returns the text that can be passed on. */
  add(chunk: Chunk): string;
  /** Whether the server said why it stopped; without that the answer broke off. */
  isComplete(): boolean;
  calls(): readonly ToolCall[];
  /** Of thoughts and of the arguments of calls. */
  unseenBytes(): number;
  usage(): Usage;
  /** @throws AppError LLM_REQUEST when the answer broke off or was withheld. */
  reason(): "stop" | "tool_calls" | "length";
}

/** Words and arguments together; no model says so much, and all of it is held. */
const MAX_CHARS = 4 * 1024 * 1024;

/** Gathers the chunks of one answer. */
export function createAnswer(): Answer {
  const merger = createToolCallMerger();
  let usage: Usage = { inputTokens: 0, outputTokens: 0 };
  let finishReason: string | undefined;
  let halfCharacter = "";
  let unseenBytes = 0;
  let saidChars = 0;
  let hasChoice = false;
  return {
    add(chunk) {
      const args = chunk.calls.map((call) => call.arguments).join("");
      unseenBytes += Buffer.byteLength(chunk.thought + args);
      saidChars += chunk.text.length + args.length;
      if (saidChars > MAX_CHARS) throw broken("the answer is over 4 MiB", false);
      for (const call of chunk.calls) merger.add(call);
      usage = chunk.usage ?? usage;
      finishReason ??= chunk.finishReason;
      hasChoice ||= chunk.hasChoice;
      const text = halfCharacter + chunk.text;
      halfCharacter = finishReason === undefined ? trailingHalf(text) : "";
      return text.slice(0, text.length - halfCharacter.length);
    },
    isComplete: () => finishReason !== undefined,
    calls: () => merger.calls(),
    unseenBytes: () => unseenBytes,
    usage: () => usage,
    reason() {
      switch (finishReason) {
        case undefined:
          throw broken(hasChoice ? "the stream broke off; try again" : NOTHING, true);
        case "error":
          throw broken("the server reports an error in mid-answer; try again", true);
        case "content_filter":
          throw broken("its content filter withheld it; put it in other words", false);
        case "length":
          return "length";
        default:
          // Some servers say "stop" after tool calls: what came counts, not the word.
          return merger.isEmpty() ? "stop" : "tool_calls";
      }
    },
  };
}

const NOTHING = "the stream ended before anything of an answer came; try again";

/** The first half of a character outside the BMP whose second half is in the next chunk. */
function trailingHalf(text: string): string {
  return /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? "";
}

function broken(reason: string, retryable: boolean): AppError {
  return new AppError("LLM_REQUEST", reason, { details: { retryable } });
}
