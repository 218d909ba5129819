import type { Api } from "grammy";

/** An AbortSignal that grammY takes, whose types name the one of an old package. */
export type BotSignal = AbortSignal & NonNullable<Parameters<Api["getMe"]>[0]>;

/** The same signal, known to be one that grammY takes. */
export function toBotSignal(signal: AbortSignal): BotSignal {
  if (!isBotSignal(signal)) throw new TypeError("grammY cannot listen to this signal");
  return signal;
}

/** Asks what grammY itself asks of a signal before a call. */
function isBotSignal(signal: AbortSignal): signal is BotSignal {
  return typeof signal.addEventListener === "function";
}
