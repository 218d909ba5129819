import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import { countOpenFiles } from "../support/open-files.ts";
import { IS_ROOT } from "../support/root.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { crashChangeSet, writeCrashScene } from "./crash-scene.ts";
import { applyActions, bunCheck, leaveUnfinished, requestFor, workspaceAt } from "./scene.ts";

const FAILING = [bunCheck("process.exit(1)")];

describe("rollBack()", () => {
  test("brings the same files back: owner, times and attributes with them", async () => {
    using dir = tempDir();
    writeCrashScene(dir.path);
    const workspace = workspaceAt(dir.path);
    const identify = () =>
      ["run.sh", "tool.sh", "text/crlf.txt", "old/in/gone.bin"].map((path) => {
        const { ino, mtimeNs, mode, uid } = statSync(join(dir.path, path), { bigint: true });
        return { path, ino, mtimeNs, mode, uid };
      });
    const before = identify();
    const request = requestFor(workspace, crashChangeSet(workspace), { checks: FAILING });
    expect(await runTransaction(request)).toMatchObject({ status: "rolled_back" });
    expect(identify()).toEqual(before);
  });

  test.if(IS_ROOT).each([
    [0, 12_345],
    [12_345, 0],
    [12_345, 12_345],
  ])("leaves a changed file its owner %d and group %d, and so does an undo", async (uid, gid) => {
    using dir = tempDir();
    writeTree(dir.path, { "a.txt": "one\n" });
    const path = join(dir.path, "a.txt");
    chmodSync(path, 0o640);
    chownSync(path, uid, gid);
    const workspace = workspaceAt(dir.path);
    const lines = { start_line: 1, end_line: 1, content: "two" };
    const base_sha256 = sha256("one\n");
    const action = { kind: "REPLACE_RANGE", path: "a.txt", base_sha256, ...lines } as const;
    expect(await applyActions(workspace, [action])).toMatchObject({ ok: true });
    expect(statSync(path)).toMatchObject({ uid, gid, mode: 0o100640, size: 4 });
    const { signal } = new AbortController();
    expect(await undo({ workspace, clock: systemClock, log: silentLog, signal })).toMatchObject({
      ok: true,
    });
    expect(readFileSync(path, "utf8")).toBe("one\n");
    expect(statSync(path)).toMatchObject({ uid, gid, mode: 0o100640 });
  });

  test("loses nothing of a file that grew beyond what papa-yu reads, by whoever had it open", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "app.log": "one\n" });
    const path = join(dir.path, "app.log");
    const fd = openSync(path, "a");
    const { ino } = statSync(path);
    const onProgress = () => ftruncateSync(fd, 65 * 1024 * 1024);
    const lines = { start_line: 1, end_line: 1, content: "two" };
    const base = { path: "app.log", base_sha256: sha256("one\n") };
    const action = { kind: "REPLACE_RANGE", ...base, ...lines } as const;
    const workspace = workspaceAt(dir.path);
    const options = { checks: [bunCheck("")], onProgress };
    const result = await applyActions(workspace, [action], options);
    closeSync(fd);
    expect(result).toMatchObject({ ok: false, status: "conflict" });
    expect(statSync(path)).toMatchObject({ ino, size: 65 * 1024 * 1024 });
  });

  test("takes a mode that a check changed for no edit", async () => {
    using dir = tempDir();
    writeCrashScene(dir.path);
    const workspace = workspaceAt(dir.path);
    const onProgress = () => chmodSync(join(dir.path, "run.sh"), 0o700);
    const checks = FAILING;
    const request = requestFor(workspace, crashChangeSet(workspace), { checks, onProgress });
    const before = readTree(dir.path);
    await runTransaction(request);
    expect(readTree(dir.path)).toEqual(before);
  });

  test.each([
    ["tx/TX", 0],
    ["tx/TX", 1],
    ["objects", 0],
    ["objects", 1],
  ])(
    "follows no link in the place of %s after a check that ends with %d",
    async (name, exitCode) => {
      using dir = tempDir();
      using outside = tempDir();
      writeCrashScene(dir.path);
      writeTree(outside.path, { "stage-0": "1", "stage-1.old": "2", "journal.jsonl": "3" });
      const before = [readTree(dir.path), readTree(outside.path)];
      const check = bunCheck(`const fs = require("fs");
      const outside = ${JSON.stringify(outside.path)};
      const [tx] = fs.readdirSync(".papa-yu/tx");
      const place = ".papa-yu/${name}".replace("TX", tx);
      fs.rmSync(place, { recursive: true });
      fs.symlinkSync(outside, place);
      fs.linkSync(outside + "/stage-0", outside + "/" + tx + ".tar");
      process.exit(${exitCode});`);
      const workspace = workspaceAt(dir.path);
      const request = requestFor(workspace, crashChangeSet(workspace), { checks: [check] });
      const result = await runTransaction(request);
      expect(result).toMatchObject({ status: "rolled_back" });
      const archive = readdirSync(outside.path).find((path) => path.endsWith(".tar")) ?? "";
      unlinkSync(join(outside.path, archive));
      expect([readTree(dir.path), readTree(outside.path)]).toEqual(before);
    },
  );

  test("holds few folders open, however many there are", async () => {
    using dir = tempDir();
    const actions = Array.from({ length: 100 }, (_, index): Action => {
      return { kind: "CREATE_FILE", path: `d${index}/e/f.txt`, content: `${index}\n` };
    });
    const open: number[] = [];
    const onStep = () => open.push(countOpenFiles(dir.path));
    const workspace = workspaceAt(dir.path);
    const result = await applyActions(workspace, actions, { onStep, checks: FAILING });
    expect(result).toMatchObject({ code: "AUTO_CHECK_FAILED_ROLLED_BACK" });
    expect(Math.max(...open)).toBeLessThan(50);
    expect(readTree(dir.path)).toEqual({});
  });
});

describe("recover()", () => {
  test("removes nothing through a link in the place of the transactions", () => {
    using dir = tempDir();
    using outside = tempDir();
    mkdirSync(join(outside.path, "tx_abc"));
    writeFileSync(join(outside.path, "tx_abc/precious"), "1");
    const workspace = workspaceAt(dir.path);
    leaveUnfinished(workspace, [], { inHomeOnly: true, txId: "tx_abc" });
    Bun.spawnSync(["ln", "-s", outside.path, join(dir.path, ".papa-yu/tx")]);
    expect(recover(workspace, { log: () => {} })).toEqual([]);
    expect(readTree(outside.path)).toHaveProperty(["tx_abc/precious"]);
  });
});
