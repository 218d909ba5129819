import { readAct } from "./item.ts";
import { createEventParser } from "./parse-events.ts";
import { list } from "./read-json.ts";
import type { Revision } from "./revision.ts";
import { type Look, readLooks } from "./wire.ts";

/** A press as it is sent: the digest says what was on the screen. */
export interface Pressed {
  readonly act: string;
  readonly ref: string;
  readonly digest?: string;
  readonly revision?: Revision;
  readonly words?: string;
  /** Where it was asked, if nothing else says that. */
  readonly conversation?: string;
  /** Of this press alone, so that sent twice it counts once. */
  readonly key: string;
}

/** What a press comes to, while it does. */
export interface PressReport {
  /** The server has it. */
  readonly onTaken: () => void;
  readonly onText: (text: string) => void;
  readonly onProgress: (text: string) => void;
  /** The newest lines of a check that runs. */
  readonly onPrinted: (text: string, looks: readonly Look[]) => void;
  /** Something else is asked now. */
  readonly onAsked: (approvalId: string) => void;
  readonly onFailed: (message: string) => void;
  /** It was asked back, with these answers. */
  readonly onOffered: (acts: readonly string[]) => void;
  /** It was not done: what was said until now says why. */
  readonly onNotDone: () => void;
}

/** A request to the API that fails for every answer but a good one. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** The connection broke before the end of an answer. */
class CutOffError extends Error {}

/**
 * Sends a press and tells what is said until its end.
 *
 * @throws whatever breaks the connection: then nobody knows what it came to
 */
export async function press(ask: Ask, pressed: Pressed, report: PressReport): Promise<void> {
  const { key, revision, ...named } = pressed;
  const body = { ...named, ...revision };
  const response = await ask("/api/press", {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify(body),
  });
  report.onTaken();
  await readAnswer(response, (document) => tell(document, report));
}

/**
 * Tells the documents of an answer until its end.
 *
 * @throws whatever breaks the connection
 */
export async function readAnswer(
  response: Response,
  onDocument: (document: unknown) => void,
): Promise<void> {
  let isWhole = false;
  const parse = createEventParser((event) => {
    if (event === "alive") return;
    if (event.data === "[DONE]") isWhole = true;
    else onDocument(JSON.parse(event.data));
  });
  const decoder = new TextDecoder();
  for await (const piece of chunksOf(response)) parse(decoder.decode(piece, { stream: true }));
  if (!isWhole) throw new CutOffError("the answer has no end");
}

function tell(value: unknown, report: PressReport): void {
  const data: Readonly<Record<string, unknown>> =
    typeof value === "object" && value !== null ? { ...value } : {};
  const { content, ok, progress, check_output: printed, looks, approval, actions } = data;
  const failure = failureIn(data);
  if (typeof content === "string") report.onText(content);
  if (ok === false) report.onNotDone();
  if (Array.isArray(actions)) report.onOffered(list(actions).map((each) => readAct(each).act));
  if (typeof progress === "string") report.onProgress(progress);
  if (typeof printed === "string") report.onPrinted(printed, readLooks(looks));
  if (failure !== undefined) report.onFailed(failure);
  const asked = typeof approval === "object" && approval !== null ? { ...approval } : {};
  if ("approval_id" in asked && typeof asked.approval_id === "string") {
    report.onAsked(asked.approval_id);
  }
}

/** Why an answer ends early, behind the code by which it can be looked up; undefined: it does not. */
export function failureIn({
  error,
  error_category: code,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof error !== "string") return undefined;
  return typeof code === "string" ? `${code}: ${error}` : error;
}

/** The pieces of a body, for browsers whose streams cannot be iterated as well. */
export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
