import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { createAppSessions } from "../../../../../src/channels/http/console/sessions/app-sessions.ts";
import { readInitData } from "../../../../../src/channels/http/console/sessions/init-data.ts";
import { createSettings } from "../../../../../src/store/settings/settings.ts";
import { memoryStore } from "../../../../support/fresh-store.ts";

const TOKEN = "123456:abcdefghijklmnopqrstuvwxyz";
const NOW = 1_800_000_000_000;
const USER = JSON.stringify({ id: 7, first_name: "Anna" });

type Fields = Readonly<Record<string, string>>;

/** As Telegram documents it: all fields but the hash, sorted, a line each. */
function sign(fields: Fields, token = TOKEN): string {
  const lines = Object.entries(fields).map(([key, value]) => `${key}=${value}`);
  const key = createHmac("sha256", "WebAppData").update(token).digest();
  const hash = createHmac("sha256", key).update(lines.toSorted().join("\n")).digest("hex");
  return new URLSearchParams({ ...fields, hash }).toString();
}

function fieldsAt(at: number, more: Fields = {}): Fields {
  return {
    auth_date: String(Math.floor(at / 1000)),
    query_id: "AAE",
    signature: "third-party",
    user: USER,
    ...more,
  };
}

test("readInitData() believes what the bot's token signed, unknown fields included", () => {
  const text = sign(fieldsAt(NOW, { start_param: "a b+c&d=e", new_field: "Ж" }));
  expect(readInitData(text, TOKEN, NOW)).toMatchObject({ ok: true, userId: 7, signedAt: NOW });
});

test.each<readonly [string, string, string]>([
  ["malformed", "nothing", ""],
  ["malformed", "no hash", new URLSearchParams(fieldsAt(NOW)).toString()],
  ["malformed", "a hash that is none", `${new URLSearchParams(fieldsAt(NOW)).toString()}&hash=ab`],
  ["malformed", "a field with a line break", sign(fieldsAt(NOW, { start_param: "a\nuser=b" }))],
  ["malformed", "a longer text than any", sign(fieldsAt(NOW, { start_param: "a".repeat(4096) }))],
  ["malformed", "no date", sign({ user: USER })],
  ["malformed", "a date that is none", sign(fieldsAt(NOW, { auth_date: "1e9" }))],
  ["forged", "another bot's", sign(fieldsAt(NOW), "654321:another")],
  ["forged", "another person", sign(fieldsAt(NOW)).replace("%3A7", "%3A8")],
  ["forged", "a field more", `${sign(fieldsAt(NOW))}&start_param=a`],
  ["forged", "a field less", sign(fieldsAt(NOW)).replace("query_id=AAE&", "")],
  ["forged", "another signature", sign(fieldsAt(NOW)).replace("third-party", "other")],
  ["repeated field", "two persons", `${sign(fieldsAt(NOW))}&user=${USER}`],
  ["repeated field", "two hashes", `${sign(fieldsAt(NOW))}&hash=${"0".repeat(64)}`],
  ["too old", "five minutes and a second", sign(fieldsAt(NOW - 301_000))],
  ["from the future", "31 seconds", sign(fieldsAt(NOW + 31_000))],
  ["no person", "no user", sign({ auth_date: String(NOW / 1000) })],
  ["no person", "no id", sign(fieldsAt(NOW, { user: "{}" }))],
  ["no person", "a text for an id", sign(fieldsAt(NOW, { user: '{"id":"7"}' }))],
  ["no person", "a bot", sign(fieldsAt(NOW, { user: '{"id":7,"is_bot":true}' }))],
  ["not private", "a group", sign(fieldsAt(NOW, { chat_type: "supergroup" }))],
  ["not private", "a chat", sign(fieldsAt(NOW, { chat: "{}" }))],
])("readInitData() says %s of %s", (code, _, text) => {
  expect(readInitData(text, TOKEN, NOW)).toMatchObject({ ok: false, code });
});

test("readInitData() takes both ends of its time", () => {
  for (const at of [NOW - 300_000, NOW + 30_000]) {
    expect(readInitData(sign(fieldsAt(at)), TOKEN, NOW).ok).toBe(true);
  }
});

test("readInitData() believes nobody where there is no token", () => {
  expect(readInitData(sign(fieldsAt(NOW), ""), "", NOW)).toMatchObject({ ok: false });
});

test("readInitData() believes no text of which a letter is another", () => {
  const text = sign(fieldsAt(NOW));
  const at = fc.integer({ min: 0, max: text.length - 1 });
  const letter = fc.string({ minLength: 1, maxLength: 1 });
  fc.assert(
    fc.property(at, letter, (place, other) => {
      const changed = text.slice(0, place) + other + text.slice(place + 1);
      const isSame =
        new URLSearchParams(changed).toString() === new URLSearchParams(text).toString();
      expect(readInitData(changed, TOKEN, NOW).ok).toBe(isSame);
    }),
  );
});

test("readInitData() reads any text, and believes any fields that were signed", () => {
  const key = fc.stringMatching(/^x_[a-z]{1,8}$/u);
  const value = fc
    .string({ unit: "grapheme", maxLength: 20 })
    .filter((text) => !/[\r\n\0]/u.test(text));
  fc.assert(
    fc.property(fc.string(), fc.dictionary(key, value, { maxKeys: 5 }), (text, more) => {
      expect(readInitData(text, TOKEN, NOW).ok).toBe(false);
      expect(readInitData(sign(fieldsAt(NOW, more)), TOKEN, NOW).ok).toBe(true);
    }),
  );
});

function openSessions(store = memoryStore()) {
  const world: {
    now: number;
    allowed: Set<number>;
    isOwner: boolean;
    token: string | undefined;
    told: string[];
  } = {
    now: NOW,
    isOwner: true,
    told: [],
    allowed: new Set([7]),
    token: TOKEN,
  };
  const app = {
    botToken: () => world.token,
    roleOf(userId: number) {
      if (userId === 7 && world.isOwner && world.allowed.has(7)) return "owner" as const;
      return world.allowed.has(userId) ? ("other" as const) : undefined;
    },
  };
  const settings = createSettings(store, () => world.now);
  const tell = ({ browser }: { readonly browser: string }) => void world.told.push(browser);
  return { world, sessions: createAppSessions(app, settings, () => world.now, tell), store };
}

const toBody = (initData: string) => JSON.stringify({ init_data: initData });

async function bearerOf(response: Response): Promise<string> {
  const { bearer } = { bearer: undefined, ...Object(await response.json()) };
  return String(bearer);
}

test("what Telegram gave counts once: a second use ends the first session, after a restart too", async () => {
  const { sessions, store } = openSessions();
  const body = toBody(sign(fieldsAt(NOW)));
  const bearer = await bearerOf(sessions.enter(body));
  const session = sessions.find(bearer);
  expect(session?.browser).toBe("Telegram");
  const { id = "" } = session ?? {};
  expect(sessions.isLive(id)).toBe(true);
  expect(sessions.enter(body).status).toBe(401);
  expect(sessions.find(bearer)).toBeUndefined();
  expect(sessions.isLive(id)).toBe(false);
  const restarted = openSessions(store);
  restarted.world.now += 299_000;
  expect(restarted.sessions.enter(body).status).toBe(401);
});

test("who may not any more is out at once, and stays out", async () => {
  const { world, sessions } = openSessions();
  const bearer = await bearerOf(sessions.enter(toBody(sign(fieldsAt(NOW)))));
  const { id = "" } = sessions.find(bearer) ?? {};
  world.allowed.clear();
  expect(sessions.isLive(id)).toBe(false);
  world.allowed.add(7);
  expect(sessions.find(bearer)).toBeUndefined();
});

test("a session ends after twelve hours, and when its page ends it", async () => {
  const { world, sessions } = openSessions();
  const first = await bearerOf(sessions.enter(toBody(sign(fieldsAt(NOW)))));
  const other = await bearerOf(sessions.enter(toBody(sign(fieldsAt(NOW, { query_id: "B" })))));
  expect(sessions.revoke(sessions.find(first)?.id ?? "")).toBe(true);
  expect(sessions.find(first)).toBeUndefined();
  world.now += 12 * 3_600_000 - 1;
  expect(sessions.find(other)).toBeDefined();
  world.now += 1;
  expect(sessions.find(other)).toBeUndefined();
});

test("nobody else comes in: strangers, no bot, no text, ids of browsers", () => {
  const { world, sessions } = openSessions();
  expect(sessions.enter(toBody(sign(fieldsAt(NOW, { user: '{"id":8}' })))).status).toBe(403);
  for (const body of ["", "null", "[]", "{}", '{"init_data":7}']) {
    expect(sessions.enter(body).status).toBe(400);
  }
  expect(sessions.find("")).toBeUndefined();
  expect(sessions.isLive("0123456789abcdef")).toBeUndefined();
  world.token = undefined;
  expect(sessions.enter(toBody(sign(fieldsAt(NOW)))).status).toBe(403);
});

test("with the bot's token goes what it let in", async () => {
  for (const token of ["123456:another", undefined]) {
    const { world, sessions } = openSessions();
    const bearer = await bearerOf(sessions.enter(toBody(sign(fieldsAt(NOW)))));
    expect(sessions.find(bearer)).toBeDefined();
    world.token = token;
    expect(sessions.find(bearer)).toBeUndefined();
    world.token = TOKEN;
    expect(sessions.find(bearer)).toBeUndefined();
  }
});

test("what Telegram gave counts once, in whatever order and spelling it comes", () => {
  const text = sign(fieldsAt(NOW, { start_param: "a b" }));
  const pairs = text.split("&");
  const spelled = [
    pairs.toReversed().join("&"),
    pairs.toSorted().join("&"),
    text.replace("start_param=a+b", "start_param=a%20%62"),
    text.replace("auth_date", "%61uth_date"),
    `?${text}&`,
  ];
  for (const other of spelled) {
    expect(readInitData(other, TOKEN, NOW)).toMatchObject({ ok: true, userId: 7 });
    const { sessions } = openSessions();
    expect(sessions.enter(toBody(text)).status).toBe(200);
    expect(sessions.enter(toBody(other)).status).toBe(401);
  }
});

test.each<readonly [string, (text: string) => string]>([
  ["an upper-case hash", (text) => text.replace(/hash=\w+/u, (part) => part.toUpperCase())],
  ["its hash in capitals", (text) => text.replace(/(?<=hash=)\w+/u, (hash) => hash.toUpperCase())],
  ["an empty hash", (text) => text.replace(/(?<=hash=)\w+/u, "")],
  ["a second, empty hash", (text) => `${text}&hash=`],
  ["a field that hides in another", (text) => text.replace("&query_id=", "%0Aquery_id=")],
  ["a user beside the signed one", (text) => `${text}&user%00=${USER}`],
  ["a user spelled twice", (text) => `%75ser=${USER}&${text}`],
])("readInitData() does not believe %s", (_, change) => {
  expect(readInitData(change(sign(fieldsAt(NOW))), TOKEN, NOW).ok).toBe(false);
});

test("who becomes another is out: what their page shows is not theirs any more", async () => {
  const { world, sessions } = openSessions();
  const bearer = await bearerOf(sessions.enter(toBody(sign(fieldsAt(NOW)))));
  expect(sessions.find(bearer)?.other).toBeUndefined();
  world.isOwner = false;
  expect(sessions.find(bearer)).toBeUndefined();
  const own = await bearerOf(sessions.enter(toBody(sign(fieldsAt(NOW, { query_id: "B" })))));
  expect(sessions.find(own)?.other).toBe("telegram:7");
  world.isOwner = true;
  expect(sessions.find(own)).toBeUndefined();
  expect(world.told).toEqual(["Telegram", "Telegram 7"]);
});

test("nobody sends anybody else out by coming in again and again", async () => {
  const { world, sessions } = openSessions();
  world.allowed.add(8);
  const bearer = await bearerOf(sessions.enter(toBody(sign(fieldsAt(NOW)))));
  const come = (n: number) =>
    sessions.enter(toBody(sign(fieldsAt(NOW, { user: '{"id":8}', query_id: String(n) }))));
  const first = await bearerOf(come(0));
  for (let n = 1; n < 60; n++) expect(come(n).status).toBe(200);
  expect(sessions.find(bearer)).toBeDefined();
  expect(sessions.find(first)).toBeUndefined();
  expect(sessions.list()).toHaveLength(11);
});
