import type { Channel, Conversation } from "../channels/channel.ts";
import { AppError, errorMessage } from "../core/app-error.ts";
import type { App } from "./app/app.ts";
import { WEBHOOK_PATH } from "./create-telegram.ts";
import { ensureHttpToken } from "./http-token.ts";
import type { createTrigger } from "./routines/routines.ts";
import type { DaemonStatus } from "./status.ts";

/** What the local API leads to. */
export interface Web {
  readonly conversation: Conversation;
  readonly status: () => DaemonStatus;
  readonly trigger: ReturnType<typeof createTrigger>;
  /** Takes what Telegram brings. */
  readonly receive: ((request: Request) => Promise<Response>) | undefined;
}

/** The local API; one that cannot be had is one line in the log, and its reason in `failures`. */
export async function createHttp(
  app: App,
  { conversation, status, trigger, receive }: Web,
  failures: Map<string, string>,
): Promise<Channel | undefined> {
  const { enabled, host, port, token: reference } = app.loaded.config.http;
  if (!enabled) return undefined;
  try {
    ensureHttpToken(app.loaded);
    const token = app.secret(reference);
    if (token === undefined) throw new AppError("ERR_SECRET_UNAVAILABLE", "http.token is empty");
    const { createHttpChannel } = await import("../channels/http/http-channel.ts");
    return createHttpChannel({
      access: { host, port, token },
      conversation,
      describeStatus: status,
      texts: app.texts,
      trigger,
      log: app.log,
      ...(receive && { webhook: { path: WEBHOOK_PATH, answer: receive } }),
    });
  } catch (error) {
    failures.set("http", errorMessage(error));
    app.log("HTTP_OFF", { reason: errorMessage(error) });
    return undefined;
  }
}
