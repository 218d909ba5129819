import type { Inbox } from "../../../store/chats/chats.ts";
import { type BotLock, holdBot } from "./hold-bot.ts";
import { openApi } from "./open-api.ts";
import type { Received } from "./parse-update.ts";
import { poll } from "./poll.ts";
import type { Receiver } from "./receiver.ts";
import { keepWebhook } from "./webhook.ts";

export type { BotLock } from "./hold-bot.ts";
export { openApi } from "./open-api.ts";
export { parseMessageId, parseStored, type Received, UNREADABLE } from "./parse-update.ts";
export type { PollState } from "./receiver.ts";
export { answerWebhook, webhookSecret } from "./webhook.ts";

/**
 * Receives updates until `signal` ends it: fetches them, or has them brought to `webhook`. One
 * process of a machine does so for a bot; the others wait for it to end.
 */
export async function receive(
  accept: (updates: readonly Received[]) => Promise<void>,
  options: Omit<Receiver, "api"> & {
    readonly token: string;
    readonly apiRoot: string;
    readonly inbox: Inbox;
    readonly pollSeconds: number;
    readonly pollGraceSeconds: number;
    readonly requestSeconds: number;
    readonly webhook: { readonly url: string; readonly secret: string } | undefined;
    readonly lock: BotLock | undefined;
  },
): Promise<void> {
  const { token, apiRoot, webhook, signal, pollSeconds } = options;
  const timeoutSeconds = webhook ? options.requestSeconds : pollSeconds + options.pollGraceSeconds;
  const receiver: Receiver = { ...options, api: await openApi(token, { apiRoot, timeoutSeconds }) };
  let release = () => {};
  try {
    if (options.lock) release = await holdBot(options.lock, receiver);
    if (webhook) await keepWebhook({ ...receiver, ...webhook });
    else {
      const from = options.inbox.last();
      await poll({ ...receiver, from, waitSeconds: pollSeconds, accept });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    release();
  }
}
