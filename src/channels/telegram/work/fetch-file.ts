import { type ApiFailure, toApiFailure } from "../api-failure.ts";
import type { BotSignal } from "../bot-signal.ts";
import type { Bot } from "./update-context.ts";

/** The Bot API hands out no larger files. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;
const DOWNLOAD_MS = 120_000;
/** What Telegram's paths look like; one of a local server's own disk is not fetched. */
const FILE_PATH = /^[\w-]+(\.[\w-]+)*(\/[\w-]+(\.[\w-]+)*)*$/u;

/** A file on its way, or why Telegram does not give it. */
export type FetchedFile =
  | { readonly ok: true; readonly chunks: AsyncIterable<Uint8Array> }
  | { readonly ok: false; readonly reason: string };

/**
 * Opens a file that somebody sent to the bot. What other tries may repair is thrown, without the
 * address, for that holds the token.
 */
export async function fetchFile(
  fileId: string,
  { api, apiRoot, token }: Pick<Bot, "api" | "apiRoot" | "token">,
  signal: BotSignal,
): Promise<FetchedFile> {
  const found = await api.getFile(fileId, signal).catch(toApiFailure);
  if ("kind" in found) return refusalOf(found);
  const { file_path: path = "" } = found;
  if (!FILE_PATH.test(path)) return { ok: false, reason: "Telegram names no file that can be had" };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]);
  const url = `${apiRoot}/file/bot${token}/${path}`;
  const response = await fetch(url, { redirect: "manual", signal: limit }).catch(withoutAddress);
  if (!response.ok) {
    await response.body?.cancel();
    const reason = `${response.status} while the file was fetched`;
    if (response.status >= 500) throw new Error(`Telegram answered ${reason}`);
    return { ok: false, reason };
  }
  return { ok: true, chunks: read(response) };
}

function refusalOf(failure: ApiFailure): FetchedFile {
  // Only this status speaks about the file; the others about the token or the moment.
  const isFinal = failure.kind === "answered" && failure.status === 400;
  if (!isFinal) throw new Error(`Cannot ask Telegram for a file: ${failure.reason}`);
  return { ok: false, reason: failure.reason };
}

async function* read(response: Response): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body ?? []) yield chunk;
  } catch (error) {
    withoutAddress(error);
  }
}

/** @throws always */
function withoutAddress(error: unknown): never {
  const failure = toApiFailure({ error });
  const reason = failure.kind === "unreached" ? failure.reason : "the connection broke";
  throw new Error(`Cannot fetch a file from Telegram: ${reason}`);
}
