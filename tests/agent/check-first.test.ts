import { describe, expect, test } from "bun:test";
import { hasOverlay } from "../support/overlay.ts";
import { BORIS, openScene, WRITER } from "./scene.ts";

const project = (script: string) => ({
  "a.txt": "one\ntwo\n",
  "package.json": JSON.stringify({ packageManager: "bun@1.4.5", scripts: { test: script } }),
});

/** A folder with a check that nobody has seen, and a change set that is asked about there. */
async function ask(script: string) {
  const scene = await openScene({
    author: WRITER,
    check: "[]",
    files: project(script),
    env: { PATH: process.env["PATH"] ?? "" },
  });
  const { planId } = (await scene.say("plan: b.txt: new")).last("plan");
  const { approvalId, preview } = (await scene.press("apply", planId)).last("approval");
  return { scene, approvalId, preview };
}

describe.if(hasOverlay)("[Check first]", () => {
  test("runs what was found, and asks again with what it came to", async () => {
    const { scene, approvalId, preview } = await ask("test -e b.txt");
    await using _scene = scene;
    expect(preview).toMatchObject({ unseen: "before", checks: [{ command: "bun run test" }] });
    const checked = await scene.press("check_first", approvalId);
    expect(checked.kinds).toContain("progress");
    const again = checked.last("approval");
    expect(again).toMatchObject({ approvalId, preview: { checked: { check: { ok: true } } } });
    expect(scene.tree()).not.toHaveProperty("b.txt");
    const done = await scene.press("approve", approvalId);
    expect(done.last("outcome").outcome).toMatchObject({ status: "committed" });
    expect(done.kinds).not.toContain("progress"); // nothing ran again
  });

  test("of a check that fails says so, with a way to plan a fix", async () => {
    const { scene, approvalId } = await ask("test ! -e b.txt");
    await using _scene = scene;
    const { outcome } = (await scene.press("check_first", approvalId)).last("outcome");
    expect(outcome).toMatchObject({ status: "rolled_back", touched: false });
    expect(scene.tree()).not.toHaveProperty("b.txt");
    const fixed = await scene.press("plan_fix", outcome.checkRef ?? "");
    expect(fixed.kinds).toContain("plan");
  });

  test("of a check that fails without the change as well leaves a way to plan a fix", async () => {
    const { scene, approvalId } = await ask("echo broken; exit 1");
    await using _scene = scene;
    const { preview } = (await scene.press("check_first", approvalId)).last("approval");
    const ref = preview.checkRef ?? "";
    expect((await scene.press("show_output", ref)).text).toContain("broken");
    expect((await scene.press("plan_fix", ref, BORIS)).kinds).toEqual(["error", "done"]);
    expect((await scene.press("plan_fix", ref)).kinds).toContain("plan");
  });

  test("counts for who was asked, and only while they are", async () => {
    const { scene, approvalId } = await ask("true");
    await using _scene = scene;
    expect((await scene.press("check_first", approvalId, BORIS)).kinds).toEqual(["error", "done"]);
    await scene.press("reject", approvalId);
    const late = await scene.press("check_first", approvalId);
    expect(late.kinds).toEqual(["error", "done"]);
    const { planId } = (await scene.say("plan: b.txt: new")).last("plan");
    // Neither press counted, so nobody has seen the list.
    const asked = (await scene.press("apply", planId)).last("approval");
    expect(asked.preview.unseen).toBe("before");
  });

  test("is no answer that applies anything, at whatever level", async () => {
    const { scene, approvalId } = await ask("true");
    await using _scene = scene;
    await Promise.all([
      scene.press("check_first", approvalId),
      scene.press("check_first", approvalId),
    ]);
    expect(scene.tree()).not.toHaveProperty("b.txt");
  });
});
