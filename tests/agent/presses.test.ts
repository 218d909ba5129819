import { describe, expect, test } from "bun:test";
import type { Press } from "../../src/channels/channel.ts";
import { PRESS_ACTS } from "../../src/channels/press.ts";
import { until } from "../support/patience.ts";
import { writeTree } from "../support/tree.ts";
import { ANNA, BORIS, openScene, type Scene, WRITER } from "./scene.ts";

const planned = async (scene: Scene) => (await scene.say("plan: b.txt: new")).last("plan").planId;
async function asked(scene: Scene): Promise<string> {
  return (await scene.press("apply", await planned(scene))).last("approval").approvalId;
}
async function done(scene: Scene): Promise<string> {
  const { outcome } = (await scene.press("approve", await asked(scene))).last("outcome");
  return outcome.txId ?? "";
}

async function outdated(scene: Scene): Promise<string> {
  const { planId } = (await scene.say("plan: a.txt: new")).last("plan");
  const { approvalId } = (await scene.press("apply", planId)).last("approval");
  writeTree(scene.folder, { "a.txt": "one\nand mine\n" });
  await scene.press("approve", approvalId);
  return planId;
}

/** What each button that begins something is about; of findings the store itself says "once". */
const STARTS = {
  apply: planned,
  drop: planned,
  approve: asked,
  undo: done,
  plan_fix: done,
  plan_again: outdated,
} satisfies Partial<Record<Press["act"], (scene: Scene) => Promise<string>>>;

describe("two presses at the same moment have one effect", () => {
  for (const act of ["apply", "drop", "approve", "undo", "plan_fix", "plan_again"] as const) {
    test(act, async () => {
      const check = act === "plan_fix" ? '[["false"]]' : "false";
      using scene = await openScene({ author: WRITER, check });
      const ref = await STARTS[act](scene);
      const replies = await Promise.all([scene.press(act, ref), scene.press(act, ref)]);
      const refused = replies.filter(({ kinds }) => kinds.includes("error"));
      expect(refused).toHaveLength(1);
      expect(refused[0]?.last("error").code).toBe("APPROVAL_INVALID");
      if (act === "plan_fix") {
        expect((await scene.press(act, ref)).last("error").code).toBe("APPROVAL_INVALID");
      }
    });
  }
});

test("a button and words that ask for a plan's change set at the same moment ask its author once", async () => {
  const gate = Promise.withResolvers<void>();
  let requests = 0;
  const author: typeof WRITER = {
    ...WRITER,
    async answer(question) {
      if (question.mode === "apply") {
        requests++;
        await gate.promise;
      }
      return WRITER.answer(question);
    },
  };
  using scene = await openScene({ author });
  const planId = await planned(scene);
  const all = [
    scene.press("apply", planId),
    scene.press("apply", planId),
    scene.say("ok"),
    scene.say("/diff"),
  ];
  const twice = await Promise.race(all);
  expect(twice.last("error").code).toBe("APPROVAL_INVALID");
  gate.resolve();
  const reply = (await Promise.all(all)).filter(({ kinds }) => kinds.includes("approval"));
  expect(reply).toHaveLength(3);
  expect(new Set(reply.map((one) => one.last("approval").approvalId)).size).toBe(1);
  expect(requests).toBe(1);
});

test("who waits for a change set that its author failed to give asks again", async () => {
  const gate = Promise.withResolvers<void>();
  let requests = 0;
  const author: typeof WRITER = {
    ...WRITER,
    async answer(question) {
      if (question.mode === "apply" && ++requests === 1) {
        await gate.promise;
        throw new Error("broken");
      }
      return WRITER.answer(question);
    },
  };
  using scene = await openScene({ author });
  const planId = await planned(scene);
  const first = scene.press("apply", planId);
  await until(() => requests === 1);
  const second = scene.say("ok");
  gate.resolve();
  expect((await first).kinds).toContain("error");
  expect((await second).kinds).toContain("approval");
  expect(requests).toBe(2);
});

test("what changes nothing, and a no, do not wait behind a change at its check", async () => {
  const wait = '[["sh", "-c", "until test -e ../go; do sleep 0.05; done"]]';
  using scene = await openScene({ author: WRITER, check: wait });
  const approvalId = await asked(scene);
  const applying = scene.approve(approvalId);
  await applying.running;
  // These would hang here if they waited.
  expect((await scene.press("use_ws", "notes", ANNA)).text).toContain("notes");
  for (const act of ["approve", "reject"] as const) {
    expect((await scene.press(act, approvalId, BORIS)).last("error").code).toBe("APPROVAL_INVALID");
  }
  expect((await scene.press("approve", approvalId)).last("error").code).toBe("APPROVAL_INVALID");
  writeTree(scene.dir, { go: "" });
  expect((await applying.reply).last("outcome").outcome.status).toBe("committed");
});

/**
 * Whose each button is. What stands below a list does what a command does, for whoever may type that
 * command; all else is for the person whom it was made for.
 */
const WHOSE = {
  apply: planned,
  change: planned,
  drop: planned,
  plan_again: planned,
  approve: asked,
  approve_whole: asked,
  check_first: asked,
  keep: asked,
  reach: asked,
  try_another: asked,
  leave_out: asked,
  revise: asked,
  reject: asked,
  withdraw: asked,
  undo: done,
  redo: done,
  show_output: done,
  plan_fix: done,
  show_way: asked,
  use_research: "tests/e2e/online-flow.test.ts",
  stop_auto_use: "tests/e2e/online-flow.test.ts",
  end_browser: "its owner's alone, by the console",
  use_ws: "/ws NAME",
  run_routine: "/routines run NAME",
  routine_on: "/routines on NAME",
  routine_off: "/routines off NAME",
  dry_run_routine: "of pages: a routine is everybody's",
  stop_routine: "of pages: a routine is everybody's",
  set_aside_run: "of pages: a routine is everybody's",
  propose_routine: "of pages: a routine is everybody's",
  change_routine: "of pages: a routine is everybody's",
} satisfies Record<Press["act"], string | ((scene: Scene) => Promise<string>)>;

const OWN = [...PRESS_ACTS, "withdraw" as const].flatMap((act) => {
  const of = WHOSE[act];
  return typeof of === "string" ? [] : [[act, of] as const];
});

test.each(OWN)("%s works for nobody but the person it was made for", async (act, refOf) => {
  using scene = await openScene({ author: WRITER });
  const ref = await refOf(scene);
  const before = scene.tree();
  expect((await scene.press(act, ref, BORIS)).last("error").code).toBe("APPROVAL_INVALID");
  expect(scene.tree()).toEqual(before);
});

test("a button below /ws does for anybody in the chat what they may type", async () => {
  using scene = await openScene({ author: WRITER });
  const [pressed, typed] = [
    await scene.press("use_ws", "notes", BORIS),
    await scene.say("/ws notes", BORIS),
  ];
  expect(pressed.text).toBe(typed.text);
});
