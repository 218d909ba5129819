import type { Database } from "bun:sqlite";
import {
  createTelegramChannel,
  type TelegramChannel,
  type TelegramOptions,
} from "../../../src/channels/telegram/telegram-channel.ts";
import { type Clock, systemClock } from "../../../src/core/clock.ts";
import type { LogValue } from "../../../src/core/log.ts";
import { unlessAborted } from "../../../src/core/until-aborted.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { type BotApiServer, startBotApi } from "../../support/bot-api-server.ts";
import { memoryStore } from "../../support/fresh-store.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { type Behaviour, createScript, type Script } from "../script.ts";

/** The one person on the list. */
export const OWNER = 77;

/** A channel between a Bot API server and a scripted conversation. */
export interface Bench extends AsyncDisposable {
  readonly api: BotApiServer;
  readonly script: Script;
  readonly store: Database;
  readonly clock: Clock;
  readonly logged: { readonly event: string; readonly fields: Record<string, LogValue> }[];
  /** How long the channel was told to wait, each time. */
  readonly slept: number[];
  readonly channel: TelegramChannel;
  /** Until it is disposed of, no wait of the channel's ends: what comes first is up to no machine. */
  holdTime(): Disposable;
  stop(patienceMs?: number): Promise<void>;
  /** Ends as a killed process does: nothing of what is under way is put in order on disk. */
  die(): Promise<void>;
  /** Starts a new channel on the same database, as a new process would. */
  restart(): Promise<void>;
}

/** What a test may want to be otherwise, without the groups it belongs to. */
type FlatOptions = Pick<TelegramOptions, "allowedUserIds" | "maxTurns" | "clock"> &
  TelegramOptions["agent"] &
  TelegramOptions["storage"] &
  TelegramOptions["wording"] &
  Omit<TelegramOptions["connection"], "limits"> & {
    readonly pollSeconds: number;
    readonly pollGraceSeconds: number;
    readonly requestSeconds: number;
  };

/** Starts everything; `say` and `act` are the conversation's answers, an echo otherwise. */
export async function openBench(
  behaviour: Partial<Behaviour> & {
    readonly options?: Partial<FlatOptions>;
    readonly store?: Database;
    /** Runs before the channel starts. */
    readonly before?: (api: BotApiServer, store: Database) => void;
  } = {},
): Promise<Bench> {
  const store = behaviour.store ?? memoryStore();
  const logged: Bench["logged"] = [];
  const slept: number[] = [];
  const { clock, holdTime } = hurriedClock(slept);
  const api = await startBotApi(undefined, clock.now);
  const script = createScript({ say: echo, ...behaviour });
  behaviour.before?.(api, store);
  const { options = {} } = behaviour;
  const build = () =>
    createTelegramChannel({
      connection: {
        token: api.token,
        apiRoot: api.url,
        ...options,
        limits: {
          poll: options.pollSeconds ?? 20,
          pollGrace: options.pollGraceSeconds ?? 15,
          request: options.requestSeconds ?? 30,
        },
      },
      allowedUserIds: options.allowedUserIds ?? (() => [OWNER]),
      agent: {
        conversation: script,
        saveFile: async () => ({ ok: false, message: "no place for files" }),
        ...options,
      },
      ...(options.maxTurns && { maxTurns: options.maxTurns }),
      storage: { store, ...options },
      wording: { texts: () => textsIn("en"), ...options },
      clock: options.clock ?? clock,
      log: (event, fields = {}) => logged.push({ event, fields }),
    });
  let channel = build();
  await channel.start();

  const bench: Bench = {
    api,
    script,
    store,
    clock,
    logged,
    slept,
    holdTime,
    get channel() {
      return channel;
    },
    stop: (patienceMs = PATIENCE_MS) => channel.stop(AbortSignal.timeout(patienceMs)),
    async die() {
      const charged = store.query("SELECT update_id, blame FROM inbox").values();
      await bench.stop(0);
      for (const [id, blame] of charged) {
        store
          .query("UPDATE inbox SET blame = ? WHERE update_id = ?")
          .run(Number(blame), Number(id));
      }
    },
    async restart() {
      channel = build();
      await channel.start();
    },
    async [Symbol.asyncDispose]() {
      await bench.stop(0);
      await api.stop();
      store.close();
    },
  };
  return bench;
}

const echo: Behaviour["say"] = (text, emit) => emit({ kind: "content", text: `echo: ${text}` });

/** How many times faster the channel's clock runs. */
const HURRY = 200;

/**
 * A clock on which a second of sleep takes 5 ms, so that back-off is real and short. It stands
 * still between one sleep's end and the next one's: how long something is to wait does not depend
 * on how busy the machine is. Whether something comes before a sleep ends does: where a test is
 * about that, it holds the time.
 */
function hurriedClock(slept: number[]): { clock: Clock; holdTime: () => Disposable } {
  let now = Math.round(performance.timeOrigin);
  let goesOn = Promise.resolve();
  const clock: Clock = {
    now: () => now,
    async sleep(ms, signal) {
      slept.push(ms);
      const until = now + ms;
      await systemClock.sleep(ms / HURRY, signal);
      await (signal ? unlessAborted(signal, goesOn) : goesOn);
      now = Math.max(now, until);
    },
  };
  const holdTime = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    goesOn = promise;
    return { [Symbol.dispose]: resolve };
  };
  return { clock, holdTime };
}
