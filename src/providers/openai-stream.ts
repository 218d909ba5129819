import { AppError } from "../core/app-error.ts";
import { shorten } from "../core/cut-text.ts";
import { toVisibleText } from "../core/visible-text.ts";
import { createEventReader, type EventReader, type ServerEvent } from "./server-events.ts";

/** Stands behind the last document of a stream that says itself that it is all. */
export const SAID_ALL = Symbol("[DONE]");

/** The documents of each piece of a stream. */
export async function* readStream(
  pieces: AsyncIterator<Uint8Array>,
  hangUp: () => void,
): AsyncGenerator<readonly unknown[]> {
  const reader = createEventReader();
  let isAll = false;
  try {
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      const events = reader.take(next.value);
      const end = events.findIndex(isEnd);
      isAll = end >= 0;
      yield* toDocuments(isAll ? events.slice(0, end) : events);
      if (isAll) yield [SAID_ALL];
      if (isAll && end < events.length - 1) return hangUp();
      if (isAll) return await readEnd(pieces, reader, hangUp);
    }
    // Some leave out the blank line behind the last event; what is half of one is nothing.
    for (const event of reader.end()) {
      if (isEnd(event)) yield [SAID_ALL];
      else if (parseJson(event.text) !== undefined) yield* toDocuments([event]);
    }
  } finally {
    if (!isAll) await pieces.return?.();
  }
}

function isEnd({ text }: ServerEvent): boolean {
  return text.trim() === "[DONE]";
}

/** The kinds of events that are an answer; others may say anything, that a server lives for one. */
const SPEAKS: ReadonlySet<string> = new Set(["", "message", "error"]);

/** What was said before a piece that is none is not lost with it. */
function* toDocuments(events: readonly ServerEvent[]): Generator<readonly unknown[]> {
  const documents: unknown[] = [];
  for (const { kind, text } of events) {
    const document = parseJson(text);
    if (document === undefined && !SPEAKS.has(kind)) continue;
    if (document === undefined) {
      if (documents.length > 0) yield documents;
      throw odd(`a piece of it is no JSON (${quote(text)})`, true);
    }
    documents.push(kind === "error" ? { error: Object(document)["error"] ?? document } : document);
  }
  if (documents.length > 0) yield documents;
}

/** Some servers keep a stream open behind its last event. */
const MOST_LINGER_MS = 200;

/**
 * Only a connection whose answer was read to its end carries the next request as well, and the end
 * may come in a packet of its own.
 */
async function readEnd(
  pieces: AsyncIterator<Uint8Array>,
  reader: EventReader,
  hangUp: () => void,
): Promise<void> {
  const end = isOver(pieces, reader).catch(() => true); // all that counts was said
  if (!(await Promise.race([end, longEnough()]))) hangUp();
}

/** False: another event came. */
async function isOver(pieces: AsyncIterator<Uint8Array>, reader: EventReader): Promise<boolean> {
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    if (reader.take(next.value).length > 0) return false;
  }
  return true;
}

/** What came while this process stood still counts as come in time. */
async function longEnough(): Promise<false> {
  await Bun.sleep(MOST_LINGER_MS);
  await new Promise(setImmediate);
  return false;
}

/** Undefined for what is no JSON, or nested deeper than anybody reads. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As much of what somebody else wrote as helps to see who it was. */
const MAX_QUOTE_CHARS = 120;

/** The beginning of what somebody else wrote, on one line. */
export function quote(text: string): string {
  const line = shorten(text, MAX_QUOTE_CHARS * 4)
    .replace(/\s+/gu, " ")
    .trim();
  return JSON.stringify(toVisibleText(shorten(line, MAX_QUOTE_CHARS)));
}

/** An answer of somebody who may not be the one that `base_url` means. */
export function odd(what: string, retryable: boolean): AppError {
  return new AppError("LLM_REQUEST", `the answer is no completion: ${what}`, {
    details: { retryable, isOdd: true, isInstead: true },
  });
}
