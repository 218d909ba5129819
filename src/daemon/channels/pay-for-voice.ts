import type { Transcribe } from "../../channels/telegram/telegram-channel.ts";
import { AppError } from "../../core/app-error.ts";
import type { Clock } from "../../core/clock.ts";
import { type Amount, type Reservation, toDay } from "../../providers/budget.ts";
import { createSpendingStore } from "../../store/spending.ts";
import type { Current, State } from "../app/app.ts";

/** Where the caps are, and what was spent. */
interface Purse {
  readonly current: Current;
  readonly state: Pick<State, "store" | "commit">;
  readonly clock: Clock;
}

/** What makes words of a recording; `isFree`: nobody can have listened. */
type Listen = (
  ...asked: Parameters<Transcribe>
) => Promise<Awaited<ReturnType<Transcribe>> & { readonly isFree?: true }>;

/** No endpoint says what it heard in tokens: about what audio models count, and the words they write. */
const TOKENS_PER_SECOND = 15;
/** More than a voice message has; a length that was told too short does not make it free. */
const BYTES_PER_SECOND = 8000;

/**
 * The same, paid for as models are: what a recording may take is reserved before it is sent, and at
 * a cap of the day it is not sent. What nobody can have listened to is given back; after a cancel or
 * a time-out nobody knows. What cannot be done at all, such as without the key, is said with its reason.
 */
export function payForVoice(listen: Listen, { current, state, clock }: Purse): Transcribe {
  const spending = createSpendingStore(state.store, state.commit);
  const hear: Listen = async (...asked) => {
    try {
      return await listen(...asked);
    } catch (error) {
      const [, signal] = asked;
      if (signal.aborted || !(error instanceof AppError)) throw error;
      const { code, message } = error; // before anything was sent
      return { ok: false, code, message, isFree: true };
    }
  };
  return async (recording, signal) => {
    const { config, source } = current.loaded;
    const { max_tokens_per_day: tokens, max_cost_per_day: cost } = config.agent;
    const { price_per_minute: price } = config.transcription;
    const file = source.path ?? "config.toml";
    if (cost > 0 && price === undefined) return refuse(`${NO_PRICE} (${COST_CAP} in "${file}")`);
    const account = { day: toDay(clock.now()), payer: recording.sessionId };
    const amount = toAmount(recording, price);
    const reserved = await spending.reserve(account, amount, { tokens, cost });
    if (!reserved.ok) {
      const key = `agent.max_${reserved.cap}_per_day = ${{ tokens, cost }[reserved.cap]} in "${file}"`;
      return refuse(tellReached(key, reserved, amount));
    }
    const result = await hear(recording, signal);
    if (result.isFree) await spending.settle(account, toNothing(amount));
    return result;
  };
}

const COST_CAP = "agent.max_cost_per_day";
const NO_PRICE =
  "Cannot keep the cap on cost: a voice message has no price; set price_per_minute in [transcription]";

function toAmount(
  { audio, durationS }: Parameters<Transcribe>[0],
  pricePerMinute: number | undefined,
): Amount {
  const seconds = Math.max(1, Math.ceil(durationS), Math.ceil(audio.length / BYTES_PER_SECOND));
  return { tokens: seconds * TOKENS_PER_SECOND, cost: ((pricePerMinute ?? 0) * seconds) / 60 };
}

function tellReached(
  key: string,
  { cap, spent }: Extract<Reservation, { readonly ok: false }>,
  amount: Amount,
): string {
  const round = (each: number) => Number(each.toPrecision(4));
  return `Cannot transcribe: ${key} is reached, ${round(spent)} are spent and this may take ${round(amount[cap])}; raise it or wait until midnight UTC`;
}

function refuse(message: string) {
  return { ok: false, code: "LLM_BUDGET", message } as const;
}

/** What takes a reservation back. */
function toNothing({ tokens, cost }: Amount): Amount {
  return { tokens: -tokens, cost: -cost };
}
