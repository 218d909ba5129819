import type { OpenAI } from "openai/client";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { AppError } from "../core/app-error.ts";
import type { Deadline } from "../core/deadline.ts";

/** What fetches; the machine's own unless a test counts. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Where an OpenAI-compatible server is and how to get in. */
export interface Endpoint {
  readonly baseUrl: string;
  /** Undefined or empty: no Authorization header, as local servers want it. */
  readonly apiKey: string | undefined;
  readonly fetch: Fetch;
}

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * Posts a request through the openai client and yields the parsed chunks of the answer;
 * a server that ignores `stream` yields its one document.
 *
 * The client is loaded here, at the first request: it costs more than the rest of a start.
 *
 * @throws what the client throws; the caller classifies it.
 */
export async function* postChat(
  endpoint: Endpoint,
  body: ChatCompletionCreateParamsStreaming,
  deadline: Deadline,
): AsyncGenerator {
  const client = await openClient(endpoint, deadline);
  const { Stream } = await import("openai/core/streaming");
  const { controller } = deadline;
  const response = await client.chat.completions
    .create(body, { signal: controller.signal })
    .asResponse();
  if (response.headers.get("content-type")?.includes("event-stream")) {
    return yield* Stream.fromSSEResponse<unknown>(response, controller, client);
  }
  const text = await response.text();
  const document = parseJson(text);
  if (document !== undefined) yield document;
  else yield* Stream.fromSSEResponse<unknown>(new Response(text), controller, client);
}

/** A client that follows no redirect and keeps to the deadline. */
export async function openClient(endpoint: Endpoint, deadline: Deadline): Promise<OpenAI> {
  const { OpenAI } = await import("openai/client");
  const { apiKey } = endpoint;
  return new OpenAI({
    baseURL: endpoint.baseUrl,
    apiKey: apiKey || "none",
    defaultHeaders: apiKey ? {} : { Authorization: null },
    // Not the machine's OPENAI_* accounts: this endpoint may be somebody else's.
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: MAX_CLIENT_TIMEOUT_MS,
    logLevel: "off",
    fetch: (url, init) => guardedFetch(endpoint, url, init, deadline),
  });
}

/** The deadline rules; the client's own timer only has to be longer. */
const MAX_CLIENT_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/** Follows no redirect (the key must not travel) and watches the body's pace and size. */
async function guardedFetch(
  endpoint: Endpoint,
  url: string | URL | Request,
  init: RequestInit | undefined,
  deadline: Deadline,
): Promise<Response> {
  const { signal } = deadline.controller;
  const response = await deadline.wait(
    endpoint.fetch(url, { ...init, redirect: "manual", signal }),
  );
  if (response.body === null) return response;
  return new Response(guardedBody(response.body, deadline), response);
}

function guardedBody(
  body: ReadableStream<Uint8Array>,
  deadline: Deadline,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let totalBytes = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await deadline.wait(reader.read());
        if (done) return controller.close();
        totalBytes += value.byteLength;
        if (totalBytes > MAX_ANSWER_BYTES) {
          throw new AppError("LLM_REQUEST", "the answer is over 32 MiB");
        }
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
