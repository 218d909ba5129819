import { describe, expect, test } from "bun:test";
import { buttonsOf } from "../../src/channels/event-buttons.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { ASKED_HOST, FETCHING_NPM, layFetchingNpm } from "../support/fetching-npm.ts";
import { hasOverlay } from "../support/overlay.ts";
import { BORIS, openScene, WRITER } from "./scene.ts";

/** A change set that is asked about, in a folder whose check is this script. */
async function ask(script: string) {
  const check = JSON.stringify([["sh", "-c", script]]);
  const env = { PATH: process.env["PATH"] ?? "" };
  const scene = await openScene({ author: WRITER, check, env });
  const { planId } = (await scene.say("plan: b.txt: new")).last("plan");
  const event = (await scene.press("apply", planId)).last("approval");
  return { scene, event, planId };
}

const actsOf = (event: Parameters<typeof buttonsOf>[0]) =>
  buttonsOf(event, textsIn("en").buttons).map(({ press }) => press.act);

describe.if(hasOverlay)("[Keep them]", () => {
  test("makes what the checks changed a part of it, under another question", async () => {
    const { scene, event } = await ask("echo 1 >made.gen");
    await using _scene = scene;
    expect(actsOf(event)).toEqual(["approve", "keep", "reject"]);
    const kept = await scene.press("keep", event.approvalId);
    const again = kept.last("approval");
    expect(again.approvalId).not.toBe(event.approvalId);
    expect(again.preview.changes.map(({ path }) => path)).toEqual(["b.txt", "made.gen"]);
    expect(again.preview.diff).toContain("+++ b/made.gen");
    expect(actsOf(again)).toEqual(["approve", "reject"]);
    expect(scene.tree()).not.toHaveProperty("b.txt");
    const late = await scene.press("approve", event.approvalId);
    expect(late.kinds).toEqual(["error", "done"]);
    const done = await scene.press("approve", again.approvalId);
    expect(done.last("outcome").outcome).toMatchObject({ status: "committed" });
    expect(scene.tree()).toHaveProperty(["made.gen"]);
  });

  test("is only there for files that a change set can hold, below checks that passed", async () => {
    const { scene, event } = await ask("mkdir -p left; ln -s a.txt link");
    await using _scene = scene;
    expect(actsOf(event)).toEqual(["approve", "reject"]);
    const failing = await ask("echo 1 >made.gen; exit 1");
    await using _other = failing.scene;
    expect(actsOf(failing.event)).not.toContain("keep");
  });

  test("counts for who was asked, and twice as once", async () => {
    const { scene, event } = await ask("echo 1 >made.gen");
    await using _scene = scene;
    expect((await scene.press("keep", event.approvalId, BORIS)).kinds).toEqual(["error", "done"]);
    const heard = await Promise.all([1, 2].map(() => scene.press("keep", event.approvalId)));
    const refused = heard.filter(({ kinds }) => kinds.includes("error"));
    expect(refused).toHaveLength(1);
    expect(scene.tree()).not.toHaveProperty("b.txt");
    await scene.press("reject", event.approvalId);
    expect((await scene.press("keep", event.approvalId)).kinds).toEqual(["error", "done"]);
  });
});

describe.if(hasOverlay)("[Let it reach them]", () => {
  test("lets what makes lock files reach what it asked for, and asks about what came of it", async () => {
    const check = `[["true"]]\ngenerate = [${JSON.stringify(FETCHING_NPM)}]`;
    const env = { PATH: process.env["PATH"] ?? "" };
    await using scene = await openScene({ author: WRITER, check, env });
    layFetchingNpm(scene.folder);
    const { planId } = (await scene.say("plan: package.json: {}")).last("plan");
    const event = (await scene.press("apply", planId)).last("approval");
    expect(event.preview.generation).toMatchObject({ kind: "failed", hosts: [ASKED_HOST] });
    expect(actsOf(event)).toEqual(["approve", "reach", "reject"]);
    expect((await scene.press("reach", event.approvalId, BORIS)).kinds).toEqual(["error", "done"]);
    const again = (await scene.press("reach", event.approvalId)).last("approval");
    expect(again.preview.diff).toContain("+++ b/package-lock.json");
    expect(again.preview.notes).toContainEqual({ kind: "reached", facts: { hosts: [ASKED_HOST] } });
    expect(actsOf(again)).toEqual(["approve", "reject"]);
    expect((await scene.press("approve", event.approvalId)).kinds).toEqual(["error", "done"]);
    expect((await scene.press("reach", event.approvalId)).kinds).toEqual(["error", "done"]);
    const done = await scene.press("approve", again.approvalId);
    expect(done.last("outcome").outcome).toMatchObject({ status: "committed" });
    expect(scene.tree()).toHaveProperty(["package-lock.json"]);
  });

  test("opens what its question named, whatever was asked for since", async () => {
    const check = `[["true"]]\ngenerate = [${JSON.stringify(FETCHING_NPM)}]`;
    const env = { PATH: process.env["PATH"] ?? "" };
    await using scene = await openScene({ author: WRITER, check, env });
    layFetchingNpm(scene.folder);
    const { planId } = (await scene.say("plan: package.json: {}")).last("plan");
    const first = (await scene.press("apply", planId)).last("approval");
    layFetchingNpm(scene.folder, "evil.example.org");
    const second = (await scene.press("apply", planId)).last("approval");
    expect(second.preview.generation).toMatchObject({ hosts: ["evil.example.org"] });
    expect(second.approvalId).not.toBe(first.approvalId);
    expect((await scene.press("reach", first.approvalId)).kinds).toEqual(["error", "done"]);
    layFetchingNpm(scene.folder);
    await scene.app.current.agent.plans.operations.preview(planId, new AbortController().signal);
    const opened = (await scene.press("reach", second.approvalId)).last("approval");
    const reached = { kind: "reached", facts: { hosts: ["evil.example.org"] } } as const;
    expect(opened.preview.notes).toContainEqual(reached);
  });

  test("is not there where it asked for none", async () => {
    const check = '[["true"]]\ngenerate = [["false"]]';
    const env = { PATH: process.env["PATH"] ?? "" };
    await using scene = await openScene({ author: WRITER, check, env });
    const { planId } = (await scene.say("plan: package.json: {}")).last("plan");
    const event = (await scene.press("apply", planId)).last("approval");
    expect(event.preview.generation?.kind).toBe("failed");
    expect(actsOf(event)).toEqual(["approve", "reject"]);
  });
});
