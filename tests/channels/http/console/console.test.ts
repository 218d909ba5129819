import { expect, test } from "bun:test";
import {
  type BrowserSession,
  createConsole,
} from "../../../../src/channels/http/console/console.ts";
import { createHttpChannel } from "../../../../src/channels/http/http-channel.ts";
import { createSettings } from "../../../../src/store/settings/settings.ts";
import { textsIn } from "../../../../src/texts/texts.ts";
import { memoryStore } from "../../../support/fresh-store.ts";
import { createScript } from "../../script.ts";
import { STATUS, TOKEN } from "../bench.ts";

const MINUTE_MS = 60_000;
const SPEAKER = { sessionId: "telegram:1", userId: "telegram:1" };

function openParts(opensGate = false) {
  const world = { now: 1_000_000 };
  const person = {
    inbox: async () => [],
    mark: () => "",
    review: async () => undefined,
    file: async () => undefined,
    draft: async () => ({ kind: "not kept" }) as const,
    untick: async () => ({ kind: "not kept" }) as const,
    image: async () => undefined,
    see: async () => ({ kind: "not kept" }) as const,
    chats: {
      list: () => undefined,
      read: () => undefined,
      nameOf: () => undefined,
      speaker: (sessionId: string) => ({ sessionId, userId: "owner" }),
      waiting: () => undefined,
      isBusy: () => false,
      saveFile: async () => ({ ok: false as const, message: "no" }),
      workspaceOf: () => "notes",
      sentFile: async () => undefined,
      waitsForGate: () => opensGate,
    },
    signs: () => [],
    answering: () => ({ kind: "asked" as const, speaker: SPEAKER, isShown: true, opensGate }),
  };
  const parts = {
    facts: {
      ...person,
      of: () => person,
      listen() {},
      past: {
        list: () => [],
        read: async () => undefined,
        transaction: () => undefined,
        transactionFile: () => undefined,
        takeBack: () => undefined,
        takeBackFile: () => undefined,
        transactionImage: () => undefined,
        takeBackImage: () => undefined,
      },
      routines: { list: () => ({}), runs: () => undefined },
      traces: {
        list: async () => undefined,
        read: async () => undefined,
        report: async () => undefined,
      },
      settings: {
        read: async () => ({}),
        keys: () => [],
        check: async () => ({}),
        insert: async () => ({}),
        save: async () => ({}),
      },
      care: {
        doctor: { look: async () => ({}), glance() {} },
        log: {
          read: () => ({ lines: [], older: null, end: { ino: 0, offset: 0 } }),
          async *follow() {},
        },
        people: {
          list: () => ({}),
          pair: () => ({ kind: "paired" as const, user_id: 7, name: "Anna" }),
          refuse: () => true,
          remove: () => true,
        },
        spending: () => ({}),
      },
    },
    settings: createSettings(memoryStore(), () => world.now),
    files: async () => ({ shell: "page", file: () => undefined }),
    version: "0",
    language: () => "en",
    onSignIn() {},
    now: () => world.now,
    chats: { giveFile() {}, giveText: () => false },
    app: { botToken: () => undefined, roleOf: () => undefined },
  };
  return { world, parts };
}

function openSession(opensGate = false) {
  const { world, parts } = openParts(opensGate);
  const site = { place: () => ({ port: 1 }), texts: () => textsIn("en") };
  const page = createConsole(parts, site);
  const code = String(page.door({ act: "open", plain: false })["url"]).split("#login=")[1];
  page.login(JSON.stringify({ code }), null, { secret: "", cookies: [], isPlain: false });
  const [listed] = [page.door({ act: "list" })["sessions"]].flat();
  const id = typeof listed === "object" && listed !== null && "id" in listed ? listed.id : "";
  const session = { id: String(id), browser: "?", signedInAt: world.now, expiresAt: world.now * 2 };
  return { world, page, session };
}

test("what opens a gate counts for ten minutes behind a login, and for programs", () => {
  const read = {
    ok: true as const,
    isNamed: false,
    request: {
      kind: "press" as const,
      sessionId: "http:x",
      press: { act: "approve" as const, ref: "ap_1" },
      digest: "d",
    },
  };
  const { world, page, session } = openSession(true);
  expect(page.place(read, session)).toMatchObject({ request: SPEAKER });
  world.now += 10 * MINUTE_MS;
  const late = page.place(read, session);
  expect(late instanceof Response ? late.status : late).toBe(403);
  expect(page.place(read, undefined)).toMatchObject({ request: SPEAKER });
  const usual = openSession();
  usual.world.now += 29 * 24 * 60 * MINUTE_MS;
  expect(usual.page.place(read, usual.session)).toMatchObject({ request: SPEAKER });
});

test.each([
  "routine_on",
  "routine_off",
  "use_ws",
  "use_research",
  "stop_auto_use",
  "end_browser",
] as const)("%s of a page switches something for ten minutes behind a login", (act) => {
  const { world, page, session } = openSession();
  const press = { act, ref: "tidy" };
  const read = {
    ok: true as const,
    isNamed: false,
    request: { kind: "press" as const, sessionId: "http:x", press },
  };
  expect(page.place(read, session)).toMatchObject({ request: SPEAKER });
  world.now += 10 * MINUTE_MS;
  const late = page.place(read, session);
  expect(late instanceof Response ? late.status : late).toBe(403);
});

test.each([
  ["/mode full", false, true],
  [" /MODEL x", false, true],
  ["/routines on tidy", false, true],
  ["/autouse on", false, true],
  ["/use", false, true],
  ["/mode", false, false],
  ["/routines", false, false],
  ["/ws notes", false, false],
  ["mode full", false, false],
  ["yes", false, false],
  ["yes", true, true],
  ["Да!", true, true],
  ["/apply", true, true],
  ["/APPLY", true, true],
  ["/apply now", true, false],
  ["/apply", false, false],
  ["no", true, false],
  ["tell me more", true, false],
])(
  "%p of a page, where a gate waits: %p, wants a fresh login: %p",
  (text, opensGate, isSetting) => {
    const { world, page, session } = openSession(opensGate);
    const saying = { kind: "message", sessionId: "http:x", text } as const;
    const statusOf = () => {
      const decided = page.authorize(saying, session);
      return decided instanceof Response ? decided.status : decided.kind;
    };
    expect(statusOf()).toBe("message");
    world.now += 10 * MINUTE_MS;
    expect(statusOf()).toBe(isSetting ? 403 : "message");
  },
);

test("a page lets people in and ends other browsers for ten minutes behind a login, programs always", async () => {
  const { world, page, session } = openSession();
  const ask = async (path: string, said: unknown) => {
    const body = async () => JSON.stringify(said);
    const query = new URLSearchParams();
    const asked = { method: "POST", path, query, session, body };
    return (await page.read(asked))?.status;
  };
  const pair = { act: "pair", code: "K7RMX2QD" };
  expect(await ask("/api/people", pair)).toBe(200);
  expect(await ask("/api/browsers", { id: "0".repeat(16) })).toBe(404);
  world.now += 10 * MINUTE_MS;
  expect(await ask("/api/people", pair)).toBe(403);
  expect(await ask("/api/browsers", { id: "0".repeat(16) })).toBe(403);
  // What closes a gate is done at any time.
  expect(await ask("/api/people", { act: "remove", user_id: 7 })).toBe(200);
  expect(await ask("/api/people", { act: "refuse", user_id: 7 })).toBe(200);
  const body = async () => JSON.stringify(pair);
  const query = new URLSearchParams();
  const program = { method: "POST", path: "/api/people", query, session: undefined, body };
  expect((await page.read(program))?.status).toBe(200);
  expect(await ask("/api/browsers", { id: session.id })).toBe(200);
});

test("the configuration is saved by a page for ten minutes behind a login, and by programs", async () => {
  const { world, page, session } = openSession();
  const save = async (of: typeof session | undefined, path = "/api/settings/config") =>
    (
      await page.read({
        method: "POST",
        path,
        query: new URLSearchParams(),
        session: of,
        body: async () => JSON.stringify({ text: "", digest: "d" }),
      })
    )?.status;
  expect(await save(session)).toBe(200);
  world.now += 10 * MINUTE_MS;
  expect(await save(session)).toBe(403);
  expect(await save(session, "/api/settings/config/check")).toBe(200);
  expect(await save(undefined)).toBe(200);
});

test("each person has a share of the pages that listen, and each that leaves makes room", async () => {
  const { page, session } = openSession();
  const listen = async (as: BrowserSession | undefined) => {
    const asked = { method: "GET", path: "/api/events", query: new URLSearchParams() };
    const response = await page.read({ ...asked, session: as, body: async () => "" });
    if (!response) throw new Error("no stream");
    return response;
  };
  const open = async (as: BrowserSession | undefined, count: number) => {
    const streams = await Promise.all(Array.from({ length: count }, () => listen(as)));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await listen(as);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    return streams;
  };
  // Others as many as like to: none of their pages is one less of the owner's.
  for (const other of ["telegram:1", "telegram:2", "telegram:3", "telegram:4"]) {
    await open({ ...session, id: other, other }, 8);
  }
  const other = "telegram:5";
  expect((await listen({ ...session, id: other, other })).status).toBe(503);
  const streams = await open(session, 16);
  await open(undefined, 16);
  expect((await listen({ ...session, id: "another" })).status).toBe(503);
  await streams[0]?.body?.cancel();
  expect((await listen({ ...session, id: "another" })).status).toBe(200);
  page.door({ act: "revoke", id: session.id });
  const ended = await Promise.all(streams.slice(1).map((stream) => stream.text()));
  expect(ended).toHaveLength(15);
  expect((await listen(undefined)).status).toBe(503);
  page.close();
});

test("a login whose body does not come, or is none, is let go", async () => {
  const { parts } = openParts();
  const channel = createHttpChannel({
    access: { host: "127.0.0.1", port: 0, token: TOKEN },
    conversation: createScript({ say: () => {} }),
    describeStatus: () => STATUS,
    texts: () => textsIn("en"),
    language: () => "en",
    log: () => {},
    bodyMs: 50,
    web: { label: () => "papayu-abcdefgh", open: async () => parts },
  });
  await channel.start();
  const port = String(channel.status()["port"]);
  const host = `papayu-abcdefgh.localhost:${port}`;
  const headers = { host, origin: `http://${host}` };
  const url = `http://127.0.0.1:${port}/api/console/login`;
  const never = new ReadableStream({ start: (it) => it.enqueue(new Uint8Array(1)) });
  expect((await fetch(url, { method: "POST", headers, body: never })).status).toBe(408);
  expect((await fetch(url, { method: "POST", headers })).status).toBe(400);
  await channel.stop(AbortSignal.timeout(0));
});

test("a page of a Russian owner is refused a Save in Russian, and a program is not", async () => {
  const { world, parts } = openParts();
  const channel = createHttpChannel({
    access: { host: "127.0.0.1", port: 0, token: TOKEN },
    conversation: createScript({ say: async () => {} }),
    describeStatus: () => STATUS,
    texts: () => textsIn("ru"),
    language: () => "ru",
    web: { label: () => undefined, open: async () => parts },
    log: () => {},
  });
  await channel.start();
  await using _ = { [Symbol.asyncDispose]: () => channel.stop(AbortSignal.timeout(0)) };
  const root = `http://127.0.0.1:${String(channel.status()["port"])}`;
  const door = await channel.door();
  const code = String(door?.({ act: "open", plain: true })["url"]).split("#login=")[1];
  const own = { origin: root, "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };
  const post = async (path: string, said: unknown, headers: Readonly<Record<string, string>>) => {
    const sent = await fetch(root + path, { method: "POST", headers, body: JSON.stringify(said) });
    return { status: sent.status, said: JSON.parse(await sent.text()) };
  };
  const { said } = await post("/api/console/login", { code }, own);
  const shown = { ...own, "x-papayu-session": String(said.secret) };
  const save = (headers: Readonly<Record<string, string>>) =>
    post("/api/settings/config", { text: "", digest: "d" }, headers);
  expect((await save(shown)).status).toBe(200);
  world.now += 10 * MINUTE_MS;
  expect(await save(shown)).toEqual({
    status: 403,
    said: {
      ok: false,
      error:
        "это открывает то, что закрыто: нужен вход не старше десяти минут, войдите заново через papayu open",
    },
  });
  expect((await save({ authorization: `Bearer ${TOKEN}` })).status).toBe(200);
  const again = await post("/api/console/login", { code }, own);
  expect(again).toMatchObject({ status: 401, said: { error: expect.stringContaining("код") } });
  // What no page sends is for who writes programs.
  const { status, said: unread } = await post("/api/settings/config/check", {}, shown);
  expect([status, unread.error]).toEqual([400, 'send {"text", "digest"}']);
});
