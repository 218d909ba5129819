import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { checkPress } from "../../src/agent/approval.ts";
import type { Approval } from "../../src/store/approvals.ts";
import { nameProcess } from "../../src/system/processes/process-name.ts";
import { EN } from "../../src/texts/en.ts";
import { openBeside } from "../support/open-beside.ts";
import { openScene, WRITER } from "./scene.ts";

const speaker = { sessionId: "telegram:7", userId: "telegram:7" };
const waiting: Approval = {
  kind: "change_set",
  approvalId: "ap_1",
  ...speaker,
  planId: "plan_1",
  changeSetId: "c",
  state: "waiting",
  createdAt: 0,
  expiresAt: 1000,
};

describe("checkPress()", () => {
  test("lets the person who was asked answer while it waits", () => {
    expect(checkPress(waiting, speaker, 999)).toEqual({ ok: true, approval: waiting });
  });

  test.each([
    ["an unknown button", undefined, speaker, 0, "nothingKnown"],
    ["another user", waiting, { ...speaker, userId: "telegram:8" }, 0, "notAsked"],
    ["another session", waiting, { ...speaker, sessionId: "telegram:9" }, 0, "notAsked"],
    ["an expired one", waiting, speaker, 1000, "changeExpired"],
    ["a second press", { ...waiting, state: "approved" as const }, speaker, 0, "changeApproved"],
    ["a rejected one", { ...waiting, state: "rejected" as const }, speaker, 0, "changeRejected"],
    ["a replaced one", { ...waiting, state: "replaced" as const }, speaker, 0, "changeReplaced"],
  ])("tells the truth about %s", (_name, approval, who, now, truth) => {
    expect(checkPress(approval, who, now)).toMatchObject({ ok: false, truth });
  });
});

describe("a second press on a change set that was approved, when the process that took the yes", () => {
  const pressAgain = async (runner: string, isWritten: boolean) => {
    using scene = await openScene({ author: WRITER });
    const { planId } = (await scene.say("plan: b.txt: new")).last("plan");
    const { approvalId } = (await scene.press("apply", planId)).last("approval");
    const { approvals } = scene.app.current.agent.core;
    if (isWritten) await scene.press("approve", approvalId);
    else approvals.settle(approvalId, "approved");
    using database = openBeside(join(scene.dir, "home/.papa-yu/state.db"));
    database.query("UPDATE approvals SET runner = ? WHERE approval_id = ?").run(runner, approvalId);
    const { message } = (await scene.press("approve", approvalId)).last("error");
    return { message, next: (await scene.say("ok")).kinds };
  };

  test("has ended and wrote nothing: says so, and how it goes on", async () => {
    const { message, next } = await pressAgain("1-1-gone", false);
    expect(message).toBe(EN.refusals.notBegun);
    expect(next).toContain("approval");
  });

  test("has ended and wrote it, or runs: says that it counted", async () => {
    const { changeApproved } = EN.refusals;
    expect((await pressAgain("1-1-gone", true)).message).toBe(changeApproved);
    expect((await pressAgain(nameProcess(), false)).message).toBe(changeApproved);
  });
});
