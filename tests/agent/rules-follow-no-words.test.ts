import { expect, test } from "bun:test";
import { EN } from "../../src/texts/en.ts";
import { ANNA, GOAL, openScene } from "./scene.ts";

const { noModel } = EN.refusals.comment;

test("built-in rules take no comment on a change set, which stays as it was", async () => {
  using scene = await openScene();
  const { planId } = (await scene.say(GOAL)).last("plan");
  const { approvalId, preview } = (await scene.press("apply", planId)).last("approval");
  const path = preview.changes[0]?.path ?? "";
  const revision = { comments: [{ path, text: "say more" }, { text: "and less" }] };
  const refused = await scene.press("revise", approvalId, ANNA, revision);
  expect(refused.last("error").message).toBe(noModel);
  expect((await scene.say("yes")).kinds).toContain("outcome");
});

test("built-in rules take no words for [Change…] of a plan, which stays as it was", async () => {
  using scene = await openScene();
  const { planId } = (await scene.say(GOAL)).last("plan");
  await scene.press("change", planId);
  expect((await scene.say("say more")).last("error").message).toBe(noModel);
  expect((await scene.press("apply", planId)).kinds).toContain("approval");
});
