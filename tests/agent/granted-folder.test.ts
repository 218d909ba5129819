import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readTree, writeTree } from "../support/tree.ts";
import { type AgentReply, ANNA, ANNA_ELSEWHERE, openScene, WRITER } from "./scene.ts";

type Scene = Awaited<ReturnType<typeof openScene>>;

const workspace = (name: string, path: string) =>
  `[[workspaces]]\nname = "${name}"\npath = "${path}"\ncheck = false\n`;
const SAME = workspace("notes", "./notes");

/** What the owner saved while a question about the workspace "notes" in ./notes waited. */
const MEANWHILE = {
  "has no such workspace": workspace("other", "./prod"),
  "has no workspace at all": "",
  "has another folder of that name": workspace("notes", "./prod"),
  "has another name for that folder": workspace("other", "./notes"),
};

/** Everything that may write by what was planned, or shown, before. */
const ENTRIES: Readonly<Record<string, (scene: Scene, ids: Ids) => Promise<AgentReply>>> = {
  "[Approve]": (scene, { approvalId }) => scene.press("approve", approvalId),
  "[Apply]": (scene, { planId }) => scene.press("apply", planId),
  "a yes in words": (scene) => scene.say("yes"),
  "/apply": (scene) => scene.say("/apply"),
  "/diff": (scene) => scene.say("/diff"),
};

interface Ids {
  readonly planId: string;
  readonly changeSetId: string;
  readonly approvalId: string;
}

async function openAsked(who = ANNA): Promise<Scene & { readonly ids: Ids }> {
  const scene = await openScene({ author: WRITER });
  writeTree(join(scene.dir, "prod"), { "p.txt": "p\n" });
  const { planId } = (await scene.say("plan: b.txt: new", who)).last("plan");
  const shown = await scene.press("apply", planId, who);
  const { approvalId, preview } = shown.last("approval");
  return { ...scene, ids: { planId, changeSetId: preview.changeSetId, approvalId } };
}

describe.each(Object.entries(MEANWHILE))("a configuration that %s", (_, workspaces) => {
  test.each(Object.entries(ENTRIES))("lets %s write nothing, and says so", async (_name, enter) => {
    using scene = await openAsked();
    await scene.reload(workspaces);
    const { events } = await enter(scene, scene.ids);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: "error", code: "ERR_WORKSPACE_UNKNOWN" }),
    );
    expect(Object.keys(scene.tree())).toEqual(["a.txt"]);
    expect(Object.keys(readTree(join(scene.dir, "prod")))).toEqual(["p.txt"]);
    await scene.reload(SAME);
    const done = await scene.press("approve", scene.ids.approvalId);
    expect(done.last("outcome").outcome.status).toBe("committed");
  });

  test("lets no command line apply what was approved", async () => {
    using scene = await openAsked();
    const { plans } = await scene.reload(workspaces);
    const { signal } = new AbortController();
    const { planId, changeSetId: approved } = scene.ids;
    const applied = plans.operations.apply(planId, { approved, signal });
    expect(await applied.catch((error: unknown) => error)).toMatchObject({
      code: "ERR_WORKSPACE_UNKNOWN",
    });
    expect(Object.keys(scene.tree())).toEqual(["a.txt"]);
  });
});

describe("[Undo] of a change", () => {
  async function openDone(workspaces: string, who = ANNA) {
    const scene = await openAsked(who);
    const done = await scene.press("approve", scene.ids.approvalId, who);
    await scene.reload(workspaces);
    return { ...scene, txId: done.last("outcome").outcome.txId ?? "" };
  }

  test.each(["has no such workspace", "has another folder of that name"] as const)(
    "says how it is undone in its folder, where the configuration %s",
    async (meanwhile) => {
      // In private: a group is shown no place.
      using scene = await openDone(MEANWHILE[meanwhile], ANNA_ELSEWHERE);
      const error = (await scene.press("undo", scene.txId, ANNA_ELSEWHERE)).last("error");
      expect(error.code).toBe("ERR_WORKSPACE_UNKNOWN");
      expect(error.message).toContain(`papayu undo -w "${scene.folder}"`);
      expect(Object.keys(scene.tree())).toContain("b.txt");
    },
  );

  test("works under another name of its folder", async () => {
    using scene = await openDone(MEANWHILE["has another name for that folder"]);
    const undone = await scene.press("undo", scene.txId);
    expect(undone.last("outcome").outcome.status).toBe("undone");
    expect(Object.keys(scene.tree())).toEqual(["a.txt"]);
  });
});

test("a session's workspace that is configured no more is no folder of that name elsewhere", async () => {
  using scene = await openScene({ author: WRITER });
  await scene.say("/ws notes");
  await scene.reload(MEANWHILE["has no such workspace"]);
  for (const text of ["plan: c.txt: new", "/undo", "/redo"]) {
    expect((await scene.say(text)).last("error").code).toBe("ERR_WORKSPACE_UNKNOWN");
  }
});
