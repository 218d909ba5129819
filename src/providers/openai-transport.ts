import { AsyncLocalStorage } from "node:async_hooks";
import type { OpenAI } from "openai/client";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { AppError } from "../core/app-error.ts";
import type { Deadline } from "../core/deadline.ts";
import { type BodyBound, boundBody, type Fetch } from "../core/fetch/fetch.ts";
import { odd, parseJson, quote, readStream } from "./openai-stream.ts";

/** Where an OpenAI-compatible server is and how to get in. */
export interface Endpoint {
  readonly baseUrl: string;
  /** Undefined or empty: no Authorization header, as local servers want it. */
  readonly apiKey: string | undefined;
  readonly fetch: Fetch;
}

/** Of a stream: every few characters come with some hundred bytes around them. */
const MAX_STREAM_MIB = 32;
const MAX_DOCUMENT_MIB = 8;
/** What a server says when it refuses is read as far as it may explain something. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * Posts a request through the openai client and yields the parsed chunks of the answer, those that
 * came in one piece together; a server that ignores `stream` yields its one document.
 *
 * @throws what the client throws; the caller classifies it.
 */
export type PostChat = (
  body: ChatCompletionCreateParamsStreaming,
  deadline: Deadline,
) => AsyncGenerator<readonly unknown[]>;

/**
 * Posts to one endpoint. The client is loaded with the first request, as it costs more than the rest
 * of a start, and kept for the others; each keeps to its own deadline.
 */
export function createPostChat(endpoint: Endpoint): PostChat {
  const deadlines = new AsyncLocalStorage<Deadline>();
  const current = () => {
    const deadline = deadlines.getStore();
    if (!deadline) throw new Error("the client asks outside of a request");
    return deadline;
  };
  let kept: Promise<Client> | undefined;
  return async function* post(body, deadline) {
    const client = await (kept ??= openClient(endpoint, current));
    const { signal } = deadline.controller;
    const response = await deadlines.run(deadline, () =>
      client.chat.completions.create(body, { signal }).asResponse(),
    );
    yield* readAnswer(response, deadline);
  };
}

/** All that a package has of the client: its build leaves out the rest. */
type Client = Pick<OpenAI, "chat" | "audio">;

/** A client that follows no redirect and keeps to the deadline of the request at hand. */
export async function openClient(endpoint: Endpoint, deadline: () => Deadline): Promise<Client> {
  const { OpenAI } = await import("openai/client");
  const { apiKey } = endpoint;
  return new OpenAI({
    baseURL: toRoot(endpoint.baseUrl),
    apiKey: apiKey || "none",
    defaultHeaders: apiKey ? {} : { Authorization: null },
    // Not the machine's OPENAI_* accounts: this endpoint may be somebody else's.
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: MAX_CLIENT_TIMEOUT_MS,
    logLevel: "off",
    fetch: (url, init) => guardedFetch(endpoint, url, init, deadline()),
  });
}

/** The root of an API whose address was given with what is asked there, as providers print it. */
export function toRoot(baseUrl: string): string {
  return baseUrl
    .replace(/\/+$/u, "")
    .replace(/\/(?:chat\/completions|audio\/transcriptions)$/u, "");
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
  // A stream is read piece by piece, and bound there.
  if (isStream(response)) return response;
  return boundBody(response, { ...toLimit(response), wait: (work) => deadline.wait(work) });
}

function isStream({ ok, headers }: Response): boolean {
  return ok && headers.get("content-type")?.includes("event-stream") === true;
}

function toLimit(response: Response): Omit<BodyBound, "wait"> {
  if (!response.ok) return { maxBytes: MAX_REFUSAL_BYTES, tooLong: () => undefined };
  const mebibytes = isStream(response) ? MAX_STREAM_MIB : MAX_DOCUMENT_MIB;
  const reason = `the answer is over ${mebibytes} MiB`;
  return {
    maxBytes: mebibytes * 1024 * 1024,
    tooLong: () => new AppError("LLM_REQUEST", reason),
  };
}

/**
 * The documents of an answer: the events of a stream up to its end, or the one document of a
 * server that does not stream, regardless of the content type. The deadline ends the connection of
 * one that has said all and does not end its answer.
 *
 * @throws AppError LLM_REQUEST that says what came in their place
 */
async function* readAnswer(
  response: Response,
  deadline: Deadline,
): AsyncGenerator<readonly unknown[]> {
  if (response.body === null) throw odd("it is empty", true);
  const type = response.headers.get("content-type") ?? "";
  const hangUp = () => deadline.controller.abort();
  if (isStream(response)) {
    return yield* readStream(boundPieces(response.body, deadline, toLimit(response)), hangUp);
  }
  const bytes = await response.bytes();
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === "") throw odd("it is empty", true);
  const document = parseJson(text);
  if (document !== undefined) return yield [toCompletion(document, text)];
  if (/^(?:data|event|id|retry)?:/mu.test(text.slice(0, 1000)) && !/^\s*</u.test(text)) {
    return yield* readStream(onePiece(bytes), hangUp);
  }
  const isPage = /^\s*<(?:!doctype|html|head|body|\?xml)/iu.test(text);
  throw odd(
    `it is ${isPage ? "a web page" : "no JSON"} (${type || "no type"}: ${quote(text)})`,
    false,
  );
}

/** What a body brings, no more of it than is allowed, and each wait for it within the deadline. */
function boundPieces(
  body: ReadableStream<Uint8Array>,
  deadline: Deadline,
  { maxBytes, tooLong }: Omit<BodyBound, "wait">,
): AsyncIterator<Uint8Array> {
  const reader = body.getReader();
  let sizeBytes = 0;
  const end = async (): Promise<IteratorResult<Uint8Array>> => {
    reader.cancel().catch(() => {}); // it may have broken by itself
    return { done: true, value: undefined };
  };
  return {
    async next() {
      const read = await deadline.wait(reader.read());
      if (read.done) return { done: true, value: undefined };
      sizeBytes += read.value.byteLength;
      if (sizeBytes <= maxBytes) return { done: false, value: read.value };
      await end();
      throw tooLong() ?? new Error("a stream that is bound says of what");
    },
    return: end,
  };
}

async function* onePiece(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield piece;
}

/** Somebody may answer who is no model: a list of models, a greeting, another kind of API. */
function toCompletion(document: unknown, text: string): unknown {
  const isObject = typeof document === "object" && document !== null && !Array.isArray(document);
  if (isObject && ("choices" in document || "error" in document)) return document;
  const found = isObject ? `an object with ${quoteKeys(document)}` : quote(text);
  throw odd(`it holds no "choices" but is ${found}`, false);
}

function quoteKeys(document: object): string {
  const keys = Object.keys(document);
  return keys.length === 0 ? "nothing" : quote(keys.join(", "));
}
