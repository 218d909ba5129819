import { batch, effect, type Signal, signal } from "@preact/signals";
import { RefusedError } from "../../client/client.ts";
import { messageOf, type Page } from "../../page.ts";
import { sendFiles } from "./files.ts";
import { beginTurn, type Turn, takeDocument } from "./turn.ts";
import { type ChatPage, isKeptEarly, type Running, readChatPage } from "./wire.ts";

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
  readonly left: Signal<"" | "running" | "over">;
  readonly draft: Signal<string>;
  readonly files: Signal<readonly File[]>;
  /** Where files lie that were sent without a word. */
  readonly saved: Signal<readonly string[]>;
  /** Reads what is new, or all of it where nothing was read. */
  refresh(): Promise<void>;
  loadOlder(): Promise<void>;
  /** What `shown` says was on the screen is what a yes is for. */
  send(text: string, shown: readonly Shown[]): Promise<void>;
  /** Ends what runs there. */
  stop(): void;
  /** Reads it anew as long as it is looked at, whenever something is said there. */
  look(): () => void;
}

/** Where it is kept which answers are under way, across reloads. */
export type Keeper = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const LOOK_AGAIN_MS = 1000;

/** A conversation by its id; `isNew`: it is begun here, and nothing is kept of it. */
export function createTalk(page: Page, id: string, keeper: Keeper, isNew = false): Talk {
  const kept = signal<ChatPage | undefined>(isNew ? toBegun(id) : undefined);
  const failure = signal("");
  const turns = signal<readonly Turn[]>([]);
  const others = signal<readonly Turn[]>([]);
  const ended = signal<Turn["state"] | undefined>(undefined);
  const left = signal<"" | "running" | "over">("");
  const draft = signal("");
  const files = signal<readonly File[]>([]);
  const saved = signal<readonly string[]>([]);
  const place = `papayu.chat.${id}`;
  const path = `/api/chats/${encodeURIComponent(id)}?rendered=true`;
  /** Of this API alone what is left is stopped: elsewhere others are told, too. */
  const isOwn = id.startsWith("http:");
  let over = new Set<string>();
  /** Sent from here, and not yet read as kept: it is shown by its own stream until then. */
  const pending = new Set<string>();
  let running: AbortController | undefined;
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
    const waits = new Set(page.inbox.value?.items.map(({ ref }) => ref));
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
          .map((each, at) => toOther(each, at));
        failure.value = "";
      });
      over = new Set([...over].filter((key) => !isOver.has(key)));
    } catch (error) {
      failure.value = messageOf(error);
    }
  }

  /** Of what has only begun nothing is kept, and nobody else knows that it is there. */
  async function get(from: string): Promise<ChatPage> {
    try {
      return readChatPage(await page.client.get(from));
    } catch (error) {
      const known = kept.value;
      const isUnknown = error instanceof RefusedError && error.status === 404;
      if (known && isUnknown) return { ...toBegun(id), chat: known.chat };
      throw error;
    }
  }

  /** One read at a time; who asks meanwhile gets one that begins behind that. */
  function refresh(): Promise<void> {
    next ??= reading.then(read);
    reading = next;
    return next;
  }

  /** Until it is known what became of a message whose answer was cut off. */
  async function settle(key: string): Promise<void> {
    for (;;) {
      try {
        const { state } = await page.client.work(key);
        if (state !== "running") break;
      } catch (error) {
        if (error instanceof RefusedError && error.status < 500) break;
      }
      await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
    }
  }

  async function say(key: string, said: string, shown: readonly Shown[], leaving: AbortSignal) {
    const ids = await sendFiles(page.client, id, files.value);
    files.value = [];
    const more = ids.length === 0 ? {} : { files: ids.map((each) => each.id) };
    const body = { message: said, conversation: id, rendered: true, shown, ...more };
    await page.client.say(body, key, leaving, (document) =>
      set(key, (turn) =>
        takeDocument({ ...turn, state: turn.state === "sent" ? "running" : turn.state }, document),
      ),
    );
  }

  function cancel(): void {
    const body = { message: "/cancel", conversation: id };
    const { signal: never } = new AbortController();
    void page.client.say(body, crypto.randomUUID(), never, () => {}).catch(() => {});
  }

  const before = keeper.getItem(place);
  if (before !== null) {
    left.value = "running";
    void settle(before).then(() => {
      left.value = "over";
      keeper.removeItem(place);
      return refresh();
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
        try {
          const sent = await sendFiles(page.client, id, files.value);
          batch(() => {
            files.value = [];
            saved.value = sent.map((each) => each.path);
          });
        } catch (error) {
          failure.value = messageOf(error);
        }
        return;
      }
      const key = crypto.randomUUID();
      const leaving = new AbortController();
      running = leaving;
      left.value = "";
      ended.value = undefined;
      keeper.setItem(place, key);
      pending.add(key);
      const refused = turns.value.filter(({ state }) => state !== "failed");
      turns.value = [...refused, beginTurn(key, said)];
      const quiet = { progress: "", output: "" };
      try {
        await say(key, said, shown, leaving.signal);
        set(key, (turn) => ({
          ...turn,
          ...quiet,
          state: turn.failure === "" ? "ended" : "failed",
        }));
      } catch (error) {
        if (leaving.signal.aborted) set(key, (turn) => ({ ...turn, ...quiet, state: "stopped" }));
        else if (error instanceof RefusedError) {
          const refusal = messageOf(error);
          set(key, (turn) => ({ ...turn, ...quiet, state: "failed", failure: refusal }));
          // What was not taken is still to be said.
          if (draft.value === "") draft.value = said;
          keeper.removeItem(place);
          if (running === leaving) running = undefined;
          pending.delete(key);
          void refresh();
          return;
        } else {
          set(key, (turn) => ({ ...turn, ...quiet, state: "lost" }));
          await settle(key);
          left.value = "over";
        }
      } finally {
        keeper.removeItem(place);
        if (running === leaving) running = undefined;
      }
      over.add(key);
      ended.value = turns.value.find((turn) => turn.key === key)?.state;
      await Promise.all([refresh(), page.refresh()]);
    },
    stop() {
      if (running && isOwn) running.abort();
      else cancel();
    },
    look() {
      return effect(() => {
        const { id: of } = page.heard.value;
        if (of === undefined || of === id) void refresh();
      });
    },
  };
}

/** What somebody said or pressed elsewhere. */
function toOther({ key, said, isOver, documents }: Running, at: number): Turn {
  const begun = { ...beginTurn(key ?? `of others ${at}`, said), state: "running" as const };
  const turn = documents.reduce<Turn>(takeDocument, begun);
  return isOver && turn.state === "running" ? { ...turn, state: "ended" } : turn;
}

/** What was known with what is newer; where something is missing between them, that alone. */
function joined(known: ChatPage, found: ChatPage): Pick<ChatPage, "messages" | "older"> {
  const [first] = found.messages;
  if (!first) return known;
  const before = known.messages.filter(({ id }) => id < first.id);
  const isGap = found.older !== undefined && before.length === known.messages.length;
  return isGap ? found : { messages: [...before, ...found.messages], older: known.older };
}

/** One that was begun on this page: nothing of it is from before. */
function toBegun(id: string): ChatPage {
  const chat = { id, channel: "http", title: "", at: 0, workspace: undefined, maySend: true };
  return { chat, messages: [], older: undefined, running: [] };
}

/** Whether its answer is still to come. */
export function isUnderWay({ state }: Turn): boolean {
  return state === "sent" || state === "running";
}
