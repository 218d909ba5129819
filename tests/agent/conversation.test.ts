import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createConversation } from "../../src/agent/conversation.ts";
import { renderEvent } from "../../src/channels/render-event.ts";
import { renderEvent as renderMessages } from "../../src/channels/telegram/render/render.ts";
import { textsIn } from "../../src/texts/texts.ts";
import {
  ANNA,
  ANNA_ELSEWHERE,
  BORIS,
  collectReply,
  GOAL,
  openScene,
  type Scene,
  WRITER,
} from "./scene.ts";

/** Plans and asks; the id of the question. */
async function ask(scene: Scene, goal?: string): Promise<string> {
  await scene.say(goal === undefined ? GOAL : `plan: ${goal}`);
  return (await scene.say("ok")).last("approval").approvalId;
}

/** Plans, asks and approves; the id of the transaction. */
async function change(scene: Scene, goal?: string): Promise<string> {
  const { outcome } = (await scene.press("approve", await ask(scene, goal))).last("outcome");
  return outcome.txId ?? "";
}

describe("createConversation(): plan, approve, undo", () => {
  test("goes from plan to diff to change, to undo and to redo, through events alone", async () => {
    using scene = await openScene();
    const before = scene.tree();

    const planned = await scene.say(GOAL);
    expect(planned.kinds).toEqual(["plan", "done"]);
    expect(planned.last("plan")).toMatchObject({ workspace: "notes" });
    const asked = await scene.say("ok");
    expect(asked.kinds).toEqual(["approval", "done"]);
    expect(asked.last("approval").preview.diff).toContain("+++ b/README.md");
    expect(scene.tree()).toEqual(before);

    const applied = await scene.press("approve", asked.last("approval").approvalId);
    expect(applied.kinds).toEqual(["outcome", "done"]);
    const { outcome } = applied.last("outcome");
    expect(outcome).toMatchObject({ ok: true, status: "committed" });
    const after = scene.tree();
    expect(after).not.toEqual(before);

    const undone = await scene.press("undo", outcome.txId ?? "");
    expect(undone.last("outcome").outcome.status).toBe("undone");
    expect(scene.tree()).toEqual(before);
    expect((await scene.say("/redo")).last("outcome").outcome.status).toBe("redone");
    expect(scene.tree()).toEqual(after);
    expect((await scene.say("undo")).last("outcome").outcome.status).toBe("undone");
    expect(scene.tree()).toEqual(before);
  });

  test("a yes in words approves the diff that waits", async () => {
    using scene = await openScene();
    await ask(scene);
    expect((await scene.say("да")).last("outcome").outcome.status).toBe("committed");
  });

  test("the buttons of a plan go on to the diff, or drop it", async () => {
    using scene = await openScene();
    const { planId } = (await scene.say(GOAL)).last("plan");
    expect((await scene.press("apply", planId)).kinds).toEqual(["approval", "done"]);
    expect((await scene.press("drop", planId)).text).toBe("Plan dropped.");
    expect((await scene.press("apply", planId)).last("error").code).toBe("APPROVAL_INVALID");
    expect((await scene.say("/apply")).last("error").code).toBe("ERR_PLAN_UNKNOWN");
  });

  test("a no changes nothing, and the plan can be shown again", async () => {
    using scene = await openScene();
    const before = scene.tree();
    const approvalId = await ask(scene);
    expect((await scene.press("reject", approvalId)).text).toContain("Nothing was changed");
    expect((await scene.press("approve", approvalId)).last("error").message).toContain("rejected");
    expect(scene.tree()).toEqual(before);
    expect((await scene.say("ok")).last("approval").approvalId).not.toBe(approvalId);
  });

  test("apply: GOAL goes straight to the diff", async () => {
    using scene = await openScene();
    const reply = await scene.say("apply: add what a newcomer would miss");
    expect(reply.kinds).toEqual(["approval", "done"]);
    expect(reply.last("approval").preview.summary).toContain("README");
  });

  test("says so when nothing has to change, and keeps no plan", async () => {
    using scene = await openScene();
    await change(scene);
    const reply = await scene.say(GOAL);
    expect(reply.kinds).toEqual(["content", "done"]);
    expect((await scene.say("/apply")).last("error").code).toBe("ERR_PLAN_UNKNOWN");
  });

  test("asks nothing under full autonomy", async () => {
    using scene = await openScene({ config: '[security]\nautonomy = "full"' });
    const reply = await scene.say("apply: add what a newcomer would miss");
    expect(reply.last("outcome").outcome.status).toBe("committed");
  });

  test("changes nothing under readonly, whatever is said or pressed", async () => {
    using scene = await openScene({ config: '[security]\nautonomy = "readonly"' });
    const before = scene.tree();
    const plan = (await scene.say(GOAL)).last("plan");
    const { planId } = plan;
    for (const language of ["en", "ru", "zh"] as const) {
      const { buttons, hint } = renderEvent(plan, textsIn(language));
      expect(buttons.map(({ press }) => press.act)).toEqual(["change", "drop"]);
      expect(hint).toBe(textsIn(language).refusals.locked);
      const [shown] = renderMessages(plan, textsIn(language), (text) => text);
      expect(shown?.kind === "text" && shown.html).toContain("papayu config set security.autonomy");
    }
    for (const reply of [
      await scene.say("ok"),
      await scene.press("apply", planId),
      await scene.say("/undo"),
      await scene.say("/redo"),
    ]) {
      expect(reply.last("outcome").outcome).toMatchObject({ ok: false, errorCode: "denied" });
    }
    expect(scene.tree()).toEqual(before);
  });
});

describe("createConversation(): whose button it is", () => {
  test("a press that a crash cut off before anything was begun applies what it approved, once", async () => {
    using scene = await openScene();
    const approvalId = await ask(scene);
    const press = (on: Scene["conversation"], messageId: string) => {
      const origin = { messageId, receivedAt: Date.now() };
      return collectReply((emit) =>
        on.press(ANNA, { act: "approve", ref: approvalId }, emit, origin),
      );
    };
    const { agent } = scene.app.current;
    const apply = () => Promise.reject(new Error("killed"));
    const plans = { ...agent.plans, operations: { ...agent.plans.operations, apply } };
    const dying = createConversation({ ...agent, plans });
    await press(dying, "p1");

    expect((await press(scene.conversation, "p2")).last("error").code).toBe("APPROVAL_INVALID");
    expect((await press(scene.conversation, "p1")).last("outcome").outcome.ok).toBe(true);
    const { outcome } = (await press(scene.conversation, "p1")).last("outcome");
    expect(outcome).toMatchObject({ ok: true, status: "committed" });
    expect((await press(scene.conversation, "p2")).last("error").message).toContain("already");
    expect((await scene.say("/history")).text.split("\n")).toHaveLength(1);
    expect((await scene.press("undo", outcome.txId ?? "")).last("outcome").outcome.ok).toBe(true);
  });

  test("nobody else in the chat can apply, drop, approve, reject or undo", async () => {
    using scene = await openScene();
    const before = scene.tree();
    const { planId } = (await scene.say(GOAL)).last("plan");
    const { approvalId } = (await scene.say("ok")).last("approval");
    for (const [act, ref] of [
      ["apply", planId],
      ["drop", planId],
      ["approve", approvalId],
      ["reject", approvalId],
    ] as const) {
      const reply = await scene.press(act, ref, BORIS);
      expect(reply.kinds).toEqual(["error", "done"]);
      expect(reply.last("error")).toMatchObject({ code: "APPROVAL_INVALID" });
      expect(reply.last("error").message).toStartWith("Only the person who");
    }
    expect((await scene.say("ok", BORIS)).last("error").code).toBe("APPROVAL_INVALID");
    expect(scene.tree()).toEqual(before);

    const { outcome } = (await scene.press("approve", approvalId)).last("outcome");
    const after = scene.tree();
    const undo = await scene.press("undo", outcome.txId ?? "", BORIS);
    expect(undo.last("error").code).toBe("APPROVAL_INVALID");
    expect(scene.tree()).toEqual(after);
  });

  test("the same person's press in another chat does not count", async () => {
    using scene = await openScene();
    const approvalId = await ask(scene);
    const reply = await scene.press("approve", approvalId, ANNA_ELSEWHERE);
    expect(reply.last("error").code).toBe("APPROVAL_INVALID");
    expect((await scene.press("approve", approvalId)).last("outcome").outcome.ok).toBe(true);
  });

  test.each(["apply", "drop", "approve", "reject", "undo"] as const)(
    "a forged %s is told the truth",
    async (act) => {
      using scene = await openScene();
      await change(scene);
      const before = scene.tree();
      for (const ref of ["", "x", "' OR 1=1 --", "tx_00000000000000aa"]) {
        expect((await scene.press(act, ref)).last("error").code).toBe("APPROVAL_INVALID");
      }
      expect(scene.tree()).toEqual(before);
    },
  );
});

describe("createConversation(): a press counts once", () => {
  test("twenty presses at once apply once", async () => {
    using scene = await openScene();
    const approvalId = await ask(scene);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => scene.press("approve", approvalId)),
    );
    expect(replies.filter(({ kinds }) => kinds.includes("outcome"))).toHaveLength(1);
    expect(replies.every(({ kinds }) => kinds.at(-1) === "done")).toBe(true);
    expect((await scene.press("approve", approvalId)).last("error").message).toContain("already");
  });

  test("two presses of undo at once undo one change, not the one before it", async () => {
    using scene = await openScene({ author: WRITER });
    await change(scene, "b.txt: first");
    const before = scene.tree();
    const second = await change(scene, "c.txt: second");
    const replies = await Promise.all([scene.press("undo", second), scene.press("undo", second)]);
    expect(replies.map(({ kinds }) => kinds.at(-2))).toEqual(["outcome", "error"]);
    expect(scene.tree()).toEqual(before);
  });

  test("an undo that waits for another change undoes its own or nothing", async () => {
    using scene = await openScene({ author: WRITER, check: '[["sleep", "0.4"]]' });
    const first = await change(scene, "b.txt: first");
    const approvalId = await ask(scene, "c.txt: second");
    const applying = scene.approve(approvalId);
    await applying.running;
    const undo = await scene.press("undo", first, ANNA_ELSEWHERE);
    expect((await applying.reply).last("outcome").outcome.status).toBe("committed");
    expect(undo.last("error").code).toBe("UNDO_NOTHING");
    expect(Object.keys(scene.tree())).toEqual(["a.txt", "b.txt", "c.txt"]);
  });

  test("expired: says so, writes nothing, and ok asks again", async () => {
    using scene = await openScene({ config: "[telegram]\napproval_timeout_s = 60" });
    const before = scene.tree();
    const approvalId = await ask(scene);
    scene.wait(60_000);
    expect((await scene.press("approve", approvalId)).last("error").message).toContain("expired");
    expect(scene.tree()).toEqual(before);
    const again = await scene.say("ok");
    expect(again.last("approval").approvalId).not.toBe(approvalId);
  });

  test("asked again for the same diff, the buttons already shown stay good", async () => {
    using scene = await openScene();
    const approvalId = await ask(scene);
    expect((await scene.say("/diff")).last("approval").approvalId).toBe(approvalId);
    expect((await scene.say("/apply")).last("approval").approvalId).toBe(approvalId);
  });

  test("a newer plan takes the place of the question, and a yes is for the newer one", async () => {
    using scene = await openScene();
    const before = scene.tree();
    const old = await ask(scene);
    await scene.say("plan: add a README");
    expect((await scene.press("approve", old)).last("error").message).toContain("newer");
    expect((await scene.say("ok")).kinds).toEqual(["approval", "done"]);
    expect(scene.tree()).toEqual(before);
  });

  test.each([
    ["a new file that somebody wrote first", "b.txt: new", "b.txt"],
    ["a file that was edited since", "a.txt: new", "a.txt"],
  ])("%s voids the approval: the truth, nothing written", async (_name, goal, path) => {
    using scene = await openScene({ author: WRITER });
    const approvalId = await ask(scene, goal);
    writeFileSync(join(scene.folder, path), "by hand\n");
    const before = scene.tree();
    const { outcome } = (await scene.press("approve", approvalId)).last("outcome");
    expect(outcome).toMatchObject({ ok: false, status: "rejected" });
    expect(outcome.error).toContain(path);
    expect(scene.tree()).toEqual(before);
    expect((await scene.press("approve", approvalId)).last("error").message).toContain("already");
  });

  test.each([
    ["kept nothing back", "", "every file was put back"],
    [
      "left what somebody changed",
      "echo mine > b.txt;",
      'everything was put back except what somebody changed since: "b.txt" (new)',
    ],
  ])("a second press after a roll-back that %s tells so", async (_, edit, truth) => {
    const check = `[["sh", "-c", "${edit} exit 1"]]`;
    using scene = await openScene({ author: WRITER, check });
    const approvalId = await ask(scene, "b.txt: new");
    await scene.press("approve", approvalId);
    const { message } = (await scene.press("approve", approvalId)).last("error");
    expect(message).toContain(`This was approved, but ${truth}`);
  });

  test("an undo button is good only while its change is the newest", async () => {
    using scene = await openScene();
    const txId = await change(scene);
    await scene.say("/undo");
    const before = scene.tree();
    const { code, message } = (await scene.press("undo", txId)).last("error");
    expect(code).toBe("UNDO_NOTHING");
    expect(message).toContain("nothing to undo");
    expect(scene.tree()).toEqual(before);
  });

  test("an apply that ends leaves a plan made meanwhile alone", async () => {
    using scene = await openScene({ check: '[["sleep", "0.3"]]' });
    const approvalId = await ask(scene);
    const applying = scene.approve(approvalId);
    await applying.running;
    const { planId } = (await scene.say("plan: add a LICENSE")).last("plan");
    await applying.reply;
    expect(scene.app.current.agent.core.sessions.state(ANNA.sessionId).planId).toBe(planId);
  });
});
