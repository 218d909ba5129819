import { errorMessage, type Failure } from "../core/app-error.ts";
import { cutText } from "../core/cut-text.ts";
import { createDeadline } from "../core/deadline.ts";
import { isUnworked, unreachedBy } from "./openai-failure.ts";
import { type Endpoint, openClient } from "./openai-transport.ts";

/** Ten minutes of speech are less. */
const MAX_TEXT_LENGTH = 20_000;
const TIMEOUT_MS = 120_000;

/** Why there are no words; `isFree`: nobody can have listened. */
export type Unheard = Failure & { readonly isFree?: true };

/** The transcript that an OpenAI-compatible endpoint makes of a recording; Telegram's are Ogg with Opus. */
export async function transcribe(
  audio: Uint8Array,
  { endpoint, model }: { readonly endpoint: Endpoint; readonly model: string },
  signal: AbortSignal,
): Promise<{ readonly ok: true; readonly text: string } | Unheard> {
  using deadline = createDeadline({ idleMs: TIMEOUT_MS, totalMs: TIMEOUT_MS, signal });
  try {
    const client = await openClient(endpoint, () => deadline);
    // A copy in a buffer of its own, as File wants it.
    const file = new File([new Uint8Array(audio)], "voice.ogg", { type: "audio/ogg" });
    const options = { signal: deadline.controller.signal };
    const { text } = await client.audio.transcriptions.create({ file, model }, options);
    if (typeof text !== "string") return refuse(model, "the answer holds no text");
    return { ok: true, text: cutText(text.trim(), MAX_TEXT_LENGTH) };
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.stopped()) return refuse(model, "it took too long");
    const status = statusOf(error);
    // What a server says of itself may quote the key.
    const reason = status === undefined ? reasonOf(error) : `HTTP ${status}`;
    return { ...refuse(model, reason), ...(isUnworked(error) && { isFree: true }) };
  }
}

function reasonOf(error: unknown): string {
  const code = unreachedBy(error);
  return code === undefined ? errorMessage(error).replace(/\.$/u, "") : `no connection, ${code}`;
}

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  return typeof status === "number" ? status : undefined;
}

function refuse(model: string, reason: string): Failure {
  const message = `Cannot transcribe with "${model}": ${reason}; check [transcription], or write it`;
  return { ok: false, code: "LLM_REQUEST", message };
}
