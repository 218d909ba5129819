import { expect, test } from "bun:test";
import {
  type BrowserSession,
  createSessions,
  labelOf,
} from "../../../../../src/channels/http/console/sessions/sessions.ts";
import { createSettings } from "../../../../../src/store/settings/settings.ts";
import { memoryStore } from "../../../../support/fresh-store.ts";

const DAY_MS = 24 * 3_600_000;

function openAccess() {
  const store = memoryStore();
  const world = { now: 1_000_000 };
  const settings = createSettings(store, () => world.now);
  const signedIn: BrowserSession[] = [];
  const make = () =>
    createSessions({
      settings,
      app: { botToken: () => undefined, roleOf: () => undefined },
      now: () => world.now,
      locate: () => ({ origin: "http://papayu-abcdefgh.localhost:1" }),
      onSignIn: (session) => void signedIn.push(session),
    });
  const access = make();
  const invite = (plain = false) => {
    const { url } = access.door({ act: "open", plain });
    return String(url).split("#login=")[1] ?? "";
  };
  const login = async (code: string, isPlain = false, shown = NOTHING) => {
    const response = access.login(JSON.stringify({ code }), null, { ...shown, isPlain });
    const { secret = "" } = {
      secret: "",
      ...JSON.parse(response.ok ? await response.text() : "{}"),
    };
    const [, cookie = ""] =
      /papayu_session=([^;]+)/u.exec(response.headers.get("set-cookie") ?? "") ?? [];
    return { status: response.status, secret: String(secret), cookies: [cookie], isPlain };
  };
  return { store, world, access, make, signedIn, invite, login, settings };
}

test("a code is good for a minute", async () => {
  const { invite, login, world } = openAccess();
  const [early, late] = [invite(), invite()];
  world.now += 59_999;
  expect((await login(early)).status).toBe(200);
  world.now += 1;
  expect((await login(late)).status).toBe(401);
});

test("a code is good once, however many browsers bring it at once", async () => {
  const { invite, login, signedIn } = openAccess();
  const code = invite();
  const all = await Promise.all(Array.from({ length: 50 }, () => login(code)));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(signedIn).toHaveLength(1);
});

test("four wrong codes leave those that wait, the fifth voids them", async () => {
  const { invite, login } = openAccess();
  const first = invite();
  for (let n = 0; n < 4; n++) await login("wrong");
  expect((await login(first)).status).toBe(200);
  const second = invite();
  for (let n = 0; n < 5; n++) await login("wrong");
  expect((await login(second)).status).toBe(401);
});

test("a session lasts 30 days, also over a restart, and no longer", async () => {
  const { invite, login, world, make } = openAccess();
  const proof = await login(invite());
  world.now += 30 * DAY_MS - 1;
  const after = make(); // of the next start
  expect(after.find(proof)?.browser).toBe("?");
  world.now += 1;
  expect(after.find(proof)).toBeUndefined();
  expect(after.list()).toEqual([]);
});

test("the secrets of two sessions are not exchanged, nor those of one", async () => {
  const { invite, login, access } = openAccess();
  const [one, other] = [await login(invite()), await login(invite())];
  expect(access.find({ ...one, cookies: other.cookies })).toBeUndefined();
  const [cookie = ""] = one.cookies;
  expect(access.find({ ...one, secret: cookie })).toBeUndefined();
  expect(access.find({ ...one, cookies: [one.secret] })).toBeUndefined();
  expect(access.find({ ...one, isPlain: true, cookies: [] })).toBeUndefined();
  expect(access.find({ ...one, cookies: ["x", cookie] })).toBeDefined();
  for (const secret of ["", ".", "x", `${one.secret}.`, one.secret.slice(0, -1), "__proto__.x"]) {
    expect(access.find({ ...one, secret })).toBeUndefined();
  }
});

test("the oldest of fifty browsers goes for one more", async () => {
  const { invite, login, access, world } = openAccess();
  const first = await login(invite());
  for (let n = 0; n < 50; n++) {
    world.now += 1;
    await login(invite());
  }
  expect(access.list()).toHaveLength(50);
  expect(access.find(first)).toBeUndefined();
});

test("labelOf() is drawn once for a home, and anew where somebody wrote another text", () => {
  const { settings } = openAccess();
  const label = labelOf(settings);
  expect(label).toMatch(/^papayu-[a-z]{8}$/u);
  expect(labelOf(settings)).toBe(label);
  settings.of("console.label").set("", "evil.example#");
  expect(labelOf(settings)).toMatch(/^papayu-[a-z]{8}$/u);
});

test("login() takes nothing but a text for a code", () => {
  const { access } = openAccess();
  for (const body of ["", "null", "7", "[]", "{}", '{"code":7}', '{"code":null}', "{"]) {
    expect(access.login(body, null, { ...NOTHING, isPlain: false }).status).toBe(400);
  }
});

/** What a page shows that was never let in. */
const NOTHING = { secret: "", cookies: [] as readonly string[] };

test("a browser that is let in again leaves one session, whatever it shows of the one before", async () => {
  const { access, invite, login } = openAccess();
  const first = await login(invite());
  const other = await login(invite());
  expect(access.list()).toHaveLength(2);
  // The cookie or the secret alone, or those of two sessions, are nobody's.
  for (const shown of [
    { ...first, cookies: [] },
    { ...first, secret: "" },
    { ...first, cookies: other.cookies },
  ]) {
    expect((await login("wrong", false, first)).status).toBe(401);
    const before = access.list().length;
    const made = await login(invite(), false, shown);
    expect(access.list()).toHaveLength(before + 1);
    access.revoke(made.secret.split(".")[0] ?? "");
  }
  expect(access.find(first)).toBeDefined();
  await login(invite(), false, first);
  expect(access.find(first)).toBeUndefined();
  expect(access.find(other)).toBeDefined();
  expect(access.list()).toHaveLength(2);
});
