import { expect, test } from "bun:test";
import { enter, openAppScene, PUBLIC, passOn, sign } from "./app-scene.ts";
import { OWNER } from "./console-scene.ts";

const GUEST = 502;

test("the owner comes in by what Telegram signed, once; nobody else does", async () => {
  await using scene = await openAppScene();
  const { token } = scene.bot;
  for (const [initData, status] of [
    [sign(token, 999), 403],
    [sign("1:another", OWNER), 401],
    [sign(token, OWNER, Date.now() - 301_000), 401],
    [sign(token, OWNER, Date.now() + 60_000), 401],
    [sign(token, OWNER).replace("501", "502"), 401],
    ["", 401],
  ] as const) {
    expect((await enter(scene, initData)).status).toBe(status);
  }
  const initData = sign(token, OWNER);
  const { bearer } = { bearer: "", ...Object(await (await enter(scene, initData)).json()) };
  const headers = { authorization: `Bearer ${String(bearer)}` };
  const get = async (path: string, own: Record<string, string> = headers) =>
    (await passOn(scene, path, { headers: own })).status;
  expect(await get("/api/inbox")).toBe(200);
  expect(await get("/api/inbox", {})).toBe(401);
  expect(await get("/api/inbox", scene.bearer)).toBe(401);
  expect(await get("/api/status", scene.bearer)).toBe(403);
  expect(await get("/metrics")).toBe(403);
  expect(await get("/")).toBe(403);
  expect((await scene.get("/api/inbox", headers)).status).toBe(401);
  const forwarded = { ...scene.bearer, "x-forwarded-for": "203.0.113.7" };
  expect((await scene.get("/healthz", forwarded)).status).toBe(403);
  // What opens a gate wants somebody at the machine.
  const pair = await passOn(scene, "/api/people", {
    method: "POST",
    headers: { ...headers, origin: PUBLIC },
    body: JSON.stringify({ act: "pair", code: "A" }),
  });
  expect(pair.status).toBe(403);
  const stream = await passOn(scene, "/api/events", { headers });
  expect((await enter(scene, initData)).status).toBe(401);
  await stream.text(); // ends with its session
  expect(await get("/api/inbox")).toBe(401);
});

test("only the entry may be framed, by Telegram alone", async () => {
  await using scene = await openAppScene();
  const policyOf = async (response: Response) => {
    await response.text();
    return response.headers.get("content-security-policy") ?? "";
  };
  expect(await policyOf(await passOn(scene, "/app"))).toContain(
    "frame-ancestors https://web.telegram.org;",
  );
  expect((await scene.get("/app")).status).toBe(403);
});

test("/web gives a button in private chats, and in groups says where it is", async () => {
  await using scene = await openAppScene();
  const { bot, phone, guest } = scene;
  await phone.say("/web", "papayu open");
  await guest.say("/web", "what we talk about, as a page");
  const group = { id: -100, type: "supergroup", title: "Team" };
  for (const person of [OWNER, GUEST]) bot.say(person, `/web@${bot.username}`, { chat: group });
  await bot.waitFor(() => bot.texts(-100).length === 2);
  for (const text of bot.texts(-100)) {
    expect(text).toContain("papayu open");
    expect(text).toContain("from our private chat: say /web there");
  }
  const markups = bot.calls.map(({ payload }) => JSON.stringify(payload).replaceAll("\\", ""));
  const withPage = markups.filter((each) => each.includes("web_app"));
  expect(withPage).toHaveLength(2);
  for (const each of withPage) {
    expect(each).toContain(`"web_app":{"url":"${PUBLIC}/app"}`);
    expect(each).not.toContain("callback_data");
    expect(each).not.toContain("-100"); // Telegram refuses a message of a group with such a button
  }
});
