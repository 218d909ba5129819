import { expect, test } from "bun:test";
import { SAID_BOUNDS } from "../../src/core/guards.ts";
import { openConsoleScene } from "./console-scene.ts";

test("what is kept of comments can be sent: the first that is too many or too long is refused", async () => {
  await using scene = await openConsoleScene();
  await scene.phone.say("plan: write down why", "Write docs/why.md");
  await scene.phone.tap("Apply", "Changes for notes");
  const [item] = (await scene.inbox()).items;
  const ref = item?.ref ?? "";
  const say = (text: string, path?: string) =>
    scene.post(`/api/change-sets/${ref}/draft`, { ...(path !== undefined && { path }), text });
  const half = "x".repeat(SAID_BOUNDS.charsOfAll / 2);
  expect((await say(half)).status).toBe(200);
  expect((await say(half, "docs/why.md")).status).toBe(200);
  const long = await say("x", "docs");
  expect([long.status, await long.text()]).toEqual([
    409,
    expect.stringContaining("at most 50 comments can be sent of one change set"),
  ]);
  const { drafts } = JSON.parse(await (await scene.get(`/api/change-sets/${ref}`)).text());
  const pressed = { act: "revise", ref, digest: item?.digest, session_id: "telegram:501" };
  const answer = await scene.post("/api/press", { ...pressed, comments: drafts });
  expect(answer.status).toBe(200);
  await answer.text();
});
