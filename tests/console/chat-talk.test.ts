import { expect, test } from "bun:test";
import { join } from "node:path";
import { type Signal, signal } from "@preact/signals";
import {
  type Client,
  type ClientWorld,
  createClient,
  type LinkState,
} from "../../src/console/client/client.ts";
import type { Keeper } from "../../src/console/pages/chat/unsent.ts";
import { until } from "../support/patience.ts";

const ID = "http:mine";
const SAID = "look at\nthis, please";
const SINCE = "and typed since";

/** What a test looks at of a conversation, and does in it. */
interface Talk {
  readonly kept: {
    readonly value?: { readonly chat: object; readonly messages: readonly { text: string }[] };
  };
  readonly failure: { readonly value: string };
  readonly turns: { readonly value: readonly { readonly pieces: readonly unknown[] }[] };
  readonly others: { readonly value: readonly unknown[] };
  readonly left: { readonly value: string };
  readonly saved: { readonly value: readonly string[] };
  readonly draft: { value: string };
  readonly files: { value: readonly File[] };
  refresh(): Promise<void>;
  send(text: string, shown: readonly []): Promise<unknown>;
  stop(): void;
}

interface TalkPage {
  readonly client: Client;
  readonly feed: {
    readonly inbox: { readonly value: undefined };
    readonly link: Signal<LinkState>;
    readonly news: { readonly heard: { readonly value: { readonly id: undefined } } };
    refresh(): Promise<void>;
  };
}

interface TalkModule {
  readonly createTalk: (page: TalkPage, id: string, keeper: Keeper, isNew: boolean) => Talk;
}

// By its path: its types bring those of a browser along, with which no program of Bun is checked.
const loaded: unknown = await import(join(import.meta.dir, "../../src/console/pages/chat/talk.ts"));
const { createTalk } = expectTalk(loaded);

function expectTalk(value: unknown): TalkModule {
  if (!isTalk(value)) throw new Error("it makes no conversation");
  return value;
}

function isTalk(value: unknown): value is TalkModule {
  return typeof value === "object" && value !== null && "createTalk" in value;
}

type Answer = (signal: AbortSignal | undefined) => Response | Promise<Response>;

/** A daemon of one conversation that answers as a test says, and a browser's storage. */
function openWorld() {
  const stored = new Map<string, string>();
  const keeper: Keeper = {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
    removeItem: (key) => void stored.delete(key),
  };
  const daemon = {
    messages: [] as Readonly<Record<string, unknown>>[],
    running: [] as Readonly<Record<string, unknown>>[],
    work: "unknown",
    /** What was said there, with the ids of what came with it. */
    said: [] as unknown[],
    uploads: [] as string[],
    onWork: () => Response.json({ state: daemon.work, received: daemon.received }),
    received: false,
    onUpload: (() => taken()) as Answer,
    onChat: (() => stream("well")) as Answer,
    keep(text: string, role = "user") {
      daemon.messages.push({ id: daemon.messages.length + 1, role, text, at: 0 });
    },
  };
  const taken = () => Response.json({ file_id: `up_${daemon.uploads.length}`, path: "inbox/a" });
  const world: ClientWorld = {
    async fetch(path, init) {
      const end = init.signal ?? undefined;
      end?.throwIfAborted();
      if (path.startsWith("/api/work/")) return daemon.onWork();
      if (path.startsWith("/api/files?")) {
        daemon.uploads.push(new URLSearchParams(path.split("?")[1]).get("name") ?? "");
        return daemon.onUpload(end);
      }
      if (path === "/api/chat") {
        const answer = await daemon.onChat(end);
        if (answer.ok) daemon.said.push(JSON.parse(typeof init.body === "string" ? init.body : ""));
        return answer;
      }
      const after = Number(/after=(\d+)/u.exec(path)?.[1] ?? 0);
      const messages = daemon.messages.filter(({ id }) => Number(id) > after);
      if (daemon.messages.length === 0 && daemon.running.length === 0) {
        return Response.json({ ok: false, error: "no such conversation" }, { status: 404 });
      }
      const { running } = daemon;
      return Response.json({ id: ID, may_send: true, messages, older: null, running });
    },
    secrets: { get: () => "s", set() {}, clear() {} },
    pause: async () => {},
    onSignedOut() {},
  };
  const link = signal<LinkState>("connecting");
  const page: TalkPage = {
    client: createClient(world),
    feed: {
      inbox: { value: undefined },
      link,
      news: { heard: { value: { id: undefined } } },
      refresh: async () => {},
    },
  };
  return {
    daemon,
    keeper,
    link,
    open: (isNew = false, id = ID) => createTalk(page, id, keeper, isNew),
  };
}

type Daemon = ReturnType<typeof openWorld>["daemon"];

const refusal = (status: number) => () => Response.json({ ok: false, error: "not so" }, { status });
const broken = () => Promise.reject(new TypeError("the network is gone"));
/** Nothing comes until who asked leaves. */
const silent: Answer = (end) =>
  new Promise((_, fail) => end?.addEventListener("abort", () => fail(end.reason)));

/** An answer with this word, whole or up to there. */
function stream(word: string, isWhole = true): Response {
  const pieces = [`data: {"content":"${word}"}\n\n`, ...(isWhole ? ["data: [DONE]\n\n"] : [])];
  return new Response(pieces.join(""));
}

/** How a message is not taken: what the daemon does, and what the person does meanwhile. */
const NOT_TAKEN: Readonly<Record<string, (daemon: Daemon, talk: Talk) => void>> = {
  "its file breaks off": (daemon) => (daemon.onUpload = broken),
  ...Object.fromEntries(
    [401, 408, 413, 422, 503, 507].map((status) => [
      `its file is refused with ${status}`,
      (daemon: Daemon) => void (daemon.onUpload = refusal(status)),
    ]),
  ),
  ...Object.fromEntries(
    [400, 403, 409, 422, 500, 503].map((status) => [
      `it is refused with ${status}`,
      (daemon: Daemon) => void (daemon.onChat = refusal(status)),
    ]),
  ),
  "it never arrives": (daemon) => (daemon.onChat = broken),
  "its answer ends before it began": (daemon) => (daemon.onChat = () => new Response("")),
  "it is stopped while its file is on the way"(daemon, talk) {
    daemon.onUpload = silent;
    void until(() => daemon.uploads.length > 0).then(() => talk.stop());
  },
  "it is stopped before it arrives"(daemon, talk) {
    let isAsked = false;
    daemon.onChat = (end) => {
      isAsked = true;
      return silent(end);
    };
    void until(() => isAsked).then(() => talk.stop());
  },
};

test.each(Object.entries(NOT_TAKEN))(
  "where %s, its words and files are there to be sent again",
  async (_, happen) => {
    for (const isNew of [false, true]) {
      for (const since of ["", SINCE]) {
        const { daemon, keeper, open } = openWorld();
        if (!isNew) daemon.keep("of before");
        // The same words of somebody before are not these.
        if (!isNew) daemon.keep(SAID);
        const talk = open(isNew);
        await talk.refresh();
        const file = new File(["x"], "a.txt");
        talk.files.value = [file];
        const { onUpload, onChat } = daemon;
        happen(daemon, talk);
        const sending = talk.send(SAID, []);
        talk.draft.value = since;
        await sending;
        expect(talk.draft.value).toBe(since === "" ? SAID : `${SAID}\n\n${since}`);
        expect(talk.files.value).toEqual([file]);
        Object.assign(daemon, { onUpload, onChat });
        await talk.send(talk.draft.value, []);
        expect(daemon.said.at(-1)).toMatchObject({
          message: since === "" ? SAID : `${SAID}\n\n${since}`,
          files: [expect.any(String)],
        });
        expect(talk.files.value).toEqual([]);
        expect(keeper.getItem(`papayu.chat.${ID}`)).toBeNull();
      }
    }
  },
);

test.each(["message", "file", "answer"])(
  "words whose %s is refused because the session is over are there behind the next login",
  async (what) => {
    const { daemon, keeper, open } = openWorld();
    daemon.keep("of before");
    const talk = open();
    await talk.refresh();
    const { onUpload, onChat, onWork } = daemon;
    if (what === "file") talk.files.value = [new File(["x"], "a.txt")];
    daemon.onUpload = refusal(401);
    daemon.onChat = what === "answer" ? broken : refusal(401);
    let looks = 0;
    daemon.onWork = () => {
      looks += 1;
      return refusal(401)();
    };
    const sending = talk.send(SAID, []);
    if (what !== "answer") await sending;
    else await until(() => looks > 0);
    Object.assign(daemon, { onUpload, onChat, onWork });
    const next = open();
    await until(() => next.left.value !== "running");
    expect(next.draft.value).toBe(SAID);
    await next.send(next.draft.value, []);
    expect(keeper.getItem(`papayu.chat.${ID}`)).toBeNull();
  },
);

test("an answer that was cut off is asked for again by the same page, once it is signed in", async () => {
  const { daemon, link, open } = openWorld();
  daemon.keep("of before");
  const talk = open();
  await talk.refresh();
  const { onWork } = daemon;
  daemon.onChat = broken;
  let looks = 0;
  daemon.onWork = () => {
    looks += 1;
    return refusal(401)();
  };
  const sending = talk.send(SAID, []);
  await until(() => looks > 0);
  daemon.onWork = onWork;
  link.value = "live";
  await sending;
  expect([talk.draft.value, talk.left.value, looks]).toEqual([SAID, "back", 1]);
});

test.each(["telegram:501", "terminal:t1"])(
  "in %s Stop ends what is on its way, and nobody else's work",
  async (id) => {
    const { daemon, open } = openWorld();
    daemon.keep("of before");
    const talk = open(false, id);
    await talk.refresh();
    talk.files.value = [new File(["x"], "a.txt")];
    daemon.onUpload = silent;
    const sending = talk.send(SAID, []);
    await until(() => daemon.uploads.length > 0);
    talk.stop();
    await sending;
    expect(daemon.said).toEqual([]);
    expect(talk.draft.value).toBe(SAID);
  },
);

/** How one is taken, though nobody may have heard the end of its answer. */
const TAKEN: Readonly<Record<string, (daemon: Daemon, talk: Talk) => void>> = {
  "it is answered": (daemon) => daemon.keep(SAID),
  "its answer breaks off": (daemon) => (daemon.onChat = () => stream("we", false)),
  "its answer never comes, but it came"(daemon) {
    daemon.onChat = broken;
    daemon.received = true;
  },
  "a proxy lost its answer"(daemon) {
    daemon.onChat = refusal(504);
    daemon.received = true;
  },
  "its answer never comes, and nobody may ask any more"(daemon) {
    daemon.onChat = broken;
    daemon.onWork = refusal(403);
  },
  "its answer never comes, but it changed something"(daemon) {
    daemon.onChat = broken;
    daemon.work = "ended";
  },
  "it is stopped in the midst of its answer"(daemon, talk) {
    daemon.onChat = (end) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('data: {"content":"we"}\n\n'));
          end?.addEventListener("abort", () => controller.error(end.reason));
        },
      });
      return new Response(body);
    };
    void until(() => talk.turns.value.some(({ pieces }) => pieces.length > 0)).then(() =>
      talk.stop(),
    );
  },
};

test.each(Object.entries(TAKEN))(
  "where %s, nothing of it is said twice, and what came since stays",
  async (_, happen) => {
    const { daemon, open } = openWorld();
    daemon.keep("of before");
    const talk = open();
    await talk.refresh();
    const [own, more] = [new File(["x"], "a.txt"), new File(["y"], "b.txt")];
    talk.files.value = [own];
    happen(daemon, talk);
    const sending = talk.send(SAID, []);
    talk.draft.value = SINCE;
    talk.files.value = [own, more];
    await sending;
    expect(talk.draft.value).toBe(SINCE);
    expect(talk.files.value).toEqual([more]);
    expect(daemon.uploads).toEqual(["a.txt"]);
  },
);

test.each([
  ["did not arrive", "unknown", false, SAID, "back"],
  ["came, whatever is kept of it", "unknown", true, "", "over"],
  ["changed something", "ended", false, "", "over"],
] as const)("a page that is loaded anew while its message %s", async (...row) => {
  const [, work, received, draft, left] = row;
  for (const isNew of [false, true]) {
    const { daemon, open } = openWorld();
    if (!isNew) daemon.keep(SAID);
    daemon.onChat = silent;
    const before = open(isNew);
    await before.refresh();
    void before.send(SAID, []);
    daemon.work = work;
    daemon.received = received;
    // As often as it is loaded, until it is sent again.
    open();
    const after = open();
    await until(() => after.left.value === left);
    expect(after.draft.value).toBe(draft);
    // There is where to say it again.
    expect(after.kept.value?.chat).toMatchObject({ maySend: true });
  }
});

test("while files are on their way, what others say is shown", async () => {
  const { daemon, open } = openWorld();
  daemon.keep("of before");
  const talk = open();
  await talk.refresh();
  const going = Promise.withResolvers<void>();
  const { onUpload } = daemon;
  daemon.onUpload = async (end) => {
    await going.promise;
    return onUpload(end);
  };
  talk.files.value = [new File(["x"], "a.txt")];
  const sending = talk.send(SAID, []);
  await until(() => daemon.uploads.length > 0);
  daemon.keep("from the phone");
  const documents = [{ content: "well" }];
  daemon.running.push({ channel: "telegram", text: "slowly", documents });
  await talk.refresh();
  expect(talk.kept.value?.messages.map(({ text }) => text)).toEqual([
    "of before",
    "from the phone",
  ]);
  expect(talk.others.value).toMatchObject([{ said: "slowly", pieces: [{ text: "well" }] }]);
  expect(talk.turns.value).toMatchObject([{ said: SAID, state: "sent" }]);
  going.resolve();
  await sending;
  expect(daemon.said).toMatchObject([{ message: SAID, files: ["up_1"] }]);
});

test("files that are saved without a word stay until they are, and later ones stay", async () => {
  const { daemon, open } = openWorld();
  daemon.keep("of before");
  const talk = open();
  const [own, more] = [new File(["x"], "a.txt"), new File(["y"], "b.txt")];
  talk.files.value = [own];
  const { onUpload } = daemon;
  daemon.onUpload = refusal(503);
  await talk.send(" ", []);
  expect(talk.files.value).toEqual([own]);
  expect(talk.failure.value).toBe("not so");
  daemon.onUpload = onUpload;
  const saving = talk.send("", []);
  talk.files.value = [own, more];
  await saving;
  expect(talk.files.value).toEqual([more]);
  expect(talk.saved.value).toEqual(["inbox/a"]);
});

test.each([
  ["http:mine", true],
  ["http:a b", false],
  [`http:${"a".repeat(65)}`, false],
  ["telegram:501", false],
  ["terminal:none", false],
])("%s, of which nothing is kept, is begun by who opens its page: %j", async (id, isBegun) => {
  const { open } = openWorld();
  const talk = open(false, id);
  await talk.refresh();
  expect(talk.kept.value !== undefined).toBe(isBegun);
  expect(talk.failure.value !== "").toBe(!isBegun);
});
