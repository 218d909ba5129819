import { describe, expect, test } from "bun:test";
import { createTrigger } from "../../src/daemon/routines/routine-triggers.ts";
import type { Routine } from "../../src/routines/routine.ts";
import { openScene } from "../agent/scene.ts";

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
async function open(busy = 0, env: Record<string, string> = { INTAKE: "s3cret" }, config = JOB) {
  const scene = await openScene({ config, env });
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
    const secret = `sk-${"a1B2".repeat(8)}`;
    expect((await trigger("intake", "s3cret", async () => `key ${secret}`)).status).toBe(202);
    expect(world.started.pop()?.input).not.toContain(secret);
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

  test("refuses a routine that cannot run", async () => {
    const config = JOB.replace('"0 8 * * *"', '"0 0 30 2 *"');
    using world = await open(0, { INTAKE: "s3cret" }, config);
    const trigger = createTrigger(world.scene.app, world.scheduler);
    const done = await trigger("intake", "s3cret", async () => "");
    expect(done).toEqual({ status: 409, message: expect.stringContaining("cannot run") });
    expect(world.started).toEqual([]);
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
