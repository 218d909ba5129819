import { join } from "node:path";
import type { Conversation } from "../channels/channel.ts";
import type { SaveFile, Transcribe } from "../channels/telegram/desk.ts";
import type { TelegramChannel } from "../channels/telegram/telegram-channel.ts";
import { AppError, errorMessage } from "../core/app-error.ts";
import { isOtherRunning } from "../system/is-other-running.ts";
import { makePrivateDir } from "../system/make-private-dir.ts";
import type { App } from "./app.ts";

/** Where the local HTTP server takes what Telegram brings. */
export const WEBHOOK_PATH = "/telegram/webhook";

/** The Telegram channel; undefined without a token, which is no fault. */
export async function createTelegram(
  app: App,
  conversation: Conversation,
): Promise<TelegramChannel | undefined> {
  const token = telegramToken(app);
  if (token === undefined) return undefined;
  await tidyInboxes(app);
  const { createTelegramChannel } = await import("../channels/telegram/telegram-channel.ts");
  const { store, clock, log, redactor } = app;
  const { telegram } = app.loaded.config;
  const transcribe = createTranscribe(app);
  return createTelegramChannel({
    token,
    apiRoot: telegram.api_root,
    allowedUserIds: () => app.loaded.config.telegram.allowed_user_ids,
    webhookUrl: telegram.webhook_url,
    lock: botLock(app, token),
    conversation,
    store,
    ready: () => app.ready(),
    clock,
    texts: app.texts,
    log,
    redact: redactor.redact,
    saveFile: createSaveFile(app),
    ...(transcribe && { transcribe }),
  });
}

function telegramToken(app: App): string | undefined {
  try {
    return app.secret(app.loaded.config.telegram.bot_token);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    app.log("TELEGRAM_OFF", { reason: error.message });
    return undefined;
  }
}

/** In the person's own folder, so that daemons with other homes see it too. */
function botLock({ loaded: { userHome, home } }: App, token: string) {
  const dir = join(userHome, ".papa-yu");
  makePrivateDir(dir);
  return { path: join(dir, `telegram-${Number.parseInt(token, 10) || 0}.lock`), home };
}

/** Files whose download a crash cut off are sent for again; their beginnings are of no use. */
async function tidyInboxes({ agent: { workspaces }, log }: App): Promise<void> {
  const { removeLeftovers } = await import("../workspace/save-incoming.ts");
  for (const name of workspaces.names) {
    try {
      removeLeftovers(workspaces.get(name), isOtherRunning);
    } catch (error) {
      log("TELEGRAM_INBOX_UNTIDY", { workspace: name, reason: errorMessage(error) });
    }
  }
}

/** A person who sends a file wants it there; under readonly nothing is written, whoever wants it. */
function createSaveFile(app: App): SaveFile {
  return async (sessionId, file, maxBytes) => {
    const { agent } = app; // as it is configured now
    if (agent.security.autonomy === "readonly") {
      return { ok: false, message: "Files are not saved while security.autonomy is readonly" };
    }
    const { saveIncoming } = await import("../workspace/save-incoming.ts");
    try {
      const workspace = agent.workspaces.get(agent.sessions.state(sessionId).workspace);
      return await saveIncoming(workspace, file, maxBytes);
    } catch (error) {
      // A workspace that is gone, which no other try brings back.
      if (error instanceof AppError) return { ok: false, message: error.message };
      throw error;
    }
  };
}

function createTranscribe(app: App): Transcribe | undefined {
  const { base_url: baseUrl, api_key: reference, model } = app.loaded.config.transcription;
  if (baseUrl === "" || model === "") return undefined;
  return async (audio, signal) => {
    const { transcribe } = await import("../providers/transcribe.ts");
    const endpoint = { baseUrl, apiKey: app.secret(reference), fetch };
    return transcribe(audio, { endpoint, model }, signal);
  };
}
