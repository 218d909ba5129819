import { batch, effect, type Signal, signal } from "@preact/signals";
import { type Client, RefusedError } from "../../client/client.ts";
import { messageOf, type Page } from "../../page/page.ts";
import { canBegin, joined, toBegun } from "./chat-pages.ts";
import { sendFiles } from "./files.ts";
import { beginTurn, type Turn, takeDocument, toOther } from "./turn.ts";
import { isSignedOut, type Keeper, openUnsent, settle, type Unsent } from "./unsent.ts";
import { type ChatPage, isKeptEarly, readChatPage } from "./wire.ts";

/** A question or a plan that stands before the person's eyes. */
export interface Shown {
  readonly ref: string;
  readonly digest?: string;
}

/** A conversation as this page shows it and goes on with it, while another page is shown, too. */
export interface Talk {
  readonly id: string;
  /** What is kept of it. */
  readonly kept: Signal<ChatPage | undefined>;
  /** Why it cannot be read. */
  readonly failure: Signal<string>;
  /** What was sent from here, until it is kept. */
  readonly turns: Signal<readonly Turn[]>;
  /** What others said and pressed there, while it is worked on. */
  readonly others: Signal<readonly Turn[]>;
  /** How the last message from here ended. */
  readonly ended: Signal<Turn["state"] | undefined>;
  /** A message whose answer the page was left in, and what became of it. */
  readonly left: Signal<"" | "running" | "over" | "back">;
  readonly draft: Signal<string>;
  readonly files: Signal<readonly File[]>;
  /** Where files lie that were sent without a word. */
  readonly saved: Signal<readonly string[]>;
  /** Reads what is new, or all of it where nothing was read. */
  refresh(): Promise<void>;
  loadOlder(): Promise<void>;
  /** What `shown` says was on the screen is what a yes is for. Gives why it did not end well, if it did not. */
  send(text: string, shown: readonly Shown[]): Promise<string | undefined>;
  /** Ends what runs there. */
  stop(): void;
  /** Reads it anew as long as it is looked at, whenever something is said there. */
  look(): () => void;
}

/** What of the page a conversation needs. */
interface TalkPage extends Pick<Page, "feed"> {
  readonly client: Pick<Client, "get" | "say" | "work" | "upload">;
}

/** A message with what it is sent with. */
interface Sending extends Unsent {
  readonly shown: readonly Shown[];
  readonly files: readonly File[];
  readonly leaving: AbortSignal;
}

/** A conversation by its id; `isNew`: it is begun here, and nothing is kept of it. */
export function createTalk(page: TalkPage, id: string, keeper: Keeper, isNew = false): Talk {
  /** Of this API alone what is left is stopped: elsewhere others are told, too. */
  const isOwn = id.startsWith("http:");
  const unsent = openUnsent(keeper, `papayu.chat.${id}`);
  const cutOff = unsent.read();
  const kept = signal<ChatPage | undefined>(isNew ? toBegun(id) : undefined);
  const failure = signal("");
  const turns = signal<readonly Turn[]>([]);
  const others = signal<readonly Turn[]>([]);
  const ended = signal<Turn["state"] | undefined>(undefined);
  const left = signal<"" | "running" | "over" | "back">("");
  const draft = signal("");
  const files = signal<readonly File[]>([]);
  const saved = signal<readonly string[]>([]);
  const path = `/api/chats/${encodeURIComponent(id)}?rendered=true`;
  let over = new Set<string>();
  /** Sent from here, and not yet read as kept: it is shown by its own stream until then. */
  const pending = new Set<string>();
  /** Answered, if only with its first word. */
  const arrived = new Set<string>();
  let running: { readonly key: string; readonly leaving: AbortController } | undefined;
  let reading: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  function set(key: string, change: (turn: Turn) => Turn): void {
    turns.value = turns.value.map((turn) => (turn.key === key ? change(turn) : turn));
  }

  async function read(): Promise<void> {
    next = undefined;
    const known = kept.value;
    const last = known?.messages.at(-1)?.id;
    const isOver = new Set(over);
    const waits = new Set(page.feed.inbox.value?.items.map(({ ref }) => ref));
    // Of a question that is over it is to be said what became of it.
    const isAnswered = known?.messages.some(
      ({ state, ref = "" }) => state === "waiting" && !waits.has(ref),
    );
    const isAll = last === undefined || isAnswered === true;
    try {
      const found = await get(isAll ? path : `${path}&after=${last}`);
      // The end of its stream reads it anew.
      if (known && isKeptEarly(pending, isOver, found.running)) return;
      batch(() => {
        kept.value = known ? { ...found, ...joined(known, found) } : found;
        turns.value = turns.value.filter(({ key }) => !isOver.has(key));
        for (const key of isOver) pending.delete(key);
        const here = new Set(turns.value.map(({ key }) => key));
        others.value = found.running
          .filter(({ key }) => key === undefined || !here.has(key))
          .map(toOther);
        failure.value = "";
      });
      over = new Set([...over].filter((key) => !isOver.has(key)));
    } catch (error) {
      failure.value = messageOf(error);
    }
  }

  /** Of one that only begins here nothing is kept yet, and nobody else knows that it is there. */
  async function get(from: string): Promise<ChatPage> {
    try {
      return readChatPage(await page.client.get(from));
    } catch (error) {
      const isUnknown = error instanceof RefusedError && error.status === 404;
      if (!isUnknown || !canBegin(id)) throw error;
      const begun = toBegun(id);
      return { ...begun, chat: kept.value?.chat ?? begun.chat };
    }
  }

  /** One read at a time; who asks meanwhile gets one that begins behind that. */
  function refresh(): Promise<void> {
    next ??= reading.then(read);
    reading = next;
    return next;
  }

  /** Where a message did not arrive, its words are to be said again; true: they are. */
  async function comesBack({ key, said }: Unsent): Promise<boolean> {
    const hasArrived = arrived.has(key) || (await settle(page, key)) !== false;
    over.add(key);
    await refresh();
    if (!hasArrived) putBack(said);
    return !hasArrived;
  }

  /** Whatever was typed since stays behind it. */
  function putBack(said: string): void {
    draft.value = draft.value === "" ? said : `${said}\n\n${draft.value}`;
  }

  /** What was taken is not sent once more; what was attached since is still to come. */
  function detach(own: readonly File[]): void {
    if (!files.value.some((file) => own.includes(file))) return;
    files.value = files.value.filter((file) => !own.includes(file));
  }

  function take({ key, files: own }: Sending): void {
    arrived.add(key);
    detach(own);
  }

  async function say(sending: Sending): Promise<void> {
    const { key, said, shown, leaving } = sending;
    const ids = await sendFiles(page.client, id, sending.files, leaving);
    leaving.throwIfAborted();
    // From here on it may be kept before the end of its stream is read.
    pending.add(key);
    const more = ids.length === 0 ? {} : { files: ids.map((each) => each.id) };
    const body = { message: said, conversation: id, rendered: true, shown, ...more };
    await page.client.say(body, key, leaving, (document) => {
      take(sending);
      set(key, (turn) =>
        takeDocument({ ...turn, state: turn.state === "sent" ? "running" : turn.state }, document),
      );
    });
    take(sending);
  }

  function cancel(): void {
    const body = { message: "/cancel", conversation: id };
    const { signal: never } = new AbortController();
    void page.client.say(body, crypto.randomUUID(), never, () => {}).catch(() => {});
  }

  if (cutOff) {
    left.value = "running";
    void comesBack(cutOff).then((isBack) => {
      left.value = isBack ? "back" : "over";
      // What is back is nowhere else before it is sent again.
      if (!isBack) unsent.forget(cutOff.key);
    });
  }

  return {
    id,
    kept,
    failure,
    turns,
    others,
    ended,
    left,
    draft,
    files,
    saved,
    refresh,
    async loadOlder() {
      const known = kept.value;
      if (known?.older === undefined) return;
      try {
        const found = readChatPage(await page.client.get(`${path}&before=${known.older}`));
        const now = kept.value ?? known;
        kept.value = {
          ...now,
          messages: [...found.messages, ...now.messages],
          older: found.older,
        };
      } catch (error) {
        failure.value = messageOf(error);
      }
    },
    async send(said, shown) {
      saved.value = [];
      if (said.trim() === "") {
        const own = files.value;
        try {
          const sent = await sendFiles(page.client, id, own);
          batch(() => {
            detach(own);
            saved.value = sent.map((each) => each.path);
          });
        } catch (error) {
          failure.value = messageOf(error);
          return failure.value;
        }
        return undefined;
      }
      const key = crypto.randomUUID();
      const leaving = new AbortController();
      const sending = { key, said, shown, files: files.value, leaving: leaving.signal };
      running = { key, leaving };
      let isBack = false;
      left.value = "";
      ended.value = undefined;
      unsent.keep(sending);
      const earlier = turns.value.filter(({ state }) => state !== "failed");
      turns.value = [...earlier, beginTurn(key, said)];
      const end = (state: Turn["state"], refusal?: string) =>
        set(key, (turn) => ({
          ...turn,
          progress: "",
          output: "",
          state: state === "ended" && turn.failure !== "" ? "failed" : state,
          failure: refusal ?? turn.failure,
        }));
      try {
        await say(sending);
        end("ended");
        over.add(key);
      } catch (error) {
        if (running?.key === key) running = undefined;
        const isStopped = leaving.signal.aborted;
        const isRefused = error instanceof RefusedError && error.status < 500;
        if (!pending.has(key) || isRefused) {
          // It was not taken, and is still to be said; what came with it has stayed.
          if (isStopped) turns.value = turns.value.filter((turn) => turn.key !== key);
          else end("failed", messageOf(error));
          putBack(said);
          pending.delete(key);
          void refresh();
          isBack = isSignedOut(error);
          return messageOf(error);
        }
        end(isStopped ? "stopped" : "lost");
        ended.value = isStopped ? "stopped" : "lost";
        isBack = await comesBack(sending);
        if (isBack) ended.value = undefined;
        else take(sending);
        if (isBack || !isStopped) left.value = isBack ? "back" : "over";
      } finally {
        if (!isBack) unsent.forget(key);
        if (running?.key === key) running = undefined;
      }
      const { state, failure: why } = turns.value.find((turn) => turn.key === key) ?? {};
      ended.value = state ?? ended.value;
      await Promise.all([refresh(), page.feed.refresh()]);
      return state === "ended" ? undefined : (why ?? "");
    },
    stop() {
      // Of one whose files are on their way nobody has heard yet.
      if (running && (isOwn || !pending.has(running.key))) running.leaving.abort();
      else cancel();
    },
    look() {
      return effect(() => {
        const { id: of } = page.feed.news.heard.value;
        if (of === undefined || of === id) void refresh();
      });
    },
  };
}
