import { createDeadline, type Deadline, type Timers } from "../core/deadline.ts";
import { type Log, silentLog } from "../core/log.ts";
import type { Capabilities, OptionalPart } from "./capabilities.ts";
import { type Answer, createAnswer } from "./openai-answer.ts";
import { parseChunk } from "./openai-chunk.ts";
import { refusedPart, toFailure } from "./openai-failure.ts";
import { toRequestBody } from "./openai-request.ts";
import { type Fetch, postChat } from "./openai-transport.ts";
import type { ChatRequest, Provider, ProviderEvent } from "./provider.ts";

/** One configured endpoint with its model. */
export interface OpenAiOptions {
  /** Name in the configuration. */
  readonly name: string;
  readonly baseUrl: string;
  /** Undefined or empty: no Authorization header, as local servers want it. */
  readonly apiKey?: string | undefined;
  readonly model: string;
  /** Longest time without words, thoughts or calls; a whole answer may take four times as long. */
  readonly timeoutMs: number;
  readonly capabilities: Capabilities;
  /** Told when a request is sent again without a part that the server refused. */
  readonly log?: Log;
  readonly fetch?: Fetch;
  readonly now?: () => number;
  readonly timers?: Timers;
}

const TOTAL_FACTOR = 4;

/** A provider for any server that speaks OpenAI's chat completions. It never retries. */
export function createOpenAiProvider(options: OpenAiOptions): Provider {
  const { name, model } = options;
  return { name, model, stream: (request) => streamAnswer(options, request) };
}

async function* streamAnswer(
  options: OpenAiOptions,
  request: ChatRequest,
): AsyncGenerator<ProviderEvent> {
  const { timeoutMs, now = Date.now, timers } = options;
  const totalMs = timeoutMs * TOTAL_FACTOR;
  const { signal } = request;
  using deadline = createDeadline({ idleMs: timeoutMs, totalMs, signal, timers });
  const answer = createAnswer();
  const without = new Set(request.without);
  try {
    for await (const text of readText(options, { ...request, without }, deadline, answer)) {
      yield { kind: "content", text };
    }
    const reason = answer.reason();
    for (const call of answer.calls()) yield { kind: "tool_call", call };
    yield { kind: "end", reason, usage: answer.usage() };
  } catch (error) {
    const stopped = deadline.stopped();
    const failure = toFailure(error, { ...options, stopped, now: now() });
    yield {
      kind: "end",
      reason: "failed",
      usage: answer.usage(),
      unseenBytes: answer.unseenBytes(),
      failure: { ...failure, ...(without.size > 0 && { without }) },
    };
  }
}

/** A request that gathers what its server refuses. */
type Pruned = ChatRequest & { readonly without: Set<OptionalPart> };

async function* readText(
  options: OpenAiOptions,
  request: Pruned,
  deadline: Deadline,
  answer: Answer,
): AsyncGenerator<string> {
  try {
    for await (const chunk of readChunks(options, request, deadline)) {
      const parsed = parseChunk(chunk);
      if (parsed.isProgress) deadline.touch();
      const text = answer.add(parsed);
      if (text !== "") yield text;
    }
  } catch (error) {
    // After the reason to stop only the usage can be missing: the answer is whole.
    if (!answer.isComplete() || deadline.stopped() === "cancelled") throw error;
  }
}

/** Asks, and asks again without a part that the server refuses; what then works is remembered. */
async function* readChunks(
  options: OpenAiOptions,
  request: Pruned,
  deadline: Deadline,
): AsyncGenerator {
  const { name, model, baseUrl, apiKey, fetch = globalThis.fetch, log = silentLog } = options;
  const { without } = request;
  for (;;) {
    const refused = options.capabilities.refused(name, model).union(without);
    const body = toRequestBody(request, model, refused);
    try {
      for await (const chunk of postChat({ baseUrl, apiKey, fetch }, body, deadline)) {
        options.capabilities.remember(name, model, without);
        yield chunk;
      }
      return;
    } catch (error) {
      const part = refusedPart(error, body);
      if (part === undefined) throw error;
      without.add(part);
      const isFormat = part === "response_format";
      const event = isFormat ? "LLM_RESPONSE_FORMAT_FALLBACK" : "LLM_PARAMETER_FALLBACK";
      log(event, { provider: name, model, without: part });
    }
  }
}
