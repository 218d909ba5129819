import { expect, test } from "bun:test";
import { until } from "../support/patience.ts";
import { type AppPage, openApp, openAppScene } from "./app-scene.ts";
import { eventsOf, OWNER } from "./console-scene.ts";

const GUEST = 502;
/** Words of the owner's that nobody else may read. */
const OWNERS = "zebra-of-the-owner";
const GUESTS = "heron-of-the-guest";

/** Everything that is told from now on, as text. */
async function follow(page: Pick<AppPage, "get">): Promise<readonly string[]> {
  const { seq } = JSON.parse(await (await page.get("/api/inbox")).text());
  const told: string[] = [];
  const stream = await page.get(`/api/events?after=${seq}`);
  const all = (async () => {
    for await (const event of eventsOf(stream)) told.push(JSON.stringify(event));
  })();
  all.catch(() => {});
  return told;
}

const say = async (app: AppPage, body: object) => app.post("/api/chat", body);
const namesIn = (told: readonly string[]) =>
  new Set(
    told.map((each) => JSON.parse(each)).flatMap(({ kind, name }) => (kind === "chat" ? name : [])),
  );

test("somebody else hears live of what is theirs, and reads, hears and reaches nothing of the owner's talk", async () => {
  const going = Promise.withResolvers<void>();
  await using scene = await openAppScene("", ({ body }) => {
    const said = JSON.stringify(body.messages);
    const word = said.includes(OWNERS) ? OWNERS : GUESTS;
    const pace = async (sent: number) => {
      if (sent > 2) await going.promise;
    };
    return { kind: "text", text: `so ${word}, and more of it`, chunkChars: 20, pace };
  });
  const [guest, owner] = [await openApp(scene, GUEST), await openApp(scene, OWNER)];
  const [hers, owners] = [await follow(guest), await follow(scene)];
  const read = async (page: Pick<AppPage, "get">, id: string) =>
    JSON.parse(await (await page.get(`/api/chats/${encodeURIComponent(id)}`)).text());
  const mine = scene.post("/api/chat", { message: `say ${OWNERS}`, session_id: "mine" });
  scene.bot.say(OWNER, `tell ${OWNERS}`);
  const key = crypto.randomUUID();
  const theirs = guest.ask("/api/chat", {
    method: "POST",
    body: JSON.stringify({ message: `say ${GUESTS}`, conversation: "http:theirs", shown: [] }),
    headers: { ...guest.headers, "idempotency-key": key },
  });
  const runs = async (page: Pick<AppPage, "get">, id: string, word: string) =>
    JSON.stringify((await read(page, id)).running ?? []).includes(`so ${word}`); // not yet there
  await until(async () => runs(scene, "http:mine", OWNERS));
  await until(async () => runs(scene, "telegram:501", OWNERS));
  await until(async () => runs(guest, "http:theirs", GUESTS));
  const own = await read(guest, "http:theirs");
  expect(own.running).toMatchObject([{ channel: "http", work_id: key, text: `say ${GUESTS}` }]);
  expect(own.may_send).toBe(true);

  for (const id of ["http:mine", "telegram:501", "terminal:t1", "app:telegram:501:mine"]) {
    const path = `/api/chats/${encodeURIComponent(id)}`;
    const found = await (await guest.get(path)).text();
    expect([id, found.includes(OWNERS)]).toEqual([id, false]);
    expect((await guest.get(`${path}/files/file_1`)).status).toBe(403);
    expect((await owner.get(`${path}/files/file_1`)).status).toBe(403);
    expect(
      (await guest.ask(`/api/files?conversation=${id}&name=a`, { method: "POST" })).status,
    ).toBe(403);
  }
  for (const conversation of ["telegram:501", "telegram:502", "terminal:t1"]) {
    for (const more of [{}, { shown: [] }, { files: ["up_1"] }]) {
      const body = { message: "yes", conversation, ...more };
      for (const app of [guest, owner]) expect((await say(app, body)).status).toBe(404);
    }
  }
  for (const app of [guest, owner]) {
    const press = { act: "show_output", ref: "x", conversation: "telegram:501" };
    expect((await app.post("/api/press", press)).status).toBe(404);
    const withFile = { message: "look", session_id: "theirs", files: ["up_1"] };
    expect((await say(app, withFile)).status).toBe(403);
  }
  const maySend = (chats: { id: string; may_send: boolean }[]) =>
    Object.fromEntries(chats.map((each) => [each.id, each.may_send]));
  going.resolve();
  expect(await (await mine).text()).toContain(OWNERS);
  const answer = await (await theirs).text();
  expect(answer).toContain(GUESTS);
  expect(answer).not.toContain(OWNERS);
  await scene.phone.waitForText(/more of it/);

  // What the owner said is over: had anything been told of it, it was told before this.
  await (await say(guest, { message: `say ${GUESTS}`, session_id: "last" })).text();
  await until(() => hers.join().includes("http:last"));
  await until(() => owners.join().includes("http:mine") && owners.join().includes("telegram:501"));
  expect(namesIn(hers)).toEqual(new Set(["http:theirs", "http:last"]));
  expect(namesIn(owners)).toEqual(new Set(["http:mine", "telegram:501"]));
  expect(hers.join()).not.toContain(OWNERS);
  expect(owners.join()).not.toContain(GUESTS);
  const all = JSON.parse(await (await owner.get("/api/chats")).text()).chats;
  expect(maySend(all)).toEqual({ "http:mine": true, "telegram:501": false });
  const atHand = JSON.parse(await (await scene.get("/api/chats")).text()).chats;
  expect(maySend(atHand)).toEqual({ "http:mine": true, "telegram:501": true });
  const list = await (await guest.get("/api/chats")).text();
  expect(list).not.toContain(OWNERS);
  expect(scene.bot.texts(OWNER).join()).not.toContain(GUESTS);
});
