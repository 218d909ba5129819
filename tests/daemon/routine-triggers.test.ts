import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFileTriggers, createTrigger } from "../../src/daemon/routines/routine-triggers.ts";
import type { Routine } from "../../src/routines/routine.ts";
import { openScene } from "../agent/scene.ts";
import { until } from "../support/patience.ts";

const JOB = `[[routines.jobs]]
name = "intake"
schedule = "0 8 * * *"
workspace = "notes"
task = "Sort what came in"
watch = "inbox/**/*.md"
trigger_secret = "env:INTAKE"
[[routines.jobs]]
name = "closed"
schedule = "0 8 * * *"
mode = "ask"
task = "Nobody calls me"
`;

/** A scene whose scheduler only notes what it is told to start; `busy` times it says no. */
async function open(busy = 0, env: Record<string, string> = { INTAKE: "s3cret" }) {
  const scene = await openScene({ config: JOB, env });
  const started: Routine[] = [];
  let left = busy;
  const scheduler = { trigger: (it: Routine) => left-- <= 0 && started.push(it) > 0 };
  return { scene, scheduler, started, [Symbol.dispose]: () => scene[Symbol.dispose]() };
}

describe("createTrigger()", () => {
  test("runs a routine for its secret, with what was sent as visible text", async () => {
    using world = await open();
    const trigger = createTrigger(world.scene.app, world.scheduler);
    const done = await trigger("intake", "s3cret", async () => "new\u202e mail");
    expect(done.status).toBe(202);
    expect(world.started).toMatchObject([{ name: "intake" }]);
    expect(world.started[0]?.input).not.toContain("\u202e");
    expect((await trigger("intake", "s3cret", async () => "")).status).toBe(202);
    expect(world.started[1]).not.toHaveProperty("input");
  });

  test.each([
    ["a wrong secret", "intake", "s3cre"],
    ["no secret", "intake", ""],
    ["a routine without a secret", "closed", ""],
    ["an unknown routine", "nope", "s3cret"],
  ])("answers 401 to %s and reads no body", async (_what, name, secret) => {
    using world = await open();
    const trigger = createTrigger(world.scene.app, world.scheduler);
    let hasRead = false;
    const done = await trigger(name, secret, async () => {
      hasRead = true;
      return "";
    });
    expect(done).toEqual({ status: 401, message: "there is no such routine with this secret" });
    expect(hasRead).toBe(false);
    expect(world.started).toEqual([]);
  });

  test("answers 401 while the secret cannot be read", async () => {
    using world = await open(0, {});
    const trigger = createTrigger(world.scene.app, world.scheduler);
    expect((await trigger("intake", "", async () => "")).status).toBe(401);
  });

  test("refuses a large body, a disabled routine and one that runs", async () => {
    using world = await open(1);
    const trigger = createTrigger(world.scene.app, world.scheduler);
    const call = (body = "") => trigger("intake", "s3cret", async () => body);
    expect((await call("x".repeat(70_000))).status).toBe(413);
    expect((await call()).status).toBe(409);
    world.scene.app.routines.turn("intake", false);
    expect(await call()).toEqual({ status: 409, message: "the routine is disabled" });
    expect(world.started).toEqual([]);
  });
});

describe("createFileTriggers()", () => {
  test("runs once for files written in quick succession that fit the glob, and no others", async () => {
    using world = await open(1);
    const { scene, started, scheduler } = world;
    mkdirSync(join(scene.folder, "inbox"));
    const triggers = createFileTriggers(scene.app, scheduler, 60);
    triggers.refresh();
    writeFileSync(join(scene.folder, "other.md"), "x");
    mkdirSync(join(scene.folder, ".papa-yu/inbox"), { recursive: true });
    writeFileSync(join(scene.folder, ".papa-yu/inbox/a.md"), "x");
    await Bun.sleep(300);
    expect(started).toEqual([]);
    for (const name of ["a", "b", "c"]) writeFileSync(join(scene.folder, `inbox/${name}.md`), "x");
    // The scheduler was busy the first time, so it is asked again.
    await until(() => started.length > 0);
    expect(started.map(({ name }) => name)).toEqual(["intake"]);
    triggers.stop();
    writeFileSync(join(scene.folder, "inbox/d.md"), "x");
    await Bun.sleep(200);
    expect(started).toHaveLength(1);
  });

  test("stops watching for a routine that is switched off", async () => {
    using world = await open();
    const { scene, started, scheduler } = world;
    mkdirSync(join(scene.folder, "inbox"));
    const triggers = createFileTriggers(scene.app, scheduler, 20);
    triggers.refresh();
    scene.app.routines.turn("intake", false);
    triggers.refresh();
    writeFileSync(join(scene.folder, "inbox/a.md"), "x");
    await Bun.sleep(200);
    triggers.stop();
    expect(started).toEqual([]);
  });
});
