import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keepUp } from "../../src/daemon/routines/create-routines.ts";
import { createFileTriggers } from "../../src/daemon/routines/file-triggers.ts";
import type { Routine } from "../../src/routines/routine.ts";
import { openScene } from "../agent/scene.ts";
import { until } from "../support/patience.ts";
import { WITHOUT_RIGHTS } from "../support/without-rights.ts";

const QUICK = { quietMs: 20, lookMs: 50 };

const JOB = `[[routines.jobs]]
name = "intake"
schedule = "0 8 * * *"
workspace = "notes"
task = "Sort what came in"
watch = "inbox/**/*.md"
`;

/** A scene whose scheduler only notes what it is told to start; `busy` times it says no. */
async function open(busy = 0) {
  const scene = await openScene({ config: JOB });
  const started: Routine[] = [];
  let left = busy;
  const postponed: string[] = [];
  const scheduler = {
    trigger: (it: Routine) => left-- <= 0 && started.push(it) > 0,
    postpone: ({ name }: Routine) => void postponed.push(name),
  };
  const failed = () => scene.logged.filter((line) => line.includes("WATCH_FAILED"));
  mkdirSync(join(scene.folder, "inbox"));
  return {
    scene,
    scheduler,
    started,
    postponed,
    failed,
    [Symbol.dispose]: () => scene[Symbol.dispose](),
  };
}

/** Writes a file that fits, and waits until the routine was started once more. */
async function startsFor(folder: string, started: readonly Routine[]): Promise<void> {
  const before = started.length;
  writeFileSync(join(folder, `inbox/${before}.md`), "x");
  await until(() => started.length > before);
}

describe("createFileTriggers()", () => {
  test("runs once for files written in quick succession that fit the glob, and no others", async () => {
    using world = await open(1);
    const { scene, started, scheduler } = world;
    const triggers = createFileTriggers(scene.app, scheduler, { quietMs: 60 });
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
    const triggers = createFileTriggers(scene.app, scheduler, QUICK);
    triggers.refresh();
    scene.app.routines.turn("intake", false);
    triggers.refresh();
    writeFileSync(join(scene.folder, "inbox/a.md"), "x");
    await Bun.sleep(200);
    triggers.stop();
    expect(started).toEqual([]);
  });

  test("watches the folder that the configuration names now", async () => {
    using world = await open();
    const { scene, started, scheduler } = world;
    const current = { ...scene.app.current };
    const triggers = createFileTriggers({ ...scene.app, current }, scheduler, QUICK);
    triggers.refresh();
    const other = join(scene.dir, "other");
    mkdirSync(join(other, "inbox"), { recursive: true });
    current.agent = await scene.reload(`[[workspaces]]\nname = "notes"\npath = "./other"\n`);
    triggers.refresh();
    writeFileSync(join(scene.folder, "inbox/old.md"), "x");
    await Bun.sleep(200);
    expect(started).toEqual([]);
    await startsFor(other, started);
    triggers.stop();
  });

  test.each([
    ["moved away", (root: string) => renameSync(root, `${root}.old`)],
    ["removed", (root: string) => rmSync(root, { recursive: true })],
  ])(
    "takes up a folder that was %s when it is back, and says once that it is not there",
    async (_what, leave) => {
      using world = await open();
      const { scene, started, scheduler, failed } = world;
      const triggers = createFileTriggers(scene.app, scheduler, QUICK);
      triggers.refresh();
      leave(scene.folder);
      await until(() => failed().length > 0);
      for (let looks = 0; looks < 20; looks++) triggers.refresh();
      expect(failed()).toHaveLength(1);
      expect(failed()[0]).toContain("there is no folder");
      mkdirSync(join(scene.folder, "inbox"), { recursive: true });
      // What came with it was written while nobody looked.
      await until(() => started.length === 1);
      await startsFor(scene.folder, started);
      triggers.stop();
      await Bun.sleep(100);
    },
  );

  test("leaves what was written just before a stop to the next start", async () => {
    using world = await open();
    const { scene, started, scheduler, postponed } = world;
    let pauseMs = 20;
    await until(async () => {
      const triggers = createFileTriggers(scene.app, scheduler, { quietMs: 100_000 });
      triggers.refresh();
      writeFileSync(join(scene.folder, "inbox/a.md"), "x");
      await Bun.sleep((pauseMs *= 2)); // the kernel tells of it when it likes
      triggers.stop();
      return postponed.length > 0;
    });
    expect([started, postponed]).toEqual([[], ["intake"]]);
  });

  test("asks again when what was written cannot be recorded", async () => {
    using world = await open();
    const { scene, started } = world;
    let left = 2;
    const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
    const trigger = (it: Routine) => {
      if (left-- > 0) throw full;
      return started.push(it) > 0;
    };
    const triggers = createFileTriggers(scene.app, { ...world.scheduler, trigger }, QUICK);
    triggers.refresh();
    writeFileSync(join(scene.folder, "inbox/a.md"), "x");
    await until(() => started.length > 0);
    triggers.stop();
    expect(scene.logged.filter((line) => line.includes("disk is full"))).toHaveLength(2);
  });
});

test("createFileTriggers() watches what it can of a folder, says so once and runs nothing for it", () => {
  const script = Bun.fileURLToPath(new URL("./closed-folder-child.ts", import.meta.url));
  const child = Bun.spawnSync([...WITHOUT_RIGHTS, process.execPath, script]);
  const { troubles, ...counts } = JSON.parse(String(child.stdout));
  expect(counts).toEqual({ unasked: 0, failed: 1 });
  expect(troubles).toEqual([["intake", expect.stringContaining("closed")]]);
});

test("createFileTriggers() watches nothing while a daemon of a copy runs the routines", async () => {
  using world = await open();
  const { scene, started, scheduler } = world;
  let isHeld = true;
  const triggers = createFileTriggers(scene.app, scheduler, { ...QUICK, isHeld: () => isHeld });
  triggers.refresh();
  writeFileSync(join(scene.folder, "inbox/held.md"), "x");
  await Bun.sleep(200);
  expect(started).toEqual([]);
  isHeld = false;
  triggers.refresh();
  await startsFor(scene.folder, started);
  triggers.stop();
});

test("keepUp() goes on when the list of routines could not be read for once", async () => {
  using world = await open();
  const { scene, started, scheduler } = world;
  let isLocked = true;
  const list = () => {
    if (isLocked) throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
    return scene.app.routines.list();
  };
  const host = { ...scene.app, routines: { ...scene.app.routines, list } };
  let wakes = 0;
  const wake = () => {
    wakes++;
    if (isLocked) list();
  };
  const up = keepUp(host, { ...scheduler, wake });
  const write = () => scene.app.routines.turn("intake", true);
  await until(() => (write(), wakes > 0));
  isLocked = false;
  const before = wakes;
  await until(() => (write(), wakes > before));
  await startsFor(scene.folder, started);
  up.stop();
});
