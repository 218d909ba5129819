import { describe, expect, test } from "bun:test";
import { checkPress } from "../../src/agent/approval.ts";
import type { Approval } from "../../src/store/approvals.ts";

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
