import { join } from "node:path";
import type {
  AgentEvent,
  Channel,
  ConsoleDoor,
  Conversation,
  Emit,
} from "../../channels/channel.ts";
import { createSocketChannel } from "../../channels/socket/socket-channel.ts";
import type { TelegramChannel } from "../../channels/telegram/telegram-channel.ts";
import { errorMessage } from "../../core/app-error.ts";
import type { Log } from "../../core/log.ts";
import type { Texts } from "../../texts/texts.ts";
import type { RoutineService } from "../../tools/routine-service.ts";
import type { ObserverSlot } from "../console/console.ts";
import { tidyInboxes } from "../incoming-files.ts";
import type { People } from "../people.ts";
import type { createTrigger, Work } from "../routines/routines.ts";
import type { DaemonStatus } from "../status.ts";
import { createHttp, type HttpHost } from "./create-http.ts";
import { createTelegram, type TelegramHost } from "./create-telegram.ts";

/** The channels of a daemon. */
export interface Channels {
  readonly all: readonly Channel[];
  /** Keeps notices that nobody was there to receive. */
  readonly terminal: ReturnType<typeof createSocketChannel>;
  /** The way in to the web console, if there is one. */
  readonly door: () => Promise<ConsoleDoor | undefined>;
  /** What was said on the phone before this start and not answered. */
  readonly unanswered: () => readonly string[];
  /** The owner on the phone, as sessions there know them. */
  readonly phoneOwner: () => string | undefined;
  /** Those that reach people beyond this machine, and programs. */
  readonly remote: readonly Channel[];
}

/** What channels lead to. */
export interface Inside {
  /** As the channel of a name is to see it. */
  readonly conversationOf: (channel: string) => Conversation;
  /** Filled when a page is opened. */
  readonly observerSlot: ObserverSlot;
  readonly work: Work;
  readonly status: () => DaemonStatus;
  readonly trigger: ReturnType<typeof createTrigger>;
  readonly routines: RoutineService;
  /** The address of a page that Telegram opens; undefined: there is none. */
  readonly appPage: (path: string) => string | undefined;
}

/** The socket for terminals, where every daemon of a home listens. */
export function socketPath(home: string): string {
  return join(home, "daemon.sock");
}

/** Makes the channels that are configured; one that cannot be made leaves why in `failures`. */
export async function createChannels(
  host: HttpHost & TelegramHost,
  { conversationOf, observerSlot, work, status, trigger, routines, appPage }: Inside,
  failures: Map<string, string>,
): Promise<Channels> {
  await tidyInboxes(host.current.agent.core);
  const all: Channel[] = [];
  let door: () => Promise<ConsoleDoor | undefined> = async () => undefined;
  const terminal = createSocketChannel({
    path: socketPath(host.current.loaded.home),
    conversation: conversationOf("terminal"),
    describeStatus: status,
    texts: host.current.texts,
    door: () => door(),
    log: host.log,
  });
  const telegram = await createTelegram(host, {
    conversation: conversationOf("telegram"),
    company: work.beside("telegram"),
    appPage,
  });
  const phoneOwner = () => telegram?.owner?.()?.userId;
  const people: People = {
    phoneOwner,
    isListed: (userId) => telegram?.isListed(userId) === true,
    tell: (text, events) => void tellOwner(host.current.agent.core, all, text, events),
    tellPerson: (userId, text, events) => void telegram?.toldIn(userId)?.(text, events),
    sendText: (chat, name, text) => telegram?.sendText(chat, name, text) === true,
  };
  const web = {
    conversation: withPhone(conversationOf("http"), telegram, host.current.texts),
    status,
    trigger,
    routines,
    people,
    observerSlot,
    receive: telegram?.receive,
  };
  const http = await createHttp(host, web, failures);
  door = async () => http?.door();
  const remote = [telegram, http].filter((channel) => channel !== undefined);
  all.push(terminal, ...remote);
  const unanswered = () => telegram?.unanswered() ?? [];
  return { all, terminal, remote, door, phoneOwner, unanswered };
}

/** What is said and pressed over HTTP in somebody's private chat on the phone is told there, too. */
function withPhone(
  conversation: Conversation,
  channel: TelegramChannel | undefined,
  texts: () => Texts,
): Conversation {
  return {
    ...conversation,
    message(speaker, said, emit, origin) {
      const deliver = channel?.toldIn(speaker.sessionId);
      if (!deliver) return conversation.message(speaker, said, emit, origin);
      const words = typeof said === "string" ? said : said.words;
      const loading = import("../console/tell-phone.ts");
      const telling = loading.then(async ({ openTelling }) => {
        const opened = openTelling({ deliver, texts }, words);
        await opened.begin();
        return opened;
      });
      telling.catch(() => {}); // said to whoever hears it next
      const show: Emit = async (event) => {
        await (await telling).hear(event);
        await emit(event);
      };
      // At once: the question that a yes is for is looked up as it comes.
      const answered = conversation.message(speaker, said, show, origin);
      return answered.finally(async () => (await telling).end());
    },
    async press(...press) {
      const [{ sessionId }] = press;
      const deliver = channel?.toldIn(sessionId);
      if (!deliver) return conversation.press(...press);
      const { pressForPhone } = await import("../console/tell-phone.ts");
      return pressForPhone(conversation, { deliver, texts }, ...press);
    },
  };
}

/** A failing channel does not take the others down. */
export async function startChannels(
  channels: readonly Channel[],
  failures: Map<string, string>,
  log: Log,
): Promise<void> {
  for (const channel of channels) {
    try {
      await channel.start();
    } catch (error) {
      failures.set(channel.name, errorMessage(error));
      log("CHANNEL_FAILED", { channel: channel.name, error: errorMessage(error) });
    }
  }
}

/** Tells the owner something nobody asked for, wherever they can be reached; false: nowhere. */
export async function tellOwner(
  { log, redact }: { readonly log: Log; readonly redact: (text: string) => string },
  channels: readonly Channel[],
  text: string,
  events: readonly AgentEvent[] = [],
): Promise<boolean> {
  log("NOTICE", { text });
  let isDelivered = false;
  for (const channel of channels) {
    try {
      const delivery = await channel.deliver(redact(text), events);
      isDelivered ||= delivery !== "nobody";
      log("NOTICE_SENT", { channel: channel.name, delivery });
    } catch (error) {
      log("NOTICE_FAILED", { channel: channel.name, error: errorMessage(error) });
    }
  }
  return isDelivered;
}
