import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../src/core/app-error.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import type { Step } from "../../src/transaction/views.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";
import {
  CREATE,
  createScene,
  eventsOf,
  FAILING,
  type Line,
  never,
  PATCH,
  PLAN,
  planIn,
  preview,
  reasonOf,
  sceneWith,
} from "./planner-scene.ts";

describe("preview and apply", () => {
  test("show and write the same: the approved id, the changes, the bytes", async () => {
    using scene = sceneWith(CREATE, { rules: { check: [["bun", "-e", "0"]] } });
    const before = readTree(scene.root);
    const { planId, changeSetId, shown } = await preview(scene);
    expect(readTree(scene.root)).toEqual(before);
    expect(shown).toMatchObject({
      planId,
      summary: "adds docs/new.md",
      checks: [{ command: "bun -e 0", from: "config.toml" }],
      changes: [
        { kind: "mkdir", path: "docs" },
        { kind: "create", path: "docs/new.md", added: 1, removed: 0 },
      ],
    });
    expect(shown.diff).toContain("+# New");
    const outcome = await scene.operations.apply(planId, { approved: changeSetId, signal: never });
    expect(outcome).toMatchObject({
      ok: true,
      status: "committed",
      changeSetId,
      changes: shown.changes,
      check: { ok: true },
    });
    expect(await scene.sha("docs/new.md")).toBe(shown.changes[1]?.after_sha256 ?? "");
    expect(scene.author.asked).toHaveLength(2);
    expect(scene.traces.map(({ event }) => event)).toEqual(["LLM_PLAN_OK", "LLM_APPLY_OK"]);
  });

  test("give the same id however often they are asked, and one model call in all", async () => {
    using scene = sceneWith(PATCH);
    const { planId, changeSetId } = await preview(scene);
    const again = await scene.operations.preview(planId, never);
    expect(again.ok && again.preview.changeSetId).toBe(changeSetId);
    const asked = await scene.operations.apply(planId, { signal: never });
    expect(asked).toMatchObject({ errorCode: "CONFIRM_REQUIRED", changeSetId });
    expect(asked.preview?.changeSetId).toBe(changeSetId);
    expect(scene.author.asked).toHaveLength(2);
    const fields = { plan_id: planId, change_set_id: changeSetId, changes: 1 };
    expect(eventsOf(scene, "PREVIEW_READY")).toEqual(
      [1, 2, 3].map(() => ({ event: "PREVIEW_READY", fields })),
    );
  });

  test("refuse an approval of something else, and write nothing", async () => {
    using scene = sceneWith(CREATE);
    const { planId, changeSetId } = await preview(scene);
    mkdirSync(join(scene.root, "docs")); // now the folder is not to be made any more
    const before = readTree(scene.root);
    const outcome = await scene.operations.apply(planId, { approved: changeSetId, signal: never });
    expect(outcome).toMatchObject({
      ok: false,
      status: "rejected",
      errorCode: "ERR_CHANGE_SET_STALE",
    });
    expect(outcome.preview).toBeUndefined();
    expect(readTree(scene.root)).toEqual(before);
  });

  test("refuse when a file to patch was edited after the preview, and name it", async () => {
    using scene = sceneWith(PATCH);
    const { planId, changeSetId } = await preview(scene);
    await Bun.write(join(scene.root, "a.txt"), "zero\none\ntwo\n");
    const before = readTree(scene.root);
    const outcome = await scene.operations.apply(planId, { approved: changeSetId, signal: never });
    expect(outcome).toMatchObject({ status: "rejected", errorCode: "ERR_BASE_MISMATCH" });
    expect(outcome.error).toContain('"a.txt"');
    expect(readTree(scene.root)).toEqual(before);
  });

  test("say no_changes when everything is there, with or without an approval", async () => {
    const nothing = { actions: [], summary: "NO_CHANGES: it is done" };
    using scene = sceneWith(nothing);
    const planId = await planIn(scene);
    for (const approved of [{}, { approved: "whatever" }]) {
      const outcome = await scene.operations.apply(planId, { ...approved, signal: never });
      expect(outcome).toMatchObject({
        ok: true,
        status: "no_changes",
        changes: [],
        reason: "it is done",
      });
    }
    using same = sceneWith({
      actions: [{ kind: "CREATE_FILE", path: "a.txt", content: "one\ntwo\n" }],
    });
    const outcome = await same.operations.apply(await planIn(same), { signal: never });
    expect(outcome).toMatchObject({ ok: true, status: "no_changes" });
  });

  test("report every fault of an answer that stays bad, and ask anew the next time", async () => {
    const bad = {
      actions: [
        { kind: "CREATE_FILE", path: ".env", content: "" },
        { kind: "DELETE_FILE", path: "none.txt" },
      ],
    };
    using scene = createScene({}, [PLAN, bad, bad, CREATE]);
    const planId = await planIn(scene);
    const outcome = await scene.operations.preview(planId, never);
    expect(outcome).toMatchObject({
      ok: false,
      planId,
      code: "ERR_PROTECTED_PATH",
      blocked: [
        { code: "ERR_PROTECTED_PATH", path: ".env" },
        { code: "ERR_NOT_FOUND", path: "none.txt" },
      ],
    });
    expect(scene.traces.at(-1)).toMatchObject({
      event: "VALIDATION_FAILED",
      error_code: "ERR_PROTECTED_PATH",
      protocol_repair_attempt: 1,
    });
    expect((await scene.operations.preview(planId, never)).ok).toBe(true);
  });

  test("roll back when a check fails, with its output", async () => {
    using scene = sceneWith(CREATE, { rules: FAILING });
    const before = readTree(scene.root);
    const { planId, changeSetId } = await preview(scene);
    const outcome = await scene.operations.apply(planId, { approved: changeSetId, signal: never });
    expect(outcome).toMatchObject({
      ok: false,
      status: "rolled_back",
      errorCode: "AUTO_CHECK_FAILED_ROLLED_BACK",
      check: { ok: false, stages: [{ exitCode: 3, output: "no\n" }] },
    });
    expect(readTree(scene.root)).toEqual(before);
  });
});

describe("apply", () => {
  test.each([
    ["fix\n\tit", "fix it"],
    ["🙂".repeat(500), `${"🙂".repeat(40)}…`],
    [`a${"🙂".repeat(500)}`, `a${"🙂".repeat(39)}…`],
    ["half \ud83d and \0 nothing", "half \ufffd and nothing"],
  ])("puts the goal %j into the history as one short line", async (goal, line) => {
    using scene = createScene({}, [PLAN, CREATE], { autonomy: "full" });
    const outcome = await scene.operations.apply(await planIn(scene, goal), { signal: never });
    expect(outcome.status).toBe("committed");
    expect(readHistory(scene.workspace).map(({ summary }) => summary)).toEqual([line]);
  });
});

describe("apply at the same time", () => {
  test("of one plan asks the author once, and both see the answer", async () => {
    let calls = 0;
    const isAsked = Promise.withResolvers<void>();
    const mayAnswer = Promise.withResolvers<void>();
    const each: Line = async () => {
      calls += 1;
      isAsked.resolve();
      await mayAnswer.promise;
      return { actions: [{ kind: "CREATE_FILE", path: `f${calls}.txt`, content: "x" }] };
    };
    using scene = createScene({}, [PLAN, each, each]);
    const planId = await planIn(scene);
    const both = Promise.all([
      scene.operations.apply(planId, { signal: never }),
      scene.operations.preview(planId, never),
    ]);
    await isAsked.promise;
    mayAnswer.resolve();
    const [a, b] = await both;
    expect(calls).toBe(1);
    expect(a.changes.map(({ path }) => path)).toEqual(["f1.txt"]);
    expect(b.ok && b.preview.changeSetId).toBe(a.changeSetId ?? "");
    expect((await scene.operations.apply(planId, { signal: never })).changeSetId).toBe(
      a.changeSetId ?? "",
    );
  });

  test("waits for what makes the same plan now, and says that it is made", async () => {
    using dir = tempDir();
    const [begun, go] = [join(dir.path, "begun"), join(dir.path, "go")];
    const check = `touch ${begun}; until [ -e ${go} ]; do sleep 0.01; done`;
    using scene = sceneWith(PATCH, { rules: { check: [["sh", "-c", check]] } });
    writeFileSync(go, "");
    const { planId, changeSetId: approved } = await preview(scene);
    for (const path of [begun, go]) rmSync(path, { force: true });
    const first = scene.operations.apply(planId, { approved, signal: never });
    await until(() => existsSync(begun));
    const second = scene.operations.apply(planId, { approved, signal: never });
    await Promise.race([second, Bun.sleep(50)]);
    writeFileSync(go, "");
    expect(await first).toMatchObject({ status: "committed" });
    expect((await second).error).toContain("this plan is made already");
  });

  test("of one approved change set writes once; the other finds it done or stale", async () => {
    using scene = sceneWith(PATCH, { rules: { check: [["bun", "-e", "0"]] } });
    const { planId, changeSetId: approved } = await preview(scene);
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => scene.operations.apply(planId, { approved, signal: never })),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(2);
    expect(await Bun.file(join(scene.root, "a.txt")).text()).toBe("1\ntwo\n");
    const third = await scene.operations.apply(planId, { approved, signal: never });
    expect(third).toMatchObject({ errorCode: "ERR_CHANGE_SET_STALE", made: 1, changes: [] });
    expect(third.error).toBe("Cannot apply: this plan is made already; papayu undo takes it back");
    expect(third).not.toHaveProperty("planAgain");
    for (const { ok, error } of outcomes) if (!ok) expect(error).toBe(third.error);
    // Taken back, it may be made once more; changed by somebody else, it is not made.
    await scene.operations.undo(scene.workspace, never);
    expect(await scene.operations.apply(planId, { approved, signal: never })).toMatchObject({
      ok: true,
    });
    await Bun.write(join(scene.root, "a.txt"), "one\nmine\n");
    const edited = await scene.operations.apply(planId, { approved, signal: never });
    expect(edited).toMatchObject({ errorCode: "ERR_BASE_MISMATCH", planAgain: { planId } });
  });
});

describe("a stored plan", () => {
  test("that nobody knows is ERR_PLAN_UNKNOWN for preview and apply", async () => {
    using scene = createScene({}, []);
    const { operations } = scene;
    for (const work of [
      operations.preview("plan_x", never),
      operations.apply("plan_x", { signal: never }),
    ]) {
      expect(await reasonOf(work)).toMatchObject({ code: "ERR_PLAN_UNKNOWN" });
    }
  });

  test("of a folder that is gone, or leads elsewhere now, is refused before anything is asked", async () => {
    using scene = sceneWith(CREATE, { autonomy: "full" });
    using elsewhere = tempDir();
    const planId = await planIn(scene);
    renameSync(scene.root, `${scene.root}-moved`);
    const code = "ERR_WORKSPACE_UNKNOWN";
    expect(await reasonOf(scene.operations.apply(planId, { signal: never }))).toMatchObject({
      code,
    });
    symlinkSync(elsewhere.path, scene.root);
    expect(await reasonOf(scene.operations.apply(planId, { signal: never }))).toMatchObject({
      code,
    });
    expect(readTree(elsewhere.path)).toEqual({});
    expect(scene.author.asked).toHaveLength(1);
    rmSync(`${scene.root}-moved`, { recursive: true });
  });

  test("is evaluated by the rules that hold now, not by those of its preview", async () => {
    const rules: { -readonly [Key in keyof Workspace]?: Workspace[Key] } = {};
    using scene = sceneWith(CREATE, { rules });
    const { planId, changeSetId: approved } = await preview(scene);
    const apply = () => scene.operations.apply(planId, { approved, signal: never });
    rules.protectedPaths = ["docs/**"];
    expect((await apply()).errorCode).toBe("ERR_PROTECTED_PATH");
    rules.protectedPaths = [];
    Object.assign(rules, FAILING);
    expect((await apply()).errorCode).toBe("AUTO_CHECK_FAILED_ROLLED_BACK");
    rules.check = "none";
    expect((await apply()).status).toBe("committed");
  });

  test("may not exceed a number of actions that was lowered since", async () => {
    const two = { actions: ["a", "b"].map((path) => ({ kind: "CREATE_DIR", path })) };
    const rules: { -readonly [Key in keyof Workspace]?: Workspace[Key] } = {};
    using scene = sceneWith(two, { rules });
    const { planId, changeSetId: approved } = await preview(scene);
    rules.maxActions = 1;
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome.errorCode).toBe("ERR_TOO_MANY_ACTIONS");
  });

  test("and of a patch that exceeds it says how many files it changes and what to do", async () => {
    using scene = sceneWith(CREATE, { rules: { maxActions: 1 } });
    const create = (path: string) => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+text\n`;
    const patch = { text: create("a") + create("b"), name: "x.diff" };
    expect(await scene.operations.planPatch(scene.workspace, patch)).toMatchObject({
      code: "ERR_TOO_MANY_ACTIONS",
      message:
        "Cannot apply the patch: it changes 2 files, and at most 1 may be changed here; split it, or raise max_actions of the workspace",
    });
  });
});

describe("apply that is cancelled", () => {
  const reason = new AppError("ERR_CANCELLED", "Cancelled");

  test("before the author answers writes nothing and may be asked again", async () => {
    using scene = sceneWith(CREATE, { autonomy: "full" });
    const planId = await planIn(scene);
    const outcome = await scene.operations.apply(planId, { signal: AbortSignal.abort(reason) });
    expect(outcome).toMatchObject({ status: "rejected", errorCode: "ERR_CANCELLED" });
    expect(scene.traces.at(-1)).toMatchObject({ event: "ERR_CANCELLED" });
    expect(scene.plans.loadChangeSet(planId)).toBeUndefined();
  });

  test("after the answer and before the first write changes nothing", async () => {
    const controller = new AbortController();
    const late: Line = () => {
      controller.abort(reason);
      return CREATE;
    };
    using scene = sceneWith(late, { autonomy: "full" });
    const before = readTree(scene.root);
    const planId = await planIn(scene);
    const outcome = await scene.operations.apply(planId, { signal: controller.signal });
    expect(outcome).toMatchObject({ ok: false, errorCode: "ERR_CANCELLED" });
    expect(readTree(scene.root)).toEqual(before);
  });

  test("during the checks brings every file back", async () => {
    const check = [["bun", "-e", "await Bun.sleep(60_000)"]];
    using scene = sceneWith(CREATE, { autonomy: "full", rules: { check, checkTimeoutMs: 60_000 } });
    const before = readTree(scene.root);
    const planId = await planIn(scene);
    const controller = new AbortController();
    const reported: Step[] = [];
    const outcome = await scene.operations.apply(planId, {
      signal: controller.signal,
      onProgress(text) {
        reported.push(text);
        controller.abort(reason);
      },
    });
    expect(outcome).toMatchObject({ status: "rolled_back", errorCode: "ERR_CANCELLED" });
    expect(reported).toHaveLength(1);
    expect(readTree(scene.root)).toEqual(before);
  });
});
