import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Conversation } from "../../channels/channel.ts";
import type { HttpChannel } from "../../channels/http/http-channel.ts";
import type { LoadedConfig } from "../../config/load/load.ts";
import { expandHome } from "../../config/paths.ts";
import { AppError, errorMessage, orElse } from "../../core/app-error.ts";
import type { Log } from "../../core/log.ts";
import { makePrivateDir } from "../../system/make-private-dir.ts";
import type { RoutineService } from "../../tools/routine-service.ts";
import type { App, Secrets } from "../app/app.ts";
import type { ObserverSlot } from "../console/console.ts";
import type { People } from "../people.ts";
import type { createTrigger } from "../routines/routines.ts";
import type { DaemonStatus } from "../status.ts";
import { WEBHOOK_PATH } from "./create-telegram.ts";

/** What the local API is made with. */
export interface HttpHost extends Pick<App, "current" | "reloading" | "state" | "clock" | "env"> {
  readonly secrets: Secrets;
  readonly log: Log;
}

/** What the local API leads to. */
export interface Web {
  readonly conversation: Conversation;
  readonly status: () => DaemonStatus;
  readonly trigger: ReturnType<typeof createTrigger>;
  readonly routines: RoutineService;
  readonly people: People;
  readonly observerSlot: ObserverSlot;
  /** Takes what Telegram brings. */
  readonly receive: ((request: Request) => Promise<Response>) | undefined;
}

/** The local API; one that cannot be had is one line in the log, and its reason in `failures`. */
export async function createHttp(
  host: HttpHost,
  { conversation, status, trigger, routines, people, receive, observerSlot }: Web,
  failures: Map<string, string>,
): Promise<HttpChannel | undefined> {
  const { current, secrets, log } = host;
  const { http } = current.loaded.config;
  const { enabled, host: address, port, token: reference, public_url: publicUrl } = http;
  if (!enabled) return undefined;
  try {
    ensureHttpToken(current.loaded);
    const token = secrets.read(reference);
    if (token === undefined) throw new AppError("ERR_SECRET_UNAVAILABLE", "http.token is empty");
    const { createHttpChannel } = await import("../../channels/http/http-channel.ts");
    return createHttpChannel({
      access: { host: address, port, token, publicHost: URL.parse(publicUrl)?.host },
      conversation,
      describeStatus: status,
      texts: current.texts,
      language: () => host.current.loaded.config.default.language,
      trigger,
      web: {
        label: () => host.current.agent.core.settings.of("console.label").get(""),
        async open() {
          const { createWorkObserver, openConsoleParts } = await import("../console/console.ts");
          const newest = (id: string) => host.current.agent.core.sessions.newest(id);
          const observer = (observerSlot.observer ??= createWorkObserver(host.clock.now, newest));
          // One that cannot be read is none: what failed with it was said at the start.
          const botToken = () =>
            orElse(
              () => secrets.read(host.current.loaded.config.telegram.bot_token),
              (error) => error instanceof AppError,
              () => undefined,
            );
          const talk = { observer, isBusy: conversation.isBusy };
          return openConsoleParts(host, { routines, people, talk, botToken });
        },
      },
      log,
      ...(receive && { webhook: { path: WEBHOOK_PATH, answer: receive } }),
    });
  } catch (error) {
    failures.set("http", errorMessage(error));
    log("HTTP_OFF", { reason: errorMessage(error) });
    return undefined;
  }
}

const TOKEN_BYTES = 32;

/** Makes the token of the local API where the configuration names a file that is not there yet. */
function ensureHttpToken({ config, userHome }: LoadedConfig): void {
  const { token } = config.http;
  if (!token.startsWith("file:")) return;
  const path = expandHome(token.slice("file:".length), userHome);
  if (existsSync(path)) return;
  makePrivateDir(dirname(path));
  writeFileSync(path, `${randomBytes(TOKEN_BYTES).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
}
