import { AppError } from "../core/app-error.ts";
import { toVisibleText } from "../core/visible-text.ts";
import { readEvents } from "./read-events.ts";

/** As much of what somebody else wrote as helps to see who it was. */
const MAX_QUOTE_CHARS = 120;

/**
 * The documents of an answer: the events of a stream up to its end, or the one document of a
 * server that does not stream, regardless of the content type.
 *
 * @throws AppError LLM_REQUEST that says what came in their place
 */
export async function* readAnswer(response: Response): AsyncGenerator {
  if (response.body === null) throw odd("it is empty", true);
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("event-stream")) return yield* readStream(response.body);
  const bytes = await response.bytes();
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === "") throw odd("it is empty", true);
  const document = parseJson(text);
  if (document !== undefined) return yield toCompletion(document, text);
  if (/^(?:data|event|id|retry)?:/mu.test(text.slice(0, 1000)) && !/^\s*</u.test(text)) {
    return yield* readStream([bytes]);
  }
  const isPage = /^\s*<(?:!doctype|html|head|body|\?xml)/iu.test(text);
  throw odd(
    `it is ${isPage ? "a web page" : "no JSON"} (${type || "no type"}: ${quote(text)})`,
    false,
  );
}

async function* readStream(
  bytes: AsyncIterable<Uint8Array> | readonly Uint8Array[],
): AsyncGenerator {
  for await (const { kind, text } of readEvents(toAsync(bytes))) {
    if (text === "[DONE]") return;
    const document = parseJson(text);
    if (document === undefined) throw odd(`a piece of it is no JSON (${quote(text)})`, true);
    yield kind === "error" ? { error: Object(document)["error"] ?? document } : document;
  }
}

async function* toAsync(bytes: AsyncIterable<Uint8Array> | readonly Uint8Array[]) {
  yield* bytes;
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

/** Undefined for what is no JSON, or nested deeper than anybody reads. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function quote(text: string): string {
  const line = text
    .slice(0, MAX_QUOTE_CHARS * 4)
    .replace(/\s+/gu, " ")
    .trim();
  const short = line.length > MAX_QUOTE_CHARS ? `${line.slice(0, MAX_QUOTE_CHARS)}…` : line;
  return JSON.stringify(toVisibleText(short));
}

/** An answer of somebody who may not be the one that `base_url` means. */
function odd(what: string, retryable: boolean): AppError {
  return new AppError("LLM_REQUEST", `the answer is no completion: ${what}`, {
    details: { retryable, isOdd: true },
  });
}
