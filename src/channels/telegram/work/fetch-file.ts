import { fetchDirectly } from "../../../core/fetch/fetch.ts";
import { type ApiFailure, toApiFailure } from "../api-failure.ts";
import type { BotSignal } from "../bot-signal.ts";
import type { Bot, UpdateContext } from "./update-context.ts";

const DOWNLOAD_MS = 120_000;
/** What Telegram's paths look like; one of a local server's own disk is not fetched. */
const FILE_PATH = /^[\w-]+(\.[\w-]+)*(\/[\w-]+(\.[\w-]+)*)*$/u;

/** A file on its way, or why Telegram does not give it. */
export type FetchedFile =
  | { readonly ok: true; readonly chunks: AsyncIterable<Uint8Array> }
  | {
      readonly ok: false;
      /** As Telegram has it, in English; undefined: it says nothing that could be of use. */
      readonly reason: string | undefined;
    };

/** How often a file is fetched that differs from what was announced. */
const MAX_FETCHES = 3;

/** What came is not the whole file; another try may bring it. */
class IncompleteFileError extends Error {}

/**
 * What `work` makes of a file that it fetches; undefined when Telegram gave a part of it, or
 * something else, again and again.
 */
export async function untilWhole<T>(
  work: () => Promise<T>,
  { clock, log }: Pick<UpdateContext, "clock" | "log">,
  signal: BotSignal,
): Promise<T | undefined> {
  for (let fetches = 1; ; fetches++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof IncompleteFileError)) throw error;
      log("TELEGRAM_FILE_INCOMPLETE", { try: fetches, reason: error.message });
      if (fetches === MAX_FETCHES) return undefined;
      await clock.sleep(1000 * fetches, signal);
    }
  }
}

/**
 * Opens a file that somebody sent to the bot. What other tries may repair is thrown, without the
 * address, for that holds the token.
 */
export async function fetchFile(
  { fileId, sizeBytes }: { readonly fileId: string; readonly sizeBytes: number | undefined },
  { api, apiRoot, token }: Pick<Bot, "api" | "apiRoot" | "token">,
  signal: BotSignal,
): Promise<FetchedFile> {
  const found = await api.getFile(fileId, signal).catch(toApiFailure);
  if ("kind" in found) return refusalOf(found);
  const { file_path: path = "", file_size: declaredBytes = sizeBytes } = found;
  if (!FILE_PATH.test(path)) return { ok: false, reason: undefined };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]);
  const url = `${apiRoot}/file/bot${token}/${path}`;
  const response = await fetchDirectly(url, { redirect: "manual", signal: limit }).catch(
    withoutAddress,
  );
  if (!response.ok) {
    await response.body?.cancel();
    const reason = `${response.status} while the file was fetched`;
    if (response.status >= 500) throw new Error(`Telegram answered ${reason}`);
    return { ok: false, reason };
  }
  return { ok: true, chunks: read(response, declaredBytes) };
}

function refusalOf(failure: ApiFailure): FetchedFile {
  // Only this status speaks about the file; the others about the token or the moment.
  const isFinal = failure.kind === "answered" && failure.status === 400;
  if (!isFinal) throw new Error(`Cannot ask Telegram for a file: ${failure.reason}`);
  return { ok: false, reason: failure.reason };
}

async function* read(
  response: Response,
  declaredBytes: number | undefined,
): AsyncGenerator<Uint8Array> {
  let got = 0;
  try {
    if (response.status !== 200) throw new IncompleteFileError(`the status is ${response.status}`);
    for await (const chunk of response.body ?? []) {
      got += chunk.length;
      if (declaredBytes !== undefined && got > declaredBytes) break;
      yield chunk;
    }
    if (declaredBytes === undefined || got === declaredBytes) return;
    throw new IncompleteFileError(`${got} bytes came of ${declaredBytes}`);
  } catch (error) {
    if (error instanceof IncompleteFileError) throw error;
    withoutAddress(error);
  } finally {
    if (!response.bodyUsed) await response.body?.cancel();
  }
}

/** @throws always */
function withoutAddress(error: unknown): never {
  const failure = toApiFailure({ error });
  const reason = failure.kind === "unreached" ? failure.reason : "the connection broke";
  throw new Error(`Cannot fetch a file from Telegram: ${reason}`);
}
