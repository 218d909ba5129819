import { userInfo } from "node:os";
import { join } from "node:path";
import type { Conversation } from "../channels/channel.ts";
import type {
  BotLock,
  SaveFile,
  TelegramChannel,
  Transcribe,
} from "../channels/telegram/telegram-channel.ts";
import { isTelegramIntended } from "../config/is-telegram-intended.ts";
import { AppError, errorMessage } from "../core/app-error.ts";
import { sha256 } from "../core/sha256.ts";
import { createPairing } from "../store/chats/chats.ts";
import { isOtherRunning, takeMachineName } from "../system/locks/locks.ts";
import type { App } from "./app/app.ts";

/** Where the local HTTP server takes what Telegram brings. */
export const WEBHOOK_PATH = "/telegram/webhook";

/** The Telegram channel; undefined without a token, which is a fault only where it is half set up. */
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
    connection: {
      token,
      apiRoot: telegram.api_root,
      webhookUrl: telegram.webhook_url,
      lock: botLock(app, token),
    },
    allowedUserIds: () => app.loaded.config.telegram.allowed_user_ids,
    agent: { conversation, saveFile: createSaveFile(app), ...(transcribe && { transcribe }) },
    storage: { store, ready: () => app.ready() },
    wording: { texts: app.texts, redact: redactor.redact },
    clock,
    log,
  });
}

function telegramToken(app: App): string | undefined {
  try {
    return app.secret(app.loaded.config.telegram.bot_token);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const paired = createPairing(app.store).paired();
    const isIntended = isTelegramIntended(
      app.loaded.config,
      paired.map(({ userId }) => userId),
    );
    if (isIntended) app.log("TELEGRAM_OFF", { reason: error.message });
    return undefined;
  }
}

/**
 * One receiver a bot on this machine. Its name is made of the token, so that nobody who does not
 * know that can take it; where names are files, one is in the folder of the account, whatever
 * `HOME` says.
 */
function botLock({ loaded: { home, config } }: App, token: string): BotLock {
  const root = config.telegram.api_root.replace(/\/+$/, "");
  const name = `papayu-telegram-${sha256(`${root}\n${token}`).slice(0, 32)}`;
  return () => {
    const file = join(userInfo().homedir, `.${name}.lock`);
    return takeMachineName(name, { what: home, file });
  };
}

/** Files whose download a crash cut off are sent for again; their beginnings are of no use. */
async function tidyInboxes({ agent, log }: App): Promise<void> {
  const { removeLeftovers } = await import("../workspace/save-incoming.ts");
  const { workspaces } = agent.core;
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
    const { security, workspaces, sessions } = app.agent.core; // as it is configured now
    if (security.autonomy === "readonly") {
      return { ok: false, message: "Files are not saved while security.autonomy is readonly" };
    }
    const { saveIncoming } = await import("../workspace/save-incoming.ts");
    try {
      const workspace = workspaces.get(sessions.state(sessionId).workspace);
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
