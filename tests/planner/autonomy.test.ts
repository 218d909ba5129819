import { describe, expect, test } from "bun:test";
import { readTree } from "../support/tree.ts";
import {
  CREATE,
  createScene,
  never,
  PATCH,
  PLAN,
  planIn,
  preview,
  sceneWith,
} from "./planner-scene.ts";

describe("autonomy", () => {
  test("readonly plans and previews, and denies apply, undo and redo without asking a model", async () => {
    using scene = sceneWith(CREATE, { autonomy: "readonly" });
    const { operations, workspace } = scene;
    const planId = await planIn(scene);
    const denied = { ok: false, status: "rejected", errorCode: "denied", changes: [] };
    expect(await operations.apply(planId, { signal: never })).toMatchObject(denied);
    expect(scene.author.asked).toHaveLength(1);
    const shown = await operations.preview(planId, never);
    const approved = shown.ok ? shown.preview.changeSetId : "";
    const before = readTree(scene.root);
    expect(await operations.apply(planId, { approved, signal: never })).toMatchObject(denied);
    expect(await operations.undo(workspace, never)).toMatchObject(denied);
    expect(await operations.redo(workspace, never)).toMatchObject(denied);
    expect(readTree(scene.root)).toEqual(before);
  });

  test("supervised asks for apply and lets undo and redo through", async () => {
    using scene = sceneWith(PATCH);
    const { operations, workspace } = scene;
    const before = readTree(scene.root);
    const { planId, changeSetId: approved } = await preview(scene);
    const asked = await operations.apply(planId, { signal: never });
    expect(asked).toMatchObject({ ok: false, status: "rejected", errorCode: "CONFIRM_REQUIRED" });
    expect(readTree(scene.root)).toEqual(before);
    await operations.apply(planId, { approved, signal: never });
    const after = readTree(scene.root);
    expect(after).not.toEqual(before);
    expect(await operations.undo(workspace, never)).toMatchObject({
      ok: true,
      status: "undone",
      changes: [{ kind: "update", path: "a.txt" }],
    });
    expect(readTree(scene.root)).toEqual(before);
    expect(await operations.redo(workspace, never)).toMatchObject({ ok: true, status: "redone" });
    expect(readTree(scene.root)).toEqual(after);
    expect(await operations.redo(workspace, never)).toMatchObject({ errorCode: "REDO_NOTHING" });
  });

  test("full applies without a question, and still holds every gate and a given approval", async () => {
    using scene = sceneWith(CREATE, { autonomy: "full" });
    const outcome = await scene.operations.apply(await planIn(scene), { signal: never });
    expect(outcome).toMatchObject({ ok: true, status: "committed" });
    const bad = { actions: [{ kind: "CREATE_FILE", path: ".git/hooks/x", content: "" }] };
    using gated = sceneWith(bad, { autonomy: "full" });
    const refused = await gated.operations.apply(await planIn(gated), { signal: never });
    expect(refused).toMatchObject({ status: "rejected", errorCode: "ERR_PROTECTED_PATH" });
    using other = sceneWith(CREATE, { autonomy: "full" });
    const approved = "0".repeat(64);
    const stale = await other.operations.apply(await planIn(other), { approved, signal: never });
    expect(stale.errorCode).toBe("ERR_CHANGE_SET_STALE");
  });

  test("undo of a named transaction is refused once it is not the newest", async () => {
    using scene = createScene(
      {},
      [PLAN, CREATE, PLAN, { actions: [{ kind: "CREATE_DIR", path: "d" }] }],
      { autonomy: "full" },
    );
    const first = await scene.operations.apply(await planIn(scene), { signal: never });
    await scene.operations.apply(await planIn(scene), { signal: never });
    const outcome = await scene.operations.undo(scene.workspace, never, { only: first.txId ?? "" });
    expect(outcome).toMatchObject({ ok: false, errorCode: "UNDO_NOTHING" });
  });
});
