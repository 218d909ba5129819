import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../src/core/app-error.ts";
import { createLogFile } from "../../src/daemon/app/log-file.ts";
import { createReadLogs } from "../../src/daemon/app/read-logs.ts";
import { createRoutineRuns } from "../../src/store/routines/routines.ts";
import { keepLastCheck } from "../../src/transaction/last-check.ts";
import { reasonOf, toWorkspace } from "../planner/planner-scene.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

function open() {
  const home = tempDir();
  const folder = tempDir();
  const store = memoryStore();
  const runs = createRoutineRuns(store);
  const readLogs = createReadLogs(home.path, runs);
  const workspace = toWorkspace(folder.path);
  return {
    home: home.path,
    workspace,
    runs,
    read: (source: string, lastN = 200) => readLogs(source, { workspace, lastN }),
    [Symbol.dispose]() {
      store.close();
      home[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

describe("createReadLogs() daemon", () => {
  test("reads what the daemon writes, from its end and in whole lines", async () => {
    using scene = open();
    expect(await scene.read("daemon")).toBeUndefined();
    const log = createLogFile(scene.home);
    log.write(`${"я".repeat(99)}\n`.repeat(10_000));
    log.write("last\n");
    const text = (await scene.read("daemon")) ?? "";
    expect(text).toEndWith("\nlast\n");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(512 * 1024);
    expect(new Set(text.split("\n"))).toEqual(new Set(["я".repeat(99), "last", ""]));
  });
});

describe("createReadLogs() routine", () => {
  test("shows the newest runs of that routine, oldest first", async () => {
    using scene = open();
    expect(await scene.read("routine:nightly")).toBeUndefined();
    const dues = [0, 60_000, 120_000];
    for (const routine of ["nightly", "other"]) {
      scene.runs.claim({ routine, dues, cause: "manual", now: 0, leaseUntil: 1e9 });
      for (const due of dues) scene.runs.begin(routine, due, due, 1e9);
    }
    const end = { state: "ok", delivery: "none" } as const;
    void scene.runs.finish("nightly", 60_000, 0, { ...end, output: "fine\n" });
    void scene.runs.finish("nightly", 120_000, 0, {
      ...end,
      state: "failed",
      output: "",
      error: "no",
    });
    expect(await scene.read("routine:nightly", 2)).toBe(
      "1970-01-01T00:01:00.000Z ok\nfine\n1970-01-01T00:02:00.000Z failed: no",
    );
  });
});

describe("createReadLogs() check", () => {
  test("shows the newest checks of the workspace", async () => {
    using scene = open();
    expect(await scene.read("check")).toBeUndefined();
    const check = { ok: true, stages: [], sandbox: "none" } as const;
    keepLastCheck(scene.workspace, check, { now: 0, ref: "tx_1", log: silentLog });
    expect(await scene.read("check")).toBe("1970-01-01T00:00:00.000Z passed tx_1\n");
  });

  test("follows no link out of the workspace", async () => {
    using scene = open();
    writeTree(scene.home, { "secret.txt": "hunter2" });
    writeTree(scene.workspace.root, { ".papa-yu/x": "" });
    const link = join(scene.workspace.root, ".papa-yu/last-check.log");
    symlinkSync(join(scene.home, "secret.txt"), link);
    expect(await reasonOf(scene.read("check"))).toBeInstanceOf(AppError);
  });
});
