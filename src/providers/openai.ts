import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { createDeadline, type Deadline, type Timers } from "../core/deadline.ts";
import { type Fetch, fetchDirectly } from "../core/fetch/fetch.ts";
import type { Log } from "../core/log.ts";
import type { Recipient } from "./asides.ts";
import { type Capabilities, type OptionalPart, settle } from "./capabilities.ts";
import { type Answer, createAnswer, parseChunk } from "./openai-answer/openai-answer.ts";
import { isInstead, refusedPart, toFailure } from "./openai-failure.ts";
import { toOpenAiMessages } from "./openai-messages.ts";
import { SAID_ALL } from "./openai-stream.ts";
import { createPostChat, type PostChat } from "./openai-transport.ts";
import type { ChatRequest, Provider, ProviderEvent, Usage } from "./provider.ts";

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
  /** Called when a request is sent again without a part that the server refused. */
  readonly log?: Log;
  readonly fetch?: Fetch;
  readonly now?: () => number;
  readonly timers?: Timers;
}

const TOTAL_FACTOR = 4;

/** A provider for any server that speaks OpenAI's chat completions. It never retries. */
export function createOpenAiProvider(options: OpenAiOptions): Provider {
  const { name, model, baseUrl, apiKey, fetch = fetchDirectly } = options;
  const post = createPostChat({ baseUrl, apiKey, fetch });
  return { name, model, stream: (request) => streamAnswer({ ...options, post }, request) };
}

/** An endpoint with what posts to it. */
interface OpenEndpoint extends OpenAiOptions {
  readonly post: PostChat;
}

async function* streamAnswer(
  options: OpenEndpoint,
  request: ChatRequest,
): AsyncGenerator<ProviderEvent> {
  const { timeoutMs, now = Date.now, timers } = options;
  await request.after;
  const totalMs = timeoutMs * TOTAL_FACTOR;
  const { signal } = request;
  using deadline = createDeadline({ idleMs: timeoutMs, totalMs, signal, timers });
  const isUnsent = deadline.stopped() !== undefined;
  const answer = createAnswer();
  const without = new Set(request.without);
  try {
    for await (const text of readText(options, { ...request, without }, deadline, answer)) {
      yield { kind: "content", text };
    }
    const reason = answer.reason();
    for (const call of answer.calls()) yield { kind: "tool_call", call };
    const { thoughtBytes: unseenBytes } = answer.unseen();
    const aside = answer.aside();
    yield {
      kind: "end",
      reason,
      usage: answer.usage() ?? NOT_COUNTED,
      ...(unseenBytes > 0 && { unseenBytes }),
      ...(aside && { aside: { provider: options.name, model: options.model, ...aside } }),
    };
  } catch (error) {
    const stopped = deadline.stopped();
    const { thoughtBytes, argumentBytes } = answer.unseen();
    const { work, ...failure } = toFailure(error, { ...options, stopped, now: now() });
    // What answers was reached, whatever the connection says of its end.
    const isBegun = answer.state() !== "none" || thoughtBytes + argumentBytes > 0;
    yield {
      kind: "end",
      reason: "failed",
      usage: answer.usage() ?? NOT_COUNTED,
      unseenBytes: thoughtBytes + argumentBytes,
      failure: {
        ...failure,
        ...(work !== undefined && !isBegun && { work }),
        ...(without.size > 0 && { without }),
        ...(isEnded(answer, error) && { work: "seen" }),
        ...(isUnsent && { work: "none" }),
      },
    };
  }
}

/** An error in mid-answer may come from who stands before a model that works on. */
function isEnded(answer: Answer, error: unknown): boolean {
  const state = answer.state();
  return state === "complete" || (state === "none" && isInstead(error));
}

const NOT_COUNTED: Usage = { inputTokens: 0, outputTokens: 0 };

/** A request that gathers what its server refuses. */
type Pruned = ChatRequest & { readonly without: Set<OptionalPart> };

async function* readText(
  options: OpenEndpoint,
  request: Pruned,
  deadline: Deadline,
  answer: Answer,
): AsyncGenerator<string> {
  try {
    for await (const chunks of readChunks(options, request, deadline)) {
      yield* readPiece(chunks, deadline, answer);
    }
  } catch (error) {
    // After the reason to stop only the usage can be missing: the answer is whole.
    if (answer.state() !== "complete" || deadline.stopped() === "cancelled") throw error;
  }
}

/** Some servers keep a line open behind an answer and what it took, and say on it that they live. */
const MOST_LINGER_MS = 1000;
/** What an answer took may come late, and some servers never say it. */
const MOST_COUNT_MS = 10_000;

/** What chunks that came together say is one text; it is said also where one of them is none. */
function* readPiece(
  chunks: readonly unknown[],
  deadline: Deadline,
  answer: Answer,
): Generator<string> {
  let text = "";
  try {
    for (const chunk of chunks) {
      if (chunk === SAID_ALL) {
        text += answer.end();
        continue;
      }
      const parsed = parseChunk(chunk);
      if (parsed.isProgress) deadline.touch();
      text += answer.add(parsed);
    }
    if (answer.state() === "complete")
      deadline.hurry(answer.usage() ? MOST_LINGER_MS : MOST_COUNT_MS);
  } catch (error) {
    if (text !== "") yield text;
    throw error;
  }
  if (text !== "") yield text;
}

/** Asks, and asks again without a part that the server refuses; what then works is remembered. */
async function* readChunks(
  options: OpenEndpoint,
  request: Pruned,
  deadline: Deadline,
): AsyncGenerator<readonly unknown[]> {
  const { name, model, post, log } = options;
  const { without } = request;
  for (;;) {
    const refused = settle([...options.capabilities.refused(name, model), ...without]);
    const body = toRequestBody(request, { name, model, refused });
    try {
      let isKept = without.size === 0;
      for await (const chunks of post(body, deadline)) {
        if (!isKept) options.capabilities.remember(name, model, without);
        isKept = true;
        yield chunks;
      }
      return;
    } catch (error) {
      const part = refusedPart(error, body);
      if (part === undefined || settle([...refused, part]).isSubsetOf(refused)) throw error;
      without.add(part);
      const isFormat = part === "response_format";
      const event = isFormat ? "LLM_RESPONSE_FORMAT_FALLBACK" : "LLM_PARAMETER_FALLBACK";
      log?.(event, { provider: name, model, without: part });
    }
  }
}

/** The request's body in OpenAI's words, without the parts that the server is known to refuse. */
function toRequestBody(request: ChatRequest, to: Recipient): ChatCompletionCreateParamsStreaming {
  const { tools, schema, temperature, maxTokens } = request;
  const { model, refused } = to;
  const limit = refused.has("max_tokens") ? "max_completion_tokens" : "max_tokens";
  return {
    model,
    messages: toOpenAiMessages(request.messages, to),
    stream: true,
    ...(!refused.has("stream_options") && { stream_options: { include_usage: true } }),
    ...(temperature !== undefined && !refused.has("temperature") && { temperature }),
    ...(maxTokens !== undefined && { [limit]: maxTokens }),
    ...(tools !== undefined &&
      tools.length > 0 &&
      !refused.has("tools") && {
        tools: tools.map((tool) => ({ type: "function" as const, function: { ...tool } })),
      }),
    ...(schema !== undefined &&
      !refused.has("response_format") && {
        response_format: {
          type: "json_schema" as const,
          json_schema: { name: schema.name, schema: schema.schema, strict: true },
        },
      }),
  };
}
