import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { until } from "../support/patience.ts";
import { readTree } from "../support/tree.ts";
import { type ConsoleScene, eventsOf, openConsoleScene } from "./console-scene.ts";

const setMode = ({ folder }: ConsoleScene, from: string, to: string) => {
  const path = join(dirname(folder), "config.toml");
  writeFileSync(path, readFileSync(path, "utf8").replace(`"${from}"`, `"${to}"`));
};

async function first({ inbox }: ConsoleScene) {
  const [item] = (await inbox()).items;
  if (!item) throw new Error("nothing is in the inbox");
  return item;
}

const actsOf = async (scene: ConsoleScene) => (await first(scene)).actions.map(({ act }) => act);

test("while papa-yu may only read nothing is offered that it would refuse, and the reason is named", async () => {
  await using scene = await openConsoleScene('[security]\nautonomy = "readonly"\n');
  const { phone, get, folder } = scene;
  await phone.say("plan: write down why", "Write docs/why.md");
  expect(await first(scene)).toMatchObject({ kind: "plan", locked: "readonly" });
  expect(await actsOf(scene)).toEqual(["change", "drop"]);
  // Who follows the inbox is told as soon as it may.
  const { seq } = await scene.inbox();
  const following = eventsOf(await get(`/api/events?after=${seq}`));
  setMode(scene, "readonly", "supervised");
  for await (const { item } of following) {
    if (item?.actions.some(({ act }) => act === "apply")) break;
  }
  expect(await first(scene)).not.toHaveProperty("locked");
  await phone.say("ok", "Changes for notes"); // the plan came without a button
  const { ref } = await first(scene);
  expect(await actsOf(scene)).toEqual(["approve", "reject", "try_another"]);
  setMode(scene, "supervised", "readonly");
  await until(async () => (await actsOf(scene)).join() === "reject");
  expect(await first(scene)).toMatchObject({ kind: "change_set", locked: "readonly" });
  expect(await scene.review(ref)).toMatchObject({
    locked: "readonly",
    actions: [{ act: "reject" }],
  });
  expect(Object.keys(readTree(folder))).toEqual(["a.txt"]);
  setMode(scene, "readonly", "supervised");
  await until(async () => (await actsOf(scene)).includes("approve"));
  await phone.tap("Approve", /Applied/u);
  const takeBack = async () => JSON.parse(await (await get("/api/workspaces/notes/undo")).text());
  expect(await takeBack()).toMatchObject({ actions: [{ act: "undo" }] });
  setMode(scene, "supervised", "readonly");
  await until(async () => (await takeBack()).locked === "readonly");
  expect(await takeBack()).toMatchObject({ actions: [] });
  expect(await scene.review(ref)).toMatchObject({ locked: "readonly", outcome: { actions: [] } });
});

test("a plan whose changes were rejected is told as that, and leads back to them", async () => {
  await using scene = await openConsoleScene();
  const { phone } = scene;
  await phone.say("plan: write down why", "Write docs/why.md");
  expect(await first(scene)).not.toHaveProperty("rejected");
  await phone.tap("Apply", "Changes for notes");
  await phone.tap("Reject", /Rejected/u);
  const item = await first(scene);
  expect(item).toMatchObject({ kind: "plan", rejected: true });
  expect(item.actions.map(({ label }) => label)).toEqual([
    "Show its changes again",
    "Change…",
    "Drop",
  ]);
  const { act, ref } = item.actions[0] ?? { act: "", ref: "" };
  const body = { act, ref, session_id: item.session_id };
  await (await scene.post("/api/press", body)).text();
  expect(await first(scene)).toMatchObject({ kind: "change_set", title: "write down why" });
});
