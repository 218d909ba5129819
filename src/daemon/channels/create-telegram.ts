import { userInfo } from "node:os";
import { join } from "node:path";
import type { Conversation } from "../../channels/channel.ts";
import type {
  BotLock,
  Company,
  TelegramChannel,
  Transcribe,
} from "../../channels/telegram/telegram-channel.ts";
import { isTelegramIntended } from "../../config/is-telegram-intended.ts";
import type { LoadedConfig } from "../../config/load/load.ts";
import { AppError } from "../../core/app-error.ts";
import type { Clock } from "../../core/clock.ts";
import type { Environment } from "../../core/environment.ts";
import { fetchDirectly } from "../../core/fetch/fetch.ts";
import type { Log } from "../../core/log.ts";
import { sha256 } from "../../core/sha256.ts";
import { createPairing } from "../../store/chats/chats.ts";
import { takeMachineName } from "../../system/locks/locks.ts";
import { mostTurns } from "../../system/own/connections.ts";
import type { Current, Secrets, State } from "../app/app.ts";
import { createSaveFile } from "../incoming-files.ts";

/** What the Telegram channel is made with. */
export interface TelegramHost {
  /** The variables of this process. */
  readonly env: Environment;
  readonly current: Current;
  readonly state: State;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the channel leads to. */
export interface TelegramLeads {
  readonly conversation: Conversation;
  readonly company: Company;
  /** The address of a page that Telegram opens; undefined: there is none. */
  readonly appPage: (path: string) => string | undefined;
}

/** Where the local HTTP server takes what Telegram brings. */
export const WEBHOOK_PATH = "/telegram/webhook";

/** The Telegram channel; undefined without a token, which is a fault only where it is half set up. */
export async function createTelegram(
  host: TelegramHost,
  { conversation, company, appPage }: TelegramLeads,
): Promise<TelegramChannel | undefined> {
  const token = telegramToken(host);
  if (token === undefined) return undefined;
  const { env, current, state, secrets, clock, log } = host;
  const { createTelegramChannel } = await import("../../channels/telegram/telegram-channel.ts");
  const { telegram } = current.loaded.config;
  const transcribe = createTranscribe(host);
  return createTelegramChannel({
    connection: {
      token,
      apiRoot: telegram.api_root,
      webhookUrl: telegram.webhook_url,
      lock: botLock(current.loaded, token),
    },
    allowedUserIds: () => current.loaded.config.telegram.allowed_user_ids,
    agent: { conversation, saveFile: createSaveFile(current), ...(transcribe && { transcribe }) },
    company,
    maxTurns: () => current.loaded.config.agent.max_parallel_turns,
    mostTurns: mostTurns(env),
    storage: {
      store: state.store,
      commit: state.commit,
      known: state.known,
      ready: () => state.ready(),
    },
    wording: {
      texts: current.texts,
      redact: secrets.redactor.redact,
      reviewPage(approvalId) {
        const url = appPage(`/review/${encodeURIComponent(approvalId)}`);
        return url === undefined ? url : { label: current.texts().console.review, url };
      },
    },
    clock,
    log,
  });
}

function telegramToken({ current, state, secrets, log }: TelegramHost): string | undefined {
  try {
    return secrets.read(current.loaded.config.telegram.bot_token);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const paired = createPairing(state.store).paired();
    const isIntended = isTelegramIntended(
      current.loaded.config,
      paired.map(({ userId }) => userId),
    );
    if (isIntended) log("TELEGRAM_OFF", { reason: error.message });
    return undefined;
  }
}

/**
 * One receiver a bot on this machine. Its name is made of the token, so that nobody who does not
 * know that can take it; where names are files, one is in the folder of the account, whatever
 * `HOME` says.
 */
function botLock({ home, config }: LoadedConfig, token: string): BotLock {
  const root = config.telegram.api_root.replace(/\/+$/, "");
  const name = `papayu-telegram-${sha256(`${root}\n${token}`).slice(0, 32)}`;
  return () => {
    const file = join(userInfo().homedir, `.${name}.lock`);
    return takeMachineName(name, { what: home, file });
  };
}

function createTranscribe(host: TelegramHost): Transcribe | undefined {
  const { current, secrets } = host;
  const { base_url: baseUrl, api_key: reference, model } = current.loaded.config.transcription;
  if (baseUrl === "" || model === "") return undefined;
  let paid: Transcribe | undefined;
  return async (...asked) => {
    // With the first voice message: a start needs none of it.
    const { transcribe } = await import("../../providers/transcribe.ts");
    const { payForVoice } = await import("./pay-for-voice.ts");
    paid ??= payForVoice(({ audio }, signal) => {
      const endpoint = { baseUrl, apiKey: secrets.read(reference), fetch: fetchDirectly };
      return transcribe(audio, { endpoint, model }, signal);
    }, host);
    return paid(...asked);
  };
}
