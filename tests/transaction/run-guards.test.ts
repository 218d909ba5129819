import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { interruption } from "../../src/core/interruption.ts";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { findLeftovers } from "../../src/transaction/journal/journal.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { journalPath } from "../../src/transaction/stage/stage.ts";
import type { TransactionResult } from "../../src/transaction/transaction.ts";
import { homeOf } from "../support/ledger.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { applyActions, changeSetOf, requestFor, workspaceAt } from "./scene.ts";

const ACTIONS: readonly Action[] = [
  { kind: "CREATE_FILE", path: "src/new.ts", content: "new\n" },
  {
    kind: "REPLACE_RANGE",
    path: "a.txt",
    base_sha256: sha256("one\n"),
    start_line: 1,
    end_line: 1,
    content: "1",
  },
];

function scene(root: string) {
  writeTree(root, { "a.txt": "one\n" });
  return workspaceAt(root);
}

describe("runTransaction()", () => {
  test("does not write over an edit that came between the look and the file's own turn", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const onStep = (step: string) => {
      if (step === "mkdir src") writeFileSync(join(dir.path, "a.txt"), "late edit\n");
    };
    const result = await applyActions(workspace, ACTIONS, { onStep });
    expect(result).toMatchObject({ status: "conflict", code: "ERR_RECOVERY_CONFLICT" });
    expect(readFileSync(join(dir.path, "a.txt"), "utf8")).toBe("late edit\n");
    expect(readdirSync(join(dir.path, ".papa-yu/tx", txIdOf(result)))).toEqual(["journal.jsonl"]);
  });

  test.each([
    ["is gone", (path: string) => rmSync(path, { recursive: true })],
    [
      "is a file",
      (path: string) => {
        rmSync(path, { recursive: true });
        writeFileSync(path, "");
      },
    ],
  ])("begins nothing when a folder that is to go %s", async (_what, change) => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    mkdirSync(join(dir.path, "empty"));
    const changeSet = changeSetOf(workspace, [{ kind: "DELETE_DIR", path: "empty" }]);
    change(join(dir.path, "empty"));
    const result = await runTransaction(requestFor(workspace, changeSet));
    expect(result).toMatchObject({ status: "rejected", code: "ERR_CHANGE_SET_STALE" });
    expect(readHistory(workspace)).toEqual([]);
  });

  test("says that a folder which was filled just now is stale, where all is as before", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    mkdirSync(join(dir.path, "empty"));
    const onStep = (step: string) => {
      if (step === "staged") writeFileSync(join(dir.path, "empty/late"), "");
    };
    const result = await applyActions(workspace, [{ kind: "DELETE_DIR", path: "empty" }], {
      onStep,
    });
    expect(result).toMatchObject({ status: "rolled_back", code: "ERR_CHANGE_SET_STALE" });
  });

  test("tells each check as it begins, once where its name is its command", async () => {
    using dir = tempDir();
    const steps: unknown[] = [];
    const checks = [
      { name: "true", argv: ["true"] },
      { name: "all well", argv: ["test", "-d", "/"] },
    ];
    const onProgress = (step: unknown) => void steps.push(step);
    await applyActions(scene(dir.path), ACTIONS, { checks, onProgress });
    expect(steps).toEqual([
      { check: "true", at: 1, of: 2 },
      { check: "all well: test -d /", at: 2, of: 2 },
    ]);
  });

  test("begins nothing without the key that seals journals, and leaves no trace of it", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const home = homeOf(dir.path);
    const before = readTree(dir.path);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "journal.key"), "no key\n");
    const failed = await applyActions(workspace, ACTIONS).catch((error: unknown) => error);
    expect(JSON.stringify(failed)).toContain("it holds no key");
    expect(readTree(dir.path)).toEqual(before);
    expect(readdirSync(join(dir.path, ".papa-yu/tx"))).toEqual([]);
    rmSync(join(home, "journal.key"));
    expect(findLeftovers(workspace).own).toEqual([]);
    expect(await applyActions(workspace, ACTIONS)).toMatchObject({ status: "committed" });
  });

  test("makes no further change once it is cancelled, and leaves nothing of those it had staged", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const before = readTree(dir.path);
    const controller = new AbortController();
    const steps: string[] = [];
    const onStep = (step: string) => {
      steps.push(step);
      if (step === "mkdir src") controller.abort();
    };
    const { signal } = controller;
    const result = await applyActions(workspace, ACTIONS, { onStep, signal });
    expect(result).toMatchObject({ status: "rolled_back", code: "ERR_CANCELLED" });
    expect(steps).toContain("mkdir src");
    expect(steps).not.toContain("create src/new.ts");
    expect(readTree(dir.path)).toEqual(before);
    expect(readdirSync(join(dir.path, ".papa-yu/tx", txIdOf(result)))).toEqual(["journal.jsonl"]);
  });

  test("tells a stop of papa-yu before it began from a cancel", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const changeSet = changeSetOf(workspace, ACTIONS);
    const codes: unknown[] = [];
    for (const signal of [AbortSignal.abort(), AbortSignal.abort(interruption())]) {
      const result = await runTransaction(requestFor(workspace, changeSet, { signal }));
      codes.push([result.status, !result.ok && result.code]);
    }
    expect(codes).toEqual([
      ["rejected", "ERR_CANCELLED"],
      ["rejected", "ERR_INTERRUPTED"],
    ]);
  });

  test("writes down that it goes back before the first file does, even after a commit's line", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const before = readTree(dir.path);
    const newest: string[] = [];
    let isBack = false;
    const onStep = (step: string) => {
      if (isBack && step !== "outcome") newest.push(newestLine(dir.path));
      if (step !== "committed") return;
      isBack = true;
      throw new Error("the disk went away");
    };
    const result = await applyActions(workspace, ACTIONS, { onStep });
    expect(result).toMatchObject({ status: "rolled_back" });
    expect(newest.length).toBeGreaterThan(0);
    expect(newest[0]).toBe("back");
    expect(readTree(dir.path)).toEqual(before);
  });
});

function txIdOf(result: TransactionResult): string {
  return (!result.ok && result.txId) || "";
}

/** What the last line of the only journal is about. */
function newestLine(root: string): string {
  const [txId = ""] = readdirSync(join(root, ".papa-yu/tx"));
  const lines = readFileSync(join(root, journalPath(txId)), "utf8")
    .trim()
    .split("\n");
  return /"line":"(\w+)"/.exec(lines.at(-1) ?? "")?.[1] ?? "";
}
