import { hostname } from "node:os";
import type { LoadedConfig } from "../config/load/load.ts";
import { resolveSecret } from "../config/secret.ts";
import { toAppError } from "../core/app-error.ts";
import { createRedactor } from "../security/redact/redact.ts";
import { StateError } from "../store/open/open.ts";
import { textsIn } from "../texts/texts.ts";
import { claimTelling } from "./told-mark.ts";

/** These are no trouble: another daemon does the work, or somebody stopped this one. */
const NOT_REPORTED: ReadonlySet<string> = new Set(["ERR_DAEMON_RUNNING", "ERR_CANCELLED"]);

/**
 * Tells the owner on the phone that papa-yu cannot start and what to do: whoever has a supervisor
 * reads no stderr. Of one kind of trouble once in hours, however often it is restarted.
 *
 * Without the database only the configuration knows people: it goes to the first who is allowed.
 * What goes wrong here is no second failure; the first is told on stderr in any case.
 */
export async function tellFailedStart(
  { config, home, userHome }: LoadedConfig,
  failure: unknown,
  options: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly seconds: number;
    readonly now: number;
  },
): Promise<void> {
  const { env, seconds, now } = options;
  const [chatId] = config.telegram.allowed_user_ids;
  const token = resolveSecret(config.telegram.bot_token, { env, home: userHome });
  if (chatId === undefined || !token.ok || token.value === undefined) return;
  const error = toAppError(failure);
  if (NOT_REPORTED.has(error.code)) return;
  const kind = error instanceof StateError ? error.trouble : error.code;
  const giveBack = claimTelling(home, kind, { runtimeDir: env["XDG_RUNTIME_DIR"], now });
  if (!giveBack) return;
  const { failedStart: texts, failure: toWords } = textsIn(config.default.language);
  const what =
    error instanceof StateError
      ? texts.troubles[error.trouble]
      : [toWords(error.code), error.message].filter((each) => each !== "").join("\n");
  const redactor = createRedactor();
  redactor.add(token.value);
  const text = redactor.redact(`${texts.head(hostname())}\n\n${what}\n\n${texts.once(home)}`);
  const { sendOnce } = await import("../channels/telegram/send-once.ts");
  const bot = { token: token.value, apiRoot: config.telegram.api_root };
  const mayHaveArrived = await sendOnce(bot, { chatId, text }, seconds).catch(() => false);
  if (!mayHaveArrived) giveBack();
}
