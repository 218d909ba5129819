import { expect, test } from "bun:test";
import { ROUTES } from "../../src/channels/http/routes.ts";
import { PATHS } from "../channels/http/route-paths.ts";
import type { ModelRequest, Reply } from "../support/model-server.ts";
import type { Phone } from "../support/phone.ts";
import { readTree } from "../support/tree.ts";
import { type AppPage, openApp, openAppScene } from "./app-scene.ts";
import { type ConsoleScene, type Inbox, OWNER } from "./console-scene.ts";

const GUEST = 502;
const PAIRED = 777;
/** Words of the owner's that nobody else may read. */
const OWNERS = "zebra-of-the-owner";
const GUESTS = "heron-of-the-guest";

/** Answers with what was said; a plan writes its goal into a file of its own. */
function playModel({ body }: ModelRequest): Reply {
  const said = body.messages.map(({ content }) => String(content)).join("\n");
  const word = said.includes(OWNERS) ? OWNERS : GUESTS;
  if (!said.includes("plan") && !said.includes("PLAN")) return { kind: "text", text: `on ${word}` };
  const actions = [{ kind: "CREATE_FILE", path: `${word}.md`, content: `${word}\n` }];
  const isApply = said.includes("Now APPLY");
  const text = JSON.stringify({ actions: isApply ? actions : [], summary: `1. Write ${word}.md` });
  return { kind: "text", text };
}

async function ask(phone: Phone, word: string): Promise<void> {
  await phone.say(`plan: write ${word}`, `Write ${word}.md`);
  await phone.tap("Apply", "Changes for notes");
}

const readInbox = async (app: Pick<AppPage, "get">): Promise<Inbox> =>
  JSON.parse(await (await app.get("/api/inbox")).text());

/** Who asks, and what they get of a row that is answered for them. */
const KINDS = ["the owner here", "the owner from afar", "somebody else", "nobody"] as const;

/** Lets somebody in by a code, as the owner does. */
async function pair(scene: ConsoleScene, userId: number): Promise<void> {
  const codes = () => scene.bot.texts(userId).filter((text) => text.includes("papayu pair"));
  const before = codes().length;
  scene.bot.say(userId, "hello");
  await scene.bot.waitFor(() => codes().length > before);
  const code = codes().at(-1)?.slice(-8);
  const paired = await scene.post("/api/people", { act: "pair", code });
  expect(paired.status).toBe(200);
}

test("every route answers whom its row says, and who is not in gets nothing", async () => {
  await using scene = await openAppScene();
  const owner = await openApp(scene, OWNER);
  const guest = await openApp(scene, GUEST);
  const nobody = { authorization: "Bearer abc", origin: owner.headers["origin"] ?? "" };
  const stop = AbortSignal.timeout(60_000);
  const seen = new Set<string>();
  for (const { method, path: pattern, needs, also } of ROUTES) {
    if (needs !== "session" && needs !== "session or token" && needs !== "token") continue;
    for (const path of PATHS[pattern.source] ?? []) {
      if (path === "/api/console/logout" || path === "/api/doctor") continue; // ends, takes long
      const isIn: Readonly<Record<(typeof KINDS)[number], boolean>> = {
        "the owner here": true,
        "the owner from afar": also !== undefined,
        "somebody else": also === "other people",
        nobody: false,
      };
      for (const kind of KINDS) {
        if (kind === "the owner here" && needs === "session") continue; // a browser's alone
        const init = { method, signal: stop, ...(method === "POST" && { body: "{}" }) };
        const answer =
          kind === "the owner here"
            ? await fetch(scene.root + path, { ...init, headers: scene.bearer })
            : await (kind === "the owner from afar"
                ? owner.ask(path, init)
                : kind === "somebody else"
                  ? guest.ask(path, init)
                  : guest.ask(path, { ...init, headers: nobody }));
        const isLong = answer.headers.get("content-type")?.startsWith("text/event-stream");
        const text = isLong ? "" : await answer.text();
        if (isLong) await answer.body?.cancel();
        // What opens a gate is closed from afar, and says so to who is in.
        const isGate = text.includes("papayu open") && answer.status === 403;
        const isRefused = answer.status === 401 || (answer.status === 403 && !isGate);
        expect([kind, method, path, isRefused, answer.status]).toEqual([
          kind,
          method,
          path,
          !isIn[kind],
          answer.status,
        ]);
        seen.add(`${kind} ${isRefused}`);
      }
    }
  }
  expect(seen.size).toBe(6); // the owner here is never refused, nobody always
});

test("somebody else reads what they were asked and talk about, and nothing that is not theirs", async () => {
  await using scene = await openAppScene("", playModel);
  await pair(scene, PAIRED);
  await ask(scene.phone, OWNERS);
  await ask(scene.guest, GUESTS);
  await scene.phone.say(`what is ${OWNERS}?`, "on zebra");
  await scene.guest.say(`what is ${GUESTS}?`, "on heron");
  await scene.post("/api/chat", { message: `say ${OWNERS}`, session_id: "mine" });
  const all = (await scene.inbox()).items;
  const refOf = (word: string) => all.find(({ title }) => title.includes(word))?.ref ?? "";
  const chats: { readonly chats: readonly { readonly id: string }[] } = JSON.parse(
    await (await scene.get("/api/chats")).text(),
  );
  for (const userId of [GUEST, PAIRED]) {
    const app = await openApp(scene, userId);
    const { items } = await readInbox(app);
    expect(items.map(({ ref }) => ref)).toEqual(userId === GUEST ? [refOf(GUESTS)] : []);
    const paths = [
      ...ROUTES.filter(({ method, needs }) => method === "GET" && needs.includes("session"))
        .flatMap(({ path }) => PATHS[path.source] ?? [])
        .filter((path) => path !== "/api/events"),
      ...["", "/files/0", "/files/1", "/files/0/before", "/files/0/after"].map(
        (rest) => `/api/change-sets/${refOf(OWNERS)}${rest}`,
      ),
      ...chats.chats.map(({ id }) => `/api/chats/${encodeURIComponent(id)}`),
      ...["telegram:501", "telegram:501:1", "http:mine", "mine", "terminal:1"].map(
        (id) => `/api/chats/${encodeURIComponent(id)}`,
      ),
    ];
    for (const path of paths) {
      const text = await (await app.get(path)).text();
      expect([path, text.includes(OWNERS)]).toEqual([path, false]);
      if (userId === PAIRED) expect([path, text.includes(GUESTS)]).toEqual([path, false]);
    }
    const review = await app.get(`/api/change-sets/${refOf(OWNERS)}`);
    expect(review.status).toBe(404);
    for (const what of ["draft", "seen"]) {
      const said = { text: "no", path: `${OWNERS}.md`, seen: true };
      const path = `/api/change-sets/${refOf(OWNERS)}/${what}`;
      expect((await app.post(path, said)).status).toBe(409);
    }
  }
  const app = await openApp(scene, GUEST);
  const review = await (await app.get(`/api/change-sets/${refOf(GUESTS)}`)).text();
  expect(JSON.parse(review)).toMatchObject({
    state: "waiting",
    actions: [{ act: "approve" }, {}, {}],
  });
  const file = await (await app.get(`/api/change-sets/${refOf(GUESTS)}/files/0`)).text();
  expect(JSON.parse(file)).toMatchObject({ path: `${GUESTS}.md`, after: `${GUESTS}\n` });
  const own = await (await app.get("/api/chats")).text();
  expect(JSON.parse(own)).toMatchObject({ chats: [{ id: `telegram:${GUEST}` }] });
});

test("only who was asked answers, under their own name, and their phone is told", async () => {
  await using scene = await openAppScene("", playModel);
  await pair(scene, PAIRED);
  await ask(scene.phone, OWNERS);
  await ask(scene.guest, GUESTS);
  const [guests, owners] = [GUESTS, OWNERS].map((word) => word);
  const all = (await scene.inbox()).items;
  const itemOf = (word = "") => all.find(({ title }) => title.includes(word));
  const [own, foreign] = [itemOf(guests), itemOf(owners)];
  const owner = await openApp(scene, OWNER);
  const guest = await openApp(scene, GUEST);
  const paired = await openApp(scene, PAIRED);
  const before = readTree(scene.folder);
  const press = (app: AppPage, item: typeof own, act = "approve", more = {}) =>
    app.post("/api/press", { act, ref: item?.ref, digest: item?.digest, ...more });
  for (const act of ["approve", "reject", "try_another", "check_first", "keep", "reach"]) {
    expect((await press(guest, foreign, act)).status).toBe(403);
    expect((await press(paired, own, act)).status).toBe(403);
    expect((await press(owner, own, act)).status).toBe(403);
    for (const session of ["telegram:501", "http:telegram:501", "telegram:502"]) {
      const named = await press(guest, foreign, act, { session_id: session });
      expect(named.status).toBe(403);
    }
  }
  for (const act of ["run_routine", "routine_on", "propose_routine", "redo", "end_browser"]) {
    expect((await guest.post("/api/press", { act, ref: "x", words: "x" })).status).toBe(403);
  }
  expect(readTree(scene.folder)).toEqual(before);
  expect((await scene.inbox()).items).toHaveLength(2);

  const applied = await (await press(guest, own)).text();
  expect(applied).toContain("Applied in notes");
  expect(Object.keys(readTree(scene.folder))).toEqual([...Object.keys(before), `${GUESTS}.md`]);
  await scene.guest.waitForText("Answered in the web console:");
  const outcome = await scene.guest.waitForText("Applied in notes");
  expect(outcome.buttons.map(({ label }) => label)).toEqual(["Undo"]);
  expect(scene.bot.texts(OWNER).some((text) => text.includes("Answered in"))).toBe(false);
  const { outcome: done } = await scene.review(own?.ref ?? "");
  const undo = { act: "undo", ref: done?.tx_id };
  expect((await paired.post("/api/press", undo)).status).toBe(403);
  expect((await owner.post("/api/press", undo)).status).toBe(403);
  expect(await (await guest.post("/api/press", undo)).text()).toContain("Undone in notes");
  expect(readTree(scene.folder)).toEqual(before);
});

test("a conversation that somebody else begins is theirs, whatever it is called", async () => {
  await using scene = await openAppScene("", playModel);
  const guest = await openApp(scene, GUEST);
  const owner = await openApp(scene, OWNER);
  const say = async (app: AppPage, message: string, session_id: string, key?: string) =>
    (
      await app.ask("/api/chat", {
        method: "POST",
        body: JSON.stringify({ message, session_id }),
        headers: { ...app.headers, ...(key !== undefined && { "idempotency-key": key }) },
      })
    ).text();
  const names = ["mine", "telegram:501", "http:mine", "console-1", "app:telegram:501:mine"];
  for (const name of names) await say(owner, `say ${OWNERS}`, name, name);
  for (const name of names) {
    expect(await say(guest, `say ${GUESTS}`, name, name)).toContain(GUESTS);
    const path = `/api/chats/${encodeURIComponent(`http:${name}`)}`;
    const [theirs, mine] = await Promise.all(
      [guest, owner].map(async (app) => (await app.get(path)).text()),
    );
    expect(theirs).toContain(GUESTS);
    expect(theirs).not.toContain(OWNERS);
    expect(mine).not.toContain(GUESTS);
    const work = await (await guest.get(`/api/work/${name}`)).text();
    expect(JSON.parse(work)).toMatchObject({ state: "unknown" });
  }
  const list = await (await guest.get("/api/chats")).text();
  expect(JSON.parse(list)).toMatchObject({ total: names.length });
  expect(list).not.toContain(OWNERS);
  // What sets something for all of papa-yu wants somebody at the machine.
  for (const command of ["/mode full", "/model offline", "/autouse on", "/use"]) {
    expect(await say(guest, command, "mine")).toContain("papayu open");
  }
});

test("who is removed is out at once, with what they follow and what runs for them", async () => {
  const asked = Promise.withResolvers<void>();
  await using scene = await openAppScene("", (request) => {
    if (!String(request.body.messages.at(-1)?.content).includes("long")) return playModel(request);
    asked.resolve();
    return { kind: "hang" };
  });
  await pair(scene, PAIRED);
  const app = await openApp(scene, PAIRED);
  const other = await openApp(scene, GUEST);
  const stream = await app.get("/api/events");
  const answer = await app.post("/api/chat", { message: "take long", session_id: "a" });
  await asked.promise;
  const remove = { act: "remove", user_id: PAIRED };
  expect((await scene.post("/api/people", remove)).status).toBe(200);
  expect((await app.get("/api/inbox")).status).toBe(401);
  expect((await app.post("/api/chat", { message: "hello" })).status).toBe(401);
  await stream.text();
  expect(await answer.text()).not.toContain("[DONE]");
  expect((await other.get("/api/inbox")).status).toBe(200);
  expect((await openApp(scene, PAIRED).catch((error: unknown) => error)) instanceof Error).toBe(
    true,
  );
  await pair(scene, PAIRED);
  expect((await app.get("/api/inbox")).status).toBe(401);
});

test("each entry is told and listed, and ended by who it is of, or by the owner", async () => {
  await using scene = await openAppScene();
  const { phone, guest, bot } = scene;
  const owner = await openApp(scene, OWNER);
  await phone.waitForText("A browser signed in to the web console: Telegram,");
  const first = await phone.waitForText("Not you?");
  const other = await openApp(scene, GUEST);
  await phone.waitForText("A browser signed in to the web console: Telegram 502");
  const second = await phone.waitForText("Not you?");
  await guest.waitForText("You came in to the web console: Telegram 502");
  await guest.waitForText("Not you?");
  const browsers = await (await owner.get("/api/browsers")).text();
  expect(JSON.parse(browsers)).toMatchObject({
    browsers: [
      { id: other.sessionId, browser: "Telegram 502", here: false },
      { id: owner.sessionId, browser: "Telegram", here: true },
    ],
  });
  const { stdout } = await scene.sandbox.run("open", "--list");
  for (const { sessionId } of [owner, other]) expect(stdout).toContain(sessionId);

  // A button of the owner's that somebody else got hold of.
  await phone.pressAgain(first, 0, GUEST);
  expect((await owner.get("/api/inbox")).status).toBe(200);
  await guest.tap("Revoke", "let in no more");
  expect((await other.get("/api/inbox")).status).toBe(401);
  const again = await openApp(scene, GUEST);
  const ended = await owner.post("/api/browsers", { id: again.sessionId });
  expect(ended.status).toBe(403); // from afar it ends itself alone
  await scene.sandbox.run("open", "--revoke", again.sessionId);
  expect((await again.get("/api/inbox")).status).toBe(401);
  bot.press(OWNER, second.messageId, second.buttons[0]?.data ?? "");
  await phone.waitForText("No browser is let in under this id");
  expect((await owner.post("/api/browsers", { id: owner.sessionId })).status).toBe(200);
  expect((await owner.get("/api/inbox")).status).toBe(401);
});

test("files for who opened the page in Telegram are sent by the bot, into their own chat", async () => {
  await using scene = await openAppScene("", ({ body }) => {
    const hasRun = body.messages.some(({ role }) => role === "tool");
    if (hasRun) return { kind: "text", text: "here it is" };
    return { kind: "tools", calls: [{ name: "send_file", arguments: { path: "a.txt" } }] };
  });
  const { bot } = scene;
  const [owner, guest] = [await openApp(scene, OWNER), await openApp(scene, GUEST)];
  for (const [app, userId] of [
    [owner, OWNER],
    [guest, GUEST],
  ] as const) {
    const said = await (await app.post("/api/chat", { message: "give me a.txt" })).text();
    expect(said).toContain('"sent_to":"telegram"');
    const sent = await bot.waitFor(() => bot.sent(userId).find(({ document }) => document));
    expect(sent.document).toMatchObject({ filename: "a.txt", content: "one\ntwo\nthree\n" });
  }
  expect(bot.sent().filter(({ document }) => document)).toHaveLength(2);
  // A page at the machine keeps files itself.
  const here = await scene.post("/api/chat", { message: "give me a.txt" });
  expect(await here.text()).not.toContain("sent_to");

  const figures = { name: "papayu-tokens.csv", text: "day,tokens\n2026-11-28,7\n" };
  expect((await owner.post("/api/app/file", figures)).status).toBe(200);
  const csv = () => bot.sent(OWNER).find(({ document }) => document?.filename === figures.name);
  expect((await bot.waitFor(csv)).document?.content).toBe(figures.text);
  expect((await guest.post("/api/app/file", figures)).status).toBe(403);
  expect((await scene.post("/api/app/file", figures)).status).toBe(401);
  for (const bad of [{ name: "../x", text: "a" }, { name: "x" }, { name: "x", text: "" }, null]) {
    expect((await owner.post("/api/app/file", bad)).status).toBe(400);
  }
});
