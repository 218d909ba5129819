import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createApprovalStore } from "../../src/store/approvals.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { nameProcess } from "../../src/system/processes/process-name.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { tempDir } from "../support/temp.ts";

const CHILD = Bun.fileURLToPath(new URL("./approve-child.ts", import.meta.url));

const asked = {
  kind: "change_set" as const,
  approvalId: "ap_1",
  sessionId: "s",
  userId: "u",
  planId: "p",
  changeSetId: "c",
  createdAt: 1,
  expiresAt: 100,
};

const call = {
  kind: "tool_call" as const,
  approvalId: "ap_call",
  sessionId: "s",
  userId: "u",
  tool: "run",
  argsJson: '{"argv":"ls \\u202e"}',
  callSha256: "sha",
  createdAt: 1,
  expiresAt: 100,
};

describe("createApprovalStore()", () => {
  test("settle() counts once", () => {
    const approvals = createApprovalStore(memoryStore());
    approvals.ask(asked);
    expect(approvals.settle("ap_1", "approved")).toBe(true);
    expect(approvals.settle("ap_1", "approved")).toBe(false);
    expect(approvals.settle("ap_1", "rejected")).toBe(false);
    expect(approvals.load("ap_1")?.state).toBe("approved");
  });

  test("ask() replaces what still waits in the session, and nothing elsewhere", () => {
    const approvals = createApprovalStore(memoryStore());
    approvals.ask(asked);
    approvals.ask({ ...asked, approvalId: "ap_other", sessionId: "t" });
    approvals.ask({ ...asked, approvalId: "ap_2" });
    expect(approvals.load("ap_1")?.state).toBe("replaced");
    expect(approvals.waiting("s", 50)?.approvalId).toBe("ap_2");
    expect(approvals.waiting("t", 50)?.approvalId).toBe("ap_other");
    expect(approvals.countWaiting(50)).toBe(2);
    expect(approvals.countWaiting(100)).toBe(0);
  });

  test("ask() has what goes with it stored in the same step, or nothing of it", () => {
    const database = memoryStore();
    const approvals = createApprovalStore(database);
    approvals.ask(asked);
    const keep = (value: string) =>
      database.run("INSERT INTO settings (key, value) VALUES ('k', ?)", [value]);
    const cutOff = () => {
      keep("lost");
      throw new Error("cut off");
    };
    const next = { ...asked, approvalId: "ap_2" };
    expect(() => approvals.ask(next, "ap_1", cutOff)).toThrow("cut off");
    expect(approvals.waiting("s", 50)?.approvalId).toBe("ap_1");
    expect(approvals.load("ap_2")).toBeUndefined();
    expect(database.query("SELECT value FROM settings").all()).toEqual([]);
    expect(approvals.ask(next, "ap_1", () => keep("kept"))).toBe(true);
    expect(database.query("SELECT value FROM settings").all()).toEqual([{ value: "kept" }]);
    expect(approvals.ask({ ...asked, approvalId: "ap_3" }, "ap_1", cutOff)).toBe(false);
  });

  test("waiting() gives only what can still be answered", () => {
    const approvals = createApprovalStore(memoryStore());
    approvals.ask(asked);
    expect(approvals.waiting("s", 99)?.approvalId).toBe("ap_1");
    expect(approvals.waiting("s", 100)).toBeUndefined();
    approvals.settle("ap_1", "rejected");
    expect(approvals.waiting("s", 1)).toBeUndefined();
  });

  test("lastAbout() gives the newest question about a plan, in its session", () => {
    const approvals = createApprovalStore(memoryStore());
    const last = (sessionId = "s") => approvals.lastAbout(sessionId, asked.planId)?.state;
    expect(last()).toBeUndefined();
    approvals.ask(asked);
    approvals.settle("ap_1", "rejected");
    expect([last(), last("t"), approvals.lastAbout("s", "another plan")]).toEqual([
      "rejected",
      undefined,
      undefined,
    ]);
    approvals.ask({ ...asked, approvalId: "ap_2" });
    expect(last()).toBe("waiting");
  });

  test("replace() takes the question of one session back, and no answer", () => {
    const approvals = createApprovalStore(memoryStore());
    approvals.ask(asked);
    approvals.settle("ap_1", "approved");
    approvals.ask({ ...asked, approvalId: "ap_2" });
    approvals.ask({ ...asked, approvalId: "ap_other", sessionId: "t" });
    approvals.replace("s");
    expect(["ap_1", "ap_2", "ap_other"].map((id) => approvals.load(id)?.state)).toEqual([
      "approved",
      "replaced",
      "waiting",
    ]);
    expect(approvals.settle("ap_2", "approved")).toBe(false);
  });

  test("keeps a tool call exactly, and tells it from a change set", () => {
    const approvals = createApprovalStore(memoryStore());
    approvals.ask(asked);
    approvals.ask(call);
    expect(approvals.load("ap_1")).toEqual({ ...asked, state: "replaced" });
    expect(approvals.waiting("s", 50)).toEqual({ ...call, state: "waiting" });
  });

  test("interrupt() gives each approved call that began and never finished, once", () => {
    const approvals = createApprovalStore(memoryStore());
    for (const approvalId of ["ap_a", "ap_b", "ap_d", "ap_c"]) {
      approvals.ask({ ...call, approvalId });
      if (approvalId !== "ap_c") approvals.settle(approvalId, "approved");
      if (approvalId !== "ap_d") approvals.begin(approvalId);
    }
    approvals.finish("ap_a");
    approvals.finish("ap_c");
    approvals.ask({ ...asked, sessionId: "t" });
    approvals.settle("ap_1", "approved");
    expect(approvals.interrupt()).toEqual([
      { ...call, approvalId: "ap_b", state: "interrupted", runner: nameProcess() },
    ]);
    expect(approvals.interrupt()).toEqual([]);
    expect(approvals.load("ap_a")?.state).toBe("done");
    expect(approvals.load("ap_c")?.state).toBe("waiting");
    expect(approvals.load("ap_d")?.state).toBe("approved");
    // Of a change set the journals know how it ended.
    expect(approvals.load("ap_1")).toMatchObject({ state: "approved", runner: nameProcess() });
  });

  test("interrupt() leaves a call that another process runs, until that process is gone", async () => {
    using temp = tempDir();
    const path = join(temp.path, "state.db");
    const runner = Bun.spawn([process.execPath, CHILD, path], {
      stdin: "pipe",
      stdout: "pipe",
    });
    await runner.stdout.getReader().read(); // it is at work
    using store = openStore(path);
    const approvals = createApprovalStore(store);
    expect(approvals.interrupt()).toEqual([]);
    runner.kill("SIGKILL");
    await runner.exited;
    expect(approvals.interrupt()).toMatchObject([{ approvalId: "call_1", state: "interrupted" }]);
  });

  test("allow() keeps a call while it runs: no question, told once when a start finds it", () => {
    const approvals = createApprovalStore(memoryStore());
    const { approvalId, sessionId, userId, tool, argsJson, createdAt } = call;
    const allowed = { approvalId, sessionId, userId, tool, argsJson, createdAt, turnId: "t" };
    approvals.allow(allowed);
    approvals.allow({ ...allowed, approvalId: "call_2" });
    approvals.ask({ ...call, approvalId: "ap_3" });
    expect(approvals.waiting("s", 1)?.approvalId).toBe("ap_3");
    expect(approvals.countWaiting(1)).toBe(1);
    approvals.finish("ap_call");
    expect(approvals.load("ap_call")).toBeUndefined();
    expect(approvals.interrupt()).toMatchObject([{ approvalId: "call_2", turnId: "t" }]);
    expect(approvals.interrupt()).toEqual([]);
  });

  test("finish() ends an interrupted call, and openCalls() names it until then, oldest first", () => {
    const approvals = createApprovalStore(memoryStore());
    approvals.ask(call);
    approvals.settle("ap_call", "approved");
    approvals.begin("ap_call");
    const { sessionId, userId, tool, argsJson } = call;
    const allow = (approvalId: string, createdAt: number) =>
      approvals.allow({ approvalId, sessionId, userId, tool, argsJson, createdAt, turnId: "t" });
    allow("call_2", 2);
    allow("call_1", 1);
    approvals.interrupt();
    allow("call_3", 3);
    approvals.finish("ap_call");
    expect(approvals.load("ap_call")?.state).toBe("done");
    expect(approvals.openCalls("t")).toEqual(["call_1", "call_2", "call_3"]);
    expect(approvals.openCalls("u")).toEqual([]);
    approvals.finish("call_1");
    expect(approvals.openCalls("t")).toEqual(["call_2", "call_3"]);
  });

  test("replaceAll() takes back what waits in sessions of one kind, listWaiting() gives the rest", () => {
    const approvals = createApprovalStore(memoryStore());
    const sessions = ["terminal:b", "telegram:1", "terminal:a", "term"];
    for (const [index, sessionId] of sessions.entries()) {
      approvals.ask({ ...asked, sessionId, approvalId: `ap_${sessionId}`, createdAt: 9 - index });
    }
    approvals.replaceAll("terminal:");
    const ids = (now: number) => approvals.listWaiting(now).map(({ approvalId }) => approvalId);
    expect(ids(50)).toEqual(["ap_term", "ap_telegram:1"]);
    expect(ids(100)).toEqual([]);
    expect(approvals.load("ap_terminal:a")?.state).toBe("replaced");
  });

  test("wasRejected() remembers a no for its session, its call and its time", () => {
    const approvals = createApprovalStore(memoryStore());
    approvals.ask(call);
    expect(approvals.wasRejected("s", "sha", 50)).toBe(false);
    approvals.settle("ap_call", "rejected");
    expect(approvals.wasRejected("s", "sha", 50)).toBe(true);
    expect(approvals.wasRejected("s", "sha", 100)).toBe(false);
    expect(approvals.wasRejected("t", "sha", 50)).toBe(false);
    expect(approvals.wasRejected("s", "other", 50)).toBe(false);
  });
});

describe("a question of a change set", () => {
  test.each([
    ["with the hosts that it would ask", { hosts: ["registry.example", "b.example"] }],
    ["with none", {}],
  ])("comes back as it was asked, %s", (_, more) => {
    const approvals = createApprovalStore(memoryStore());
    approvals.ask({ ...asked, ...more });
    const found: unknown = approvals.waiting("s", 50);
    expect(found).toEqual({ ...asked, ...more, state: "waiting" });
  });
});

test("ask() asks in the place of another question only while that one waits", () => {
  const approvals = createApprovalStore(memoryStore());
  expect(approvals.ask(asked)).toBe(true);
  expect(approvals.ask({ ...asked, approvalId: "ap_2" }, "ap_1")).toBe(true);
  expect(approvals.load("ap_1")?.state).toBe("replaced");
  expect(approvals.ask({ ...asked, approvalId: "ap_3" }, "ap_1")).toBe(false);
  expect(approvals.load("ap_3")).toBeUndefined();
  expect(approvals.waiting("s", 50)?.approvalId).toBe("ap_2");
});
