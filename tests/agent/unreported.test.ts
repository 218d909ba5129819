import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  listUnreported,
  makeChange,
  noteUnreported,
} from "../../src/agent/interrupted/begun-change.ts";
import { openScene, WRITER } from "./scene.ts";

/** A terminal: nobody brings its messages again. */
const OWNER = { sessionId: "terminal:1", userId: "owner" };
const NEIGHBOUR = { sessionId: "terminal:1.2", userId: "owner" };

/** A home where a process ended behind a commit, or before it, and told nobody. */
async function openLeft(status: "committed" | "none") {
  const scene = await openScene({ author: WRITER, config: '[security]\nautonomy = "full"\n' });
  const { agent } = scene.app.current;
  const { operations } = agent.plans;
  const { core } = agent;
  const { signal } = new AbortController();
  const place = { speaker: OWNER, work: { id: "work_1", isKept: false }, signal };
  const workspace = core.workspaces.get("notes");
  const plan = await operations.plan(workspace, "b.txt: new", { signal });
  if (!plan.ok) throw new Error(plan.message);
  const { planId } = plan;
  noteUnreported(place, core);
  const unreported = core.settings.of("untold.");
  // As another process would have written it, which is gone.
  for (const { id, value } of unreported.below("")) {
    unreported.set(id, { ...value, runner: "1-1-gone" });
  }
  const apply = async () => {
    if (status === "committed") await operations.apply(planId, { signal, work: "work_1" });
    throw new Error("ended");
  };
  const ended = await makeChange(place, core, { planId }, apply).catch(String);
  expect(ended).toBe("Error: ended");
  return { scene, core };
}

describe("a change of a terminal whose outcome was never reported", () => {
  test("is reported in the session before its next answer, once, and nowhere else", async () => {
    const { scene } = await openLeft("committed");
    using _ = scene;
    expect((await scene.say("/help", NEIGHBOUR)).kinds).toEqual(["content", "done"]);
    const reply = await scene.say("/help", OWNER);
    expect(reply.kinds).toEqual(["outcome", "content", "done"]);
    expect(reply.last("outcome").outcome).toMatchObject({
      status: "committed",
      workspace: "notes",
    });
    expect((await scene.say("/help", OWNER)).kinds).toEqual(["content", "done"]);
  });

  test("is in the report of one start, and still reported in its session", async () => {
    const { scene, core } = await openLeft("committed");
    using _ = scene;
    expect(listUnreported(core)).toMatchObject([{ status: "committed", workspace: "notes" }]);
    expect(listUnreported(core)).toEqual([]);
    expect((await scene.say("/help", OWNER)).kinds[0]).toBe("outcome");
  });

  test("is none when nothing was changed", async () => {
    const { scene, core } = await openLeft("none");
    using _ = scene;
    expect(listUnreported(core)).toEqual([]);
    expect((await scene.say("/help", OWNER)).kinds).toEqual(["content", "done"]);
    expect(core.settings.of("untold.").below("")).toEqual([]);
    expect(Object.keys(scene.tree())).not.toContain("b.txt");
  });

  test("is forgotten when the work itself reports it", async () => {
    using scene = await openScene({ author: WRITER });
    await scene.say("plan: b.txt: new", OWNER);
    const { approvalId } = (await scene.say("ok", OWNER)).last("approval");
    expect((await scene.press("approve", approvalId, OWNER)).kinds).toContain("outcome");
    expect(scene.app.current.agent.core.settings.of("untold.").below("")).toEqual([]);
    expect(await Bun.file(join(scene.folder, "b.txt")).exists()).toBe(true);
  });
});
