import { expect, test } from "bun:test";
import { lstatSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compareSnapshots, passDiskTick, takeSnapshot } from "../../src/tools/command/snapshot.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { openCommands } from "./command-scene.ts";

const workspaceOf = (root: string): Workspace => {
  return {
    name: "w",
    root,
    check: "none",
    checkTimeoutMs: 60_000,
    maxActions: 0,
    protectedPaths: [],
  };
};

test("passDiskTick() tells apart what was written before it and what is written behind it", async () => {
  using scene = openCommands("none", {});
  const workspace = workspaceOf(scene.root);
  for (let round = 0; round < 20; round++) {
    const before = await takeSnapshot(workspace);
    writeFileSync(join(scene.root, `old-${round}`), "");
    const startedAt = await passDiskTick(workspace);
    writeFileSync(join(scene.root, `young-${round}`), "");
    const now = await takeSnapshot(workspace);
    const changed = await compareSnapshots(scene.root, before, now, startedAt);
    expect(changed).toEqual([{ path: `young-${round}`, kind: "created" }]);
  }
});

test("compareSnapshots() takes a file that comes to be listed for new if it was born behind the tick", async () => {
  using scene = openCommands("none", { "shown.txt": "here\n" });
  const before = await takeSnapshot(workspaceOf(scene.root));
  writeFileSync(join(scene.root, "mine.log"), "mine\n");
  const now = await takeSnapshot(workspaceOf(scene.root));
  const { birthtimeMs, ctimeMs } = lstatSync(join(scene.root, "mine.log"), { bigint: true });
  const [born, written] = [Number(birthtimeMs || ctimeMs), Number(ctimeMs)];
  const at = (startedAt: number) => compareSnapshots(scene.root, before, now, startedAt);
  expect(await at(born - 1)).toEqual([{ path: "mine.log", kind: "created" }]);
  expect(await at(written)).toEqual([]);
  expect(await at(written + 1)).toEqual([]);
});

test("compareSnapshots() says of a file that was there in the very tick, and is edited, that it is modified", async () => {
  using scene = openCommands("none", {});
  const before = await takeSnapshot(workspaceOf(scene.root));
  const path = join(scene.root, "mine.log");
  writeFileSync(path, "mine\n");
  const startedAt = await passDiskTick(workspaceOf(scene.root));
  const bornAt = Math.floor(lstatSync(path).birthtimeMs);
  writeFileSync(path, "more\n");
  const now = await takeSnapshot(workspaceOf(scene.root));
  // A disk that knows no births cannot tell, and says so by naming it new.
  const [at, kind] = bornAt > 0 ? [bornAt, "modified" as const] : [startedAt, "created" as const];
  const changed = await compareSnapshots(scene.root, before, now, at);
  expect(changed).toEqual([{ path: "mine.log", kind }]);
});
