import { expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { dirname } from "node:path";
import { openApp, openAppScene } from "./app-scene.ts";
import { OWNER } from "./console-scene.ts";

const GUEST = 502;

test("where things lie on the machine is told to its owner alone, by every channel", async () => {
  await using scene = await openAppScene();
  const root = dirname(scene.folder);
  const [owner, guest] = [await openApp(scene, OWNER), await openApp(scene, GUEST)];
  renameSync(scene.folder, `${scene.folder}.x`);

  const ask = { message: "plan: say why", session_id: "mine" };
  expect(await (await owner.post("/api/chat", ask)).text()).toContain(root);
  expect(await (await scene.post("/api/chat", ask)).text()).toContain(root);
  const told = await (await guest.post("/api/chat", ask)).text();
  expect(told).toContain("notes");
  expect(told).not.toContain(root);
  // Nor is it kept of what was shown.
  const listed = await (await guest.get("/api/chats")).text();
  const [, id = ""] = /"id":"(http:[^"]+)"/u.exec(listed) ?? [];
  const kept = await (await guest.get(`/api/chats/${encodeURIComponent(id)}`)).text();
  expect(kept).toContain("notes");
  expect(kept).not.toContain(root);

  await scene.phone.say("plan: say why", root);
  await scene.guest.say("plan: say why", "notes");
  const texts = scene.bot.sent(GUEST).map(({ text }) => text);
  expect(texts.join("\n")).not.toContain(root);
});
