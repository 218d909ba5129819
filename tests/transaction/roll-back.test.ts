import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Action } from "../../src/protocol/response.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { countOpenFiles } from "../support/open-files.ts";
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
