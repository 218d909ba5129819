import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buttonsOf } from "../../src/channels/event-buttons.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { writeTree } from "../support/tree.ts";
import {
  ANNA,
  ANNA_ELSEWHERE,
  BORIS,
  collectReply,
  openScene,
  type Scene,
  WRITER,
} from "./scene.ts";

const HOUR_MS = 3600_000;
const FAILING = '[["sh", "-c", "echo two is missing; exit 1"]]';

/** A scene with a plan, and the goals that its author was given. */
async function openPlanned(check = "false") {
  const goals: string[] = [];
  const author: typeof WRITER = {
    ...WRITER,
    answer(question) {
      goals.push(question.goal);
      return WRITER.answer(question);
    },
  };
  const scene = await openScene({ author, check });
  const planId = (await scene.say("plan: b.txt: hello")).last("plan").planId;
  return { scene, planId, goals };
}

async function applyFailing(scene: Scene, planId: string): Promise<string> {
  const { approvalId } = (await scene.press("apply", planId)).last("approval");
  const { outcome } = (await scene.press("approve", approvalId)).last("outcome");
  expect(outcome.status).toBe("rolled_back");
  return outcome.txId ?? "";
}

test("[Change…] makes the next message a revision request, planned with the goal", async () => {
  const { scene, planId, goals } = await openPlanned();
  using _ = scene;
  expect((await scene.press("change", planId)).text).toContain("What should be different?");
  const changed = await scene.say("in capital letters, please");
  expect(changed.last("plan").planId).not.toBe(planId);
  expect(goals.at(-1)).toStartWith("b.txt: hello\n\n");
  expect(goals.at(-1)).toEndWith("in capital letters, please");
});

test("[Change…] takes the same request from a message that is redelivered after a crash", async () => {
  const { scene, planId, goals } = await openPlanned();
  using _ = scene;
  await scene.press("change", planId);
  const origin = { messageId: "m1", receivedAt: Date.now() };
  for (let time = 1; time <= 2; time++) {
    const revision = "in capital letters, please";
    const reply = await collectReply((emit) =>
      scene.conversation.message(ANNA, revision, emit, origin),
    );
    expect(reply.last("plan").planId).not.toBe(planId);
    expect(goals[time]).toEndWith(revision);
  }
  await scene.say("plan: c.txt: other");
  expect(goals.at(-1)).toBe("c.txt: other");
});

test("[Change…] leaves the plan as it is for a yes, which ends the waiting", async () => {
  const { scene, planId, goals } = await openPlanned();
  using _ = scene;
  await scene.press("change", planId);
  expect((await scene.say("ok")).kinds).toContain("approval");
  await scene.say("plan: c.txt: other");
  expect(goals.at(-1)).toBe("c.txt: other");
});

test("[Change…] accepts only who pressed it, within the hour, and about the same plan", async () => {
  const { scene, planId, goals } = await openPlanned();
  using _ = scene;
  const stranger = await scene.press("change", planId, BORIS);
  expect(stranger.last("error").code).toBe("APPROVAL_INVALID");
  await scene.press("change", planId);
  await scene.say("/status", BORIS);
  scene.wait(HOUR_MS);
  await scene.say("plan: c.txt: late");
  expect(goals.at(-1)).toBe("c.txt: late");
  const next = (await scene.say("plan: d.txt: next")).last("plan").planId;
  await scene.press("change", next);
  await scene.press("drop", next);
  await scene.say("plan: e.txt: after");
  expect(goals.at(-1)).toBe("e.txt: after");
});

test("[Show output] and [Plan a fix] give what the failed check printed", async () => {
  const { scene, planId, goals } = await openPlanned(FAILING);
  using _ = scene;
  const txId = await applyFailing(scene, planId);
  expect((await scene.press("show_output", txId)).text).toMatch(/```[^]*two is missing[^]*```/u);
  const fixed = await scene.press("plan_fix", txId);
  expect(fixed.last("plan").planId).not.toBe(planId);
  expect(goals.at(-1)).toStartWith("b.txt: hello\n\n");
  expect(goals.at(-1)).toContain("two is missing");
});

test("[Show output] and [Plan a fix] are for who applied it", async () => {
  const { scene, planId } = await openPlanned(FAILING);
  using _ = scene;
  const txId = await applyFailing(scene, planId);
  for (const act of ["show_output", "plan_fix"] as const) {
    expect((await scene.press(act, txId, BORIS)).last("error").code).toBe("APPROVAL_INVALID");
    expect((await scene.press(act, "tx_1", ANNA_ELSEWHERE)).last("error").code).toBe(
      "APPROVAL_INVALID",
    );
  }
});

test("[Show output] says that the output is gone when other checks have run since", async () => {
  const { scene, planId } = await openPlanned(FAILING);
  using _ = scene;
  const first = await applyFailing(scene, planId);
  const next = (await scene.press("plan_fix", first)).last("plan").planId;
  await applyFailing(scene, next);
  const gone = (await scene.press("show_output", first)).last("error");
  expect(gone.message).toBe("Other checks have run since; this output is gone");
});

test("[Plan again] is offered where files changed since the plan, and plans the goal for them", async () => {
  for (const edit of ["before the change set", "before the yes"] as const) {
    const { scene, goals } = await openPlanned();
    using _ = scene;
    const { planId } = (await scene.say("plan: a.txt: new")).last("plan");
    const mine = () => writeTree(scene.folder, { "a.txt": "one\ntwo\nthree\n" });
    if (edit === "before the change set") mine();
    let reply = await scene.press("apply", planId);
    if (edit === "before the yes") {
      mine();
      reply = await scene.press("approve", reply.last("approval").approvalId);
    }
    const { outcome } = reply.last("outcome");
    expect(outcome).toMatchObject({
      status: "rejected",
      errorCode: "ERR_BASE_MISMATCH",
      planAgain: { planId, goal: "a.txt: new" },
    });
    expect(buttonsOf({ kind: "outcome", outcome }, textsIn("en").buttons)).toEqual([
      { label: "Plan again", press: { act: "plan_again", ref: planId } },
    ]);
    expect((await scene.press("plan_again", planId, BORIS)).last("error").code).toBe(
      "APPROVAL_INVALID",
    );
    const next = (await scene.press("plan_again", planId)).last("plan").planId;
    expect(goals.at(-1)).toBe("a.txt: new");
    const shown = (await scene.press("apply", next)).last("approval");
    expect((await scene.press("approve", shown.approvalId)).last("outcome").outcome.ok).toBe(true);
    expect(readFileSync(join(scene.folder, "a.txt"), "utf8")).toBe("new\ntwo\nthree\n");
    expect((await scene.press("plan_again", planId)).last("error").code).toBe("APPROVAL_INVALID");
  }
});

test("[Plan again] is offered where a file that was to be made is there since", async () => {
  const { scene, planId } = await openPlanned();
  using _ = scene;
  writeTree(scene.folder, { "b.txt": "mine\n" });
  const { outcome } = (await scene.press("apply", planId)).last("outcome");
  expect(outcome).toMatchObject({ status: "rejected", errorCode: "ERR_CREATE_EXISTS" });
  const next = (await scene.press("plan_again", planId)).last("plan").planId;
  expect(next).not.toBe(planId);
  expect(readFileSync(join(scene.folder, "b.txt"), "utf8")).toBe("mine\n");
});
