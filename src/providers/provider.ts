import type { ErrorCode } from "../core/error-codes.ts";
import type { OptionalPart } from "./capabilities.ts";

/** One tool call as the model asked for it; `arguments` is raw JSON text, parsed by the loop. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** One message of a conversation with a model. */
export type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly toolCalls?: readonly ToolCall[];
      readonly aside?: Aside;
    }
  | {
      readonly role: "tool";
      readonly toolCallId: string;
      readonly content: string;
      /** For papa-yu alone: the address whose own words these are; see `security/provenance.ts`. */
      readonly page?: string;
    };

/**
 * What a model gave with its calls, and with the answer behind them, for itself alone, and some refuse
 * to go on without: it goes back to that provider and model, to no other one, and no person is shown it.
 */
export interface Aside {
  readonly provider: string;
  readonly model: string;
  /** What it said to itself before. */
  readonly thoughts?: string;
  /** The same as JSON of a list, for a sender who wants it back so, with signatures in it. */
  readonly details?: string;
  /** By the id of a call, JSON of which only its sender knows what it is: a signature, say. */
  readonly ofCalls?: Readonly<Record<string, string>>;
}

/** A tool as a model sees it; `parameters` is a JSON Schema object. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** One request. `schema` asks for structured output where the provider can give it. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSchema[];
  readonly schema?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
  /** Nobody reads along: an answer that breaks in the middle may be asked for again. */
  readonly whole?: boolean;
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** Parts that an earlier try has shown to be unwelcome; they are left out. */
  readonly without?: ReadonlySet<OptionalPart>;
  readonly signal?: AbortSignal;
  /** What has to be on disk before the request leaves; it goes into one commit with what it reserves. */
  readonly after?: Promise<void>;
  /** Takes what is still to be written of its cost, to wait for it; without it the answer's end does. */
  readonly later?: (written: Promise<void>) => void;
}

/** Tokens of one request as the provider counted them; zero where it does not say. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Both together, of a provider that does not say how many were sent. */
  readonly totalTokens?: number;
}

/** Why a stream ended badly. `retryAfterMs` comes from the provider's own header. */
export interface ProviderFailure {
  readonly code: Extract<
    ErrorCode,
    "LLM_REQUEST" | "LLM_REQUEST_TIMEOUT" | "LLM_BUDGET" | "rate_limited" | "ERR_CANCELLED"
  >;
  readonly message: string;
  readonly status?: number;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** The same request would be refused tomorrow: a wrong key, a model that is not there. */
  readonly isLasting?: true;
  /**
   * What a model can have done: nothing, where the server was never reached or refused (not: a gateway gave up on it), or no more
   * than was seen, where the server ended it itself. Without it, it may have worked on unseen.
   */
  readonly work?: "none" | "seen";
  /** Parts of the request that the server complained about, for the next try to leave out. */
  readonly without?: ReadonlySet<OptionalPart>;
}

/** What a stream yields: text as it comes, whole tool calls, and exactly one `end` as the last. */
export type ProviderEvent =
  | { readonly kind: "content"; readonly text: string }
  | { readonly kind: "tool_call"; readonly call: ToolCall }
  | {
      readonly kind: "end";
      readonly reason: "stop" | "tool_calls" | "length" | "failed";
      readonly usage: Usage;
      readonly failure?: ProviderFailure;
      /** In UTF-8, what came and was not passed on: thoughts, and half calls of a broken answer. */
      readonly unseenBytes?: number;
      /** What came with it for its sender alone. */
      readonly aside?: Aside;
      /** Who answered, where several were there to ask. */
      readonly servedBy?: ServedBy;
      /** In the currency of the configured prices; absent without prices. */
      readonly cost?: number;
      /** Of an answer that was cut: how long its request let it be, where that is known. */
      readonly maxTokens?: number;
      /** That is the setting of who answered, and not of who asked. */
      readonly isSet?: boolean;
    };

/** A provider with its model, by name. */
export interface ServedBy {
  readonly provider: string;
  readonly model: string;
}

/** An adapter to an LLM vendor. A stream never throws: it ends with a reason. */
export interface Provider {
  /** Name in the configuration, e.g. "openai". */
  readonly name: string;
  readonly model: string;
  stream(request: ChatRequest): AsyncIterable<ProviderEvent>;
}
