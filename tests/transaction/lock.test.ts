import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../src/core/app-error.ts";
import { interruption } from "../../src/core/interruption.ts";
import { takeWorkspaceLock, withWorkspaceLock } from "../../src/transaction/lock.ts";
import { countOpenFiles } from "../support/open-files.ts";
import { tempDir } from "../support/temp.ts";
import { workspaceAt } from "./scene.ts";

const NOW = Date.UTC(2026, 0, 1);

/** A workspace, and a clock that counts its sleeps. */
function openScene() {
  const dir = tempDir();
  const workspace = workspaceAt(dir.path);
  const slept: number[] = [];
  const { signal } = new AbortController();
  const clock = { now: () => NOW, sleep: async (ms: number) => void slept.push(ms) };
  return {
    dir: dir.path,
    workspace,
    slept,
    request: { workspace, clock, signal },
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(() => "none").catch((error: unknown) => error);
}

describe("withWorkspaceLock()", () => {
  test("waits as long as it was told, then names who has the lock", async () => {
    using scene = openScene();
    const release = takeWorkspaceLock(scene.workspace, 'apply of "x"', NOW);
    for (const [waitMs, sleeps] of [
      [0, 0],
      [1, 1],
      [100, 1],
      [101, 2],
    ] as const) {
      scene.slept.length = 0;
      const asked = { ...scene.request, waitMs };
      const error = await failureOf(withWorkspaceLock(asked, "undo", async () => {}));
      expect([waitMs, scene.slept]).toEqual([waitMs, Array.from({ length: sleeps }, () => 100)]);
      expect(error).toMatchObject({
        code: "ERR_WORKSPACE_BUSY",
        message: `Cannot write to "test": process ${process.pid} has it since 2026-01-01T00:00:00.000Z for apply of "x"; wait for it or stop it`,
        details: { pid: process.pid, since: NOW, what: 'apply of "x"' },
      });
    }
    release();
    expect(await withWorkspaceLock(scene.request, "undo", async () => 7)).toBe(7);
  });

  test("goes on with the first look after the lock is free", async () => {
    using scene = openScene();
    const release = takeWorkspaceLock(scene.workspace, "apply", NOW);
    const sleep = async (ms: number) => {
      scene.slept.push(ms);
      if (scene.slept.length === 3) release();
    };
    const request = { ...scene.request, clock: { now: () => NOW, sleep } };
    expect(await withWorkspaceLock(request, "undo", async () => "done")).toBe("done");
    expect(scene.slept).toHaveLength(3);
  });

  test("gives the lock back whatever becomes of the work, and leaves nothing open", async () => {
    using scene = openScene();
    const failing = withWorkspaceLock(scene.request, "apply", async () => {
      expect(() => takeWorkspaceLock(scene.workspace, "other", NOW)).toThrow(AppError);
      throw new Error("no");
    });
    expect(String(await failureOf(failing))).toBe("Error: no");
    takeWorkspaceLock(scene.workspace, "other", NOW)();
    expect(countOpenFiles(scene.dir)).toBe(0);
  });

  test.each([
    ["ERR_CANCELLED", undefined, "Cancelled before undo began"],
    ["ERR_INTERRUPTED", interruption(), ""],
  ])("begins nothing that is given up: %s", async (code, reason, message) => {
    using scene = openScene();
    const signal = AbortSignal.abort(reason);
    const work = async () => expect.unreachable();
    const error = await failureOf(withWorkspaceLock({ ...scene.request, signal }, "undo", work));
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test("ends a wait that is given up", async () => {
    using scene = openScene();
    const release = takeWorkspaceLock(scene.workspace, "apply", NOW);
    const controller = new AbortController();
    const sleep = async () => {
      scene.slept.push(1);
      controller.abort();
      throw new Error("aborted");
    };
    const request = {
      ...scene.request,
      clock: { now: () => NOW, sleep },
      signal: controller.signal,
    };
    const error = await failureOf(withWorkspaceLock(request, "undo", async () => {}));
    expect(error).toMatchObject({ code: "ERR_CANCELLED" });
    expect(scene.slept).toHaveLength(1);
    release();
  });

  test("takes nothing else in the place of a lock for one", () => {
    using scene = openScene();
    mkdirSync(join(scene.dir, ".papa-yu/lock"), { recursive: true });
    expect(() => takeWorkspaceLock(scene.workspace, "apply", NOW)).toThrow();
  });
});
