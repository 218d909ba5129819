import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { errorMessage } from "../../../core/app-error.ts";
import type { Log } from "../../../core/log.ts";
import { parseUpdate, parseUsername, type Received } from "./parse-update.ts";
import { ALLOWED_UPDATES, type PollState, type Receiver, waitAfter } from "./receiver.ts";

/** Telegram's updates are far smaller. */
const MAX_BODY_BYTES = 1024 * 1024;
/** A webhook that somebody removed is noticed within this time. */
const CHECK_MS = 5 * 60_000;

/** What Telegram has to show with every update: made from the token, so nothing has to be kept. */
export function webhookSecret(token: string): string {
  return createHmac("sha256", token).update("papayu webhook").digest("hex");
}

/**
 * Has Telegram call `url` with every update, and sees to it that this stays so, until `signal`
 * ends it; no failure does.
 */
export async function keepWebhook(
  receiver: Receiver,
  { url, secret }: { readonly url: string; readonly secret: string },
): Promise<void> {
  const { api, clock, log, signal } = receiver;
  let state: PollState = "connecting";
  let failures = 0;
  let reportedAt = 0;
  while (!signal.aborted) {
    try {
      if (state !== "webhook") receiver.connected(parseUsername(await api.getMe(signal)));
      const info = await api.getWebhookInfo(signal);
      // At a start always: the secret or the list of updates may be another one.
      if (state !== "webhook" || info.url !== url) {
        // One at a time, so that they come in their order.
        const how = { max_connections: 1, allowed_updates: ALLOWED_UPDATES };
        await api.setWebhook(url, { ...how, secret_token: secret }, signal);
      }
      const { last_error_date: failedAt = 0, last_error_message: reason = "" } = info;
      if (state === "webhook" && failedAt > reportedAt) log("TELEGRAM_WEBHOOK_FAILED", { reason });
      reportedAt = Math.max(reportedAt, failedAt);
      failures = 0;
      state = "webhook";
      receiver.enter(state);
      receiver.alive();
      await clock.sleep(CHECK_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      state = await waitAfter(error, { state, failures: failures++ }, receiver);
    }
  }
}

/**
 * Answers Telegram's call. Nothing of the body is read before the secret is right, and 200 is
 * said only of an update that `accept` has stored; Telegram sends the others again.
 */
export async function answerWebhook(
  request: Request,
  to: {
    readonly secret: string;
    readonly accept: (updates: readonly Received[]) => Promise<void>;
    readonly log: Log;
  },
): Promise<Response> {
  if (!isSecret(request.headers.get("x-telegram-bot-api-secret-token"), to.secret)) {
    return say(401, "the secret is missing or wrong");
  }
  const body = await readBody(request);
  if (body === undefined) return say(413, "the body is too long");
  const received = parseBody(body);
  if (received.kind === "nameless") return say(400, "the body is no update");
  try {
    await to.accept([received]);
  } catch (error) {
    to.log("TELEGRAM_POLL_FAILED", { message: `Cannot store an update: ${errorMessage(error)}` });
    return say(500, "the update could not be stored");
  }
  return say(200, "");
}

/** Compared in a time that tells nothing about how much of it was right. */
function isSecret(given: string | null, secret: string): boolean {
  return timingSafeEqual(digest(given ?? ""), digest(secret));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Undefined when it is longer than an update can be. */
async function readBody(request: Request): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of request.body ?? []) {
    sizeBytes += part.length;
    if (sizeBytes > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function parseBody(body: string): Received {
  try {
    return parseUpdate(JSON.parse(body));
  } catch (error) {
    return { kind: "nameless", reason: errorMessage(error) };
  }
}

function say(status: number, text: string): Response {
  return new Response(text, { status });
}
