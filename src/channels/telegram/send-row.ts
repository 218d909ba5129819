import type { Api } from "grammy";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Outbox, OutboxRow } from "../../store/outbox.ts";
import { backoffMs, toApiFailure } from "./api-failure.ts";
import type { BotSignal } from "./bot-signal.ts";
import { DOUBT, parseSend, type Send, withoutMarkup } from "./message.ts";

/**
 * Tries once to send the row and writes down how it ended. A row that is to be tried again
 * stays the first of its chat, so that nothing overtakes it.
 *
 * When `signal` ends the request under way the row stays "sending": nobody knows whether it
 * arrived, and the next start says so.
 */
export async function sendRow(
  row: OutboxRow,
  to: {
    readonly api: Api;
    readonly outbox: Outbox;
    readonly clock: Clock;
    readonly log: Log;
    readonly signal: BotSignal;
  },
): Promise<void> {
  const { outbox, clock, signal } = to;
  if (row.notBefore > clock.now()) await clock.sleep(row.notBefore - clock.now(), signal);
  const send = parseSend(row);
  outbox.beginSend(row.id);
  try {
    outbox.markSent(row.id, await callApi(to.api, send, row.inDoubt === 1, signal));
  } catch (error) {
    if (!signal.aborted) writeDown(error, row, send, to);
  }
}

async function callApi(
  api: Api,
  { method, payload }: Send,
  inDoubt: boolean,
  signal: BotSignal,
): Promise<number | undefined> {
  const doubt = inDoubt ? DOUBT : "";
  switch (method) {
    case "sendMessage": {
      const text = doubt + payload.text;
      const link_preview_options = { is_disabled: true };
      const sent = await api.raw.sendMessage({ ...payload, text, link_preview_options }, signal);
      return sent.message_id;
    }
    case "sendDocument": {
      const { InputFile } = await import("grammy/web");
      const { filename, content, ...rest } = payload;
      const document = new InputFile(new TextEncoder().encode(content), filename);
      const caption = doubt + rest.caption;
      const sent = await api.raw.sendDocument({ ...rest, caption, document }, signal);
      return sent.message_id;
    }
    case "editMessageReplyMarkup":
      await api.raw.editMessageReplyMarkup(payload, signal);
      return undefined;
    default:
      return method satisfies never;
  }
}

function writeDown(
  error: unknown,
  row: OutboxRow,
  send: Send,
  { outbox, clock, log }: { outbox: Outbox; clock: Clock; log: Log },
): void {
  const failure = toApiFailure(error);
  const fields = { method: row.method, chat: row.chatId, reason: failure.reason };
  const retryAfterMs = failure.kind === "answered" ? failure.retryAfterMs : undefined;
  if (failure.kind === "answered" && isFinal(failure.status)) {
    // Telegram has one status for every bad request and tells them apart in words only.
    const plain = failure.reason.includes("can't parse entities") ? withoutMarkup(send) : undefined;
    if (plain) return outbox.replacePayload(row.id, JSON.stringify(plain.payload));
    log("TELEGRAM_SEND_GIVEN_UP", fields);
    return outbox.markFailed(row.id, failure.reason);
  }
  log("TELEGRAM_SEND_RETRY", fields);
  outbox.retry(row.id, {
    notBefore: clock.now() + (retryAfterMs ?? backoffMs(row.tries)),
    inDoubt: failure.kind === "unknown",
  });
}

/** 401 and 404 speak about the token, not about the message; the owner can mend that. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 404, 408, 429].includes(status);
}
