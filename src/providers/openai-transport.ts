import type { OpenAI } from "openai/client";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { AppError } from "../core/app-error.ts";
import { type BodyBound, boundBody } from "../core/bound-body.ts";
import type { Deadline } from "../core/deadline.ts";
import { readAnswer } from "./read-answer.ts";

/** What fetches; the machine's own unless a test counts. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

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
  const { signal } = deadline.controller;
  yield* readAnswer(await client.chat.completions.create(body, { signal }).asResponse());
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
  return boundBody(response, { ...toLimit(response), wait: (work) => deadline.wait(work) });
}

function toLimit({ ok, headers }: Response): Omit<BodyBound, "wait"> {
  if (!ok) return { maxBytes: MAX_REFUSAL_BYTES, tooLong: () => undefined };
  const isStream = headers.get("content-type")?.includes("event-stream");
  const mebibytes = isStream ? MAX_STREAM_MIB : MAX_DOCUMENT_MIB;
  const reason = `the answer is over ${mebibytes} MiB`;
  return {
    maxBytes: mebibytes * 1024 * 1024,
    tooLong: () => new AppError("LLM_REQUEST", reason),
  };
}
