import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findEnded, findLast, makeChange } from "../../src/agent/interrupted/begun-change.ts";
import { systemClock } from "../../src/core/clock.ts";
import { interruption } from "../../src/core/interruption.ts";
import { workOfPart } from "../../src/transaction/journal/journal.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import type { OutcomeView } from "../../src/transaction/views.ts";
import { silentLog } from "../support/silent-log.ts";
import { applyActions } from "../transaction/scene.ts";
import { openScene, type Scene, WRITER } from "./scene.ts";

const { signal } = new AbortController();

/** A change that is made, and whose outcome papa-yu does not live to see. */
async function dieBehind(scene: Scene, workId: string, change: () => Promise<OutcomeView>) {
  await tellOf(scene, workId, change);
  return findEnded(scene.app.current.agent.core, workId)?.outcome;
}

async function changed(scene: Scene): Promise<void> {
  for (const goal of ["b.txt: new", "a.txt: uno"]) {
    await scene.say(`plan: ${goal}`);
    const { approvalId } = (await scene.say("ok")).last("approval");
    await scene.press("approve", approvalId);
  }
}

describe("findEnded()", () => {
  test("knows an undo and a redo by the journal", async () => {
    using scene = await openScene({ author: WRITER });
    await changed(scene);
    const { agent } = scene.app.current;
    const { operations } = agent.plans;
    const notes = agent.core.workspaces.get("notes");
    const undone = await dieBehind(scene, "w1", () =>
      operations.undo(notes, signal, { work: "w1" }),
    );
    expect(undone).toMatchObject({ ok: true, status: "undone", changes: [{ path: "a.txt" }] });
    const redone = await dieBehind(scene, "w2", () =>
      operations.redo(notes, signal, { work: "w2" }),
    );
    expect(redone).toMatchObject({ ok: true, status: "redone" });
    expect(findEnded(agent.core, "w3")).toBeUndefined();
  });

  test("keeps the very outcome once it is known, and none of a question", async () => {
    using scene = await openScene({ author: WRITER });
    const { agent } = scene.app.current;
    const { operations } = agent.plans;
    const notes = agent.core.workspaces.get("notes");
    const plan = await operations.plan(notes, "b.txt: new", { signal });
    if (!plan.ok) throw new Error(plan.message);
    const { planId } = plan;
    const place = { work: { id: "w" }, signal };
    const asked = await makeChange(place, agent.core, { planId }, () =>
      operations.apply(planId, { signal }),
    );
    expect(findEnded(agent.core, "w")).toBeUndefined();
    const approved = asked.preview?.changeSetId ?? "";
    const done = await makeChange(place, agent.core, { planId }, () =>
      operations.apply(planId, { signal, approved, work: "w" }),
    );
    expect(findEnded(agent.core, "w")).toEqual({
      planId,
      outcome: JSON.parse(JSON.stringify(done)),
    });
  });

  test("does not count a change put back at shutdown as ended; a work that is not redelivered is notified", async () => {
    using scene = await openScene({ author: WRITER, check: '[["sleep", "60"]]' });
    await scene.say("plan: b.txt: new");
    const { approvalId, preview } = (await scene.say("ok")).last("approval");
    const { planId, changeSetId: approved } = preview;
    const stop = new AbortController();
    const { agent } = scene.app.current;
    const { operations } = agent.plans;
    const place = { work: { id: "w" }, signal: stop.signal };
    const outcome = await makeChange(place, agent.core, { planId }, () =>
      operations.apply(planId, {
        approved,
        work: "w",
        signal: stop.signal,
        onProgress: () => stop.abort(interruption()),
      }),
    );
    expect(approvalId).not.toBe("");
    expect(outcome).toMatchObject({ status: "rolled_back", errorCode: "ERR_INTERRUPTED" });
    expect(findEnded(agent.core, "w")).toBeUndefined();
    expect(findLast(agent.core, "w")?.outcome).toMatchObject({ status: "rolled_back" });
    expect(Object.keys(scene.tree())).not.toContain("b.txt");
  });

  test("tells what an undo left as it is", async () => {
    using scene = await openScene({ author: WRITER });
    const { agent } = scene.app.current;
    const { operations } = agent.plans;
    const notes = agent.core.workspaces.get("notes");
    const create = (path: string) => ({ kind: "CREATE_FILE", path, content: path }) as const;
    await applyActions(notes, [create("b.txt"), create("c.txt")]);
    writeFileSync(join(scene.folder, "c.txt"), "mine");
    const left = await dieBehind(scene, "w", () => operations.undo(notes, signal, { work: "w" }));
    expect(left).toMatchObject({ ok: false, status: "conflict", changes: [{ path: "b.txt" }] });
    expect(left?.error).toContain('"c.txt": edited since; left as it is, the rest was taken back');
  });
});

describe("parts that follow each other", () => {
  const CASES = [
    { before: 0, made: 1, all: 4 },
    { before: 0, made: 4, all: 4 },
    { before: 2, made: 1, all: 4 },
    { before: 2, made: 2, all: 4 },
    { before: 3, made: 1, all: 4 },
  ];

  test.each(CASES)("are told by their journals: %o", async ({ before, made, all }) => {
    using scene = await openScene({ author: WRITER });
    const { core } = scene.app.current.agent;
    const notes = core.workspaces.get("notes");
    const make = async (work: string, number: number) => {
      const action = { kind: "CREATE_FILE", path: `${number}.md`, content: "x\n" } as const;
      return applyActions(notes, [action], { work: workOfPart(work, number, all) });
    };
    for (let number = 1; number <= before; number++) await make("earlier", number);
    const { outcome } = await tellOf(scene, "w", async () => {
      for (let index = 1; index <= made; index++) await make("w", before + index);
    });
    const isWhole = before + made === all;
    expect(outcome).toMatchObject({ ok: isWhole, touched: true });
    expect(outcome?.status).toBe(isWhole ? "committed" : "rejected");
    const paths = outcome?.changes.map(({ path }) => path);
    expect(paths).toEqual(Array.from({ length: made }, (_, at) => `${before + at + 1}.md`));
    expect(outcome?.row?.done).toBe(before);
    expect(outcome?.row?.parts.map(({ status }) => status)).toEqual([
      ...Array(made).fill("committed"),
      ...Array(all - before - made).fill("not begun"),
    ]);
    expect(findEnded(core, "w") !== undefined).toBe(isWhole);
  });

  test.each([1, 2, 3])("of which %i were taken back are told as that", async (count) => {
    using scene = await openScene({ author: WRITER });
    const { core } = scene.app.current.agent;
    const notes = core.workspaces.get("notes");
    for (const number of [1, 2, 3]) {
      const action = { kind: "CREATE_FILE", path: `${number}.md`, content: "x\n" } as const;
      await applyActions(notes, [action], { work: workOfPart("a", number, 3) });
    }
    const request = { workspace: notes, clock: systemClock, log: silentLog, signal };
    const { outcome } = await tellOf(scene, "u", async () => {
      for (let number = 1; number <= count; number++) {
        await undo({ ...request, work: workOfPart("u", number, 3) });
      }
    });
    const isWhole = count === 3;
    expect(outcome).toMatchObject({ ok: isWhole, status: isWhole ? "undone" : "rejected" });
    expect(outcome?.row).toBeUndefined();
    expect(outcome?.changes.map(({ path }) => path)).toEqual(
      ["3.md", "2.md", "1.md"].slice(0, count),
    );
  });
});

/** How a work is told whose papa-yu died behind it. */
async function tellOf(scene: Scene, workId: string, change: () => Promise<unknown>) {
  const { core } = scene.app.current.agent;
  const die = async (): Promise<OutcomeView> => {
    await change();
    throw new Error("killed");
  };
  await makeChange({ work: { id: workId }, signal }, core, {}, die).catch(() => {});
  return { outcome: findLast(core, workId)?.outcome };
}
