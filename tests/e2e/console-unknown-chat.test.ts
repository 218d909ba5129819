import { expect, test } from "bun:test";
import { until } from "../support/patience.ts";
import { openConsoleScene } from "./console-scene.ts";

const pathOf = (id: string) => `/api/chats/${encodeURIComponent(id)}`;

test("a conversation is there as soon as something is said in it, and none is before", async () => {
  const going = Promise.withResolvers<void>();
  await using scene = await openConsoleScene("", () => ({
    kind: "text",
    text: "Well then.",
    pace: () => going.promise,
  }));
  const { get, post, phone } = scene;
  const statusOf = async (id: string) => (await get(pathOf(id))).status;
  const nobodys = [
    "http:never",
    "http:",
    "http:../../x",
    "terminal:none",
    "app:telegram:502:x",
    "",
  ];
  for (const id of nobodys) expect([id, await statusOf(id)]).toEqual([id, 404]);
  // Where the phone's owner has said nothing yet something can be said.
  expect(await statusOf("telegram:501")).toBe(200);
  const asking = post("/api/chat", { session_id: "mine", message: "hello" });
  await until(async () => (await statusOf("http:mine")) === 200);
  going.resolve();
  await (await asking).text();
  await phone.say("hello", "Well then.");
  // A command keeps what it set, and no word.
  await (await post("/api/chat", { session_id: "set", message: "/use notes" })).text();
  const { chats } = JSON.parse(await (await get("/api/chats")).text());
  const listed: readonly string[] = chats.map(({ id }: { readonly id: string }) => id);
  expect(listed).toEqual(expect.arrayContaining(["http:mine", "telegram:501"]));
  for (const id of listed) expect([id, await statusOf(id)]).toEqual([id, 200]);
  expect(await statusOf("http:never")).toBe(404);
});
