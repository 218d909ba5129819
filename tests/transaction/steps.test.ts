import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../src/core/app-error.ts";
import type { Log } from "../../src/core/log.ts";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { markRun } from "../../src/system/processes/list-processes.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { findLeftovers } from "../../src/transaction/journal/journal.ts";
import { takeWorkspaceLock } from "../../src/transaction/lock.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { findStale, toRejection } from "../../src/transaction/run/run.ts";
import { journalPath } from "../../src/transaction/stage/stage.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import { countOpenFiles } from "../support/open-files.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import {
  applyActions,
  changeSetOf,
  leaveUnfinished,
  type RequestOptions,
  requestFor,
  workspaceAt,
} from "./scene.ts";

const ACTIONS: readonly Action[] = [
  { kind: "CREATE_FILE", path: "src/new.ts", content: "new\n" },
  { kind: "DELETE_FILE", path: "gone" },
];
const FAILING = [{ name: "test", argv: ["false"] }];

/** A workspace, what is said and done in it, and a look at what stays open. */
function openScene() {
  const dir = tempDir();
  writeTree(dir.path, { gone: "gone\n", "a.txt": "a\n" });
  const workspace = workspaceAt(dir.path);
  const steps: string[] = [];
  const said: unknown[] = [];
  const log: Log = (...event) => void said.push(event);
  const onStep = (step: string) => void steps.push(step);
  return {
    root: dir.path,
    workspace,
    steps,
    said,
    log,
    onStep,
    apply: (options: RequestOptions = {}) =>
      applyActions(workspace, ACTIONS, { onStep, log, ...options }),
    [Symbol.dispose]() {
      const open = ["", "src", ".papa-yu/tx", ".papa-yu/objects"].filter(
        (name) => name !== "" && countOpenFiles(join(dir.path, name)) > 0,
      );
      dir[Symbol.dispose]();
      expect(open).toEqual([]);
    },
  };
}

const BEGUN = ["staged", "journal"];
const MADE = ["mkdir src", "create src/new.ts", "delete gone", "synced"];
const BACK = ["stage cleared", "back gone", "back src/new.ts", "back src", "outcome"];

describe("runTransaction() tells each step", () => {
  test("of a commit", async () => {
    using scene = openScene();
    const result = await scene.apply();
    expect(result).toMatchObject({ ok: true, status: "committed" });
    expect(scene.steps).toEqual([...BEGUN, ...MADE, "committed"]);
    expect(scene.said).toEqual([
      ["APPLY_SUCCESS", { tx_id: result.txId, kind: "apply", changes: 3 }],
    ]);
    takeWorkspaceLock(scene.workspace, "next", 0)();
  });

  test("of the way back", async () => {
    using scene = openScene();
    const before = readTree(scene.root);
    const result = await scene.apply({ checks: FAILING });
    expect(result).toMatchObject({ ok: false, status: "rolled_back", touched: true });
    expect(scene.steps).toEqual([...BEGUN, ...MADE, ...BACK]);
    expect(readTree(scene.root)).toEqual(before);
    expect(readdirSync(join(scene.root, ".papa-yu/objects"))).toEqual([]);
    takeWorkspaceLock(scene.workspace, "next", 0)();
  });

  test("of one that is given up before its first change", async () => {
    using scene = openScene();
    const controller = new AbortController();
    const onStep = (step: string) => {
      scene.steps.push(step);
      if (step === "journal") controller.abort();
    };
    const result = await scene.apply({ onStep, signal: controller.signal });
    expect(result).toMatchObject({ code: "ERR_CANCELLED", touched: false });
    expect(scene.steps).toEqual([...BEGUN, ...BACK]);
  });
});

describe("runTransaction() begins nothing", () => {
  test("on files that are not those of the checks, and leaves nothing of it", async () => {
    using scene = openScene();
    const before = readTree(scene.root);
    const asked: boolean[] = [];
    const isAsChecked = async () => {
      asked.push(existsSync(join(scene.root, "src")));
      return asked.length > 1;
    };
    expect(await scene.apply({ isAsChecked })).toMatchObject({
      status: "rejected",
      code: "ERR_CHANGE_SET_STALE",
      message: "Cannot write: files changed since the checks ran; check it again",
    });
    expect(readTree(scene.root)).toEqual(before);
    expect(readdirSync(join(scene.root, ".papa-yu/tx"))).toEqual([]);
    expect(readdirSync(join(scene.root, ".papa-yu/objects"))).toEqual([]);
    expect(findLeftovers(scene.workspace).own).toEqual([]);
    expect(readHistory(scene.workspace)).toEqual([]);
    expect(await scene.apply({ isAsChecked })).toMatchObject({ status: "committed" });
    expect(asked).toEqual([false, false]);
  });

  test("where its stage cannot be made", async () => {
    using scene = openScene();
    mkdirSync(join(scene.root, ".papa-yu"));
    writeFileSync(join(scene.root, ".papa-yu/objects"), "somebody's");
    expect(await scene.apply()).toMatchObject({ ok: false, status: "rejected" });
    expect(findLeftovers(scene.workspace).own).toEqual([]);
  });

  test("without the sandbox that is demanded, which nobody asks for without checks", async () => {
    using scene = openScene();
    let asked = 0;
    const sandbox = async () => {
      asked += 1;
      throw new AppError("ERR_SANDBOX", "it does not work");
    };
    const refused = await scene.apply({ sandbox, checks: FAILING });
    expect(refused).toMatchObject({ status: "rejected", code: "ERR_SANDBOX" });
    expect(scene.steps).toEqual([]);
    expect(await scene.apply({ sandbox })).toMatchObject({ status: "committed" });
    expect(asked).toBe(1);
  });
});

test("toRejection() tells a defect, the disk, the database and what was said of it apart", () => {
  const withCode = (code: string, message: string) => Object.assign(new Error(message), { code });
  const rows: readonly (readonly [Error, string, string])[] = [
    [new Error("a defect"), "ERR_INTERNAL", "a defect"],
    [new AppError("ERR_SANDBOX", "as it is"), "ERR_SANDBOX", "as it is"],
    [
      withCode("ENOSPC", "ENOSPC: no space, write"),
      "ERR_IO",
      "Cannot write to the workspace: ENOSPC: no space; free some space on the disk",
    ],
    [
      withCode("SQLITE_FULL", "disk full"),
      "ERR_STORE",
      "Cannot use the database: disk full; free some space on the disk",
    ],
  ];
  for (const [error, code, message] of rows) {
    expect(toRejection(error)).toMatchObject({ ok: false, status: "rejected", message });
    expect<string>(toRejection(error).code).toBe(code);
  }
});

test("findStale() names what is not as a change expects it, and nothing else", async () => {
  using scene = openScene();
  const { changes } = changeSetOf(scene.workspace, [
    ...ACTIONS,
    { kind: "CREATE_FILE", path: "b.txt", content: "b\n" },
  ]);
  expect(findStale(scene.workspace, { changes })).toEqual([]);
  writeTree(scene.root, { "b.txt": "late\n", gone: "edited\n" });
  expect(findStale(scene.workspace, { changes })).toEqual(["b.txt", "gone"]);
  const stopped = { ...scene.workspace, protectedPaths: ["src/**"] };
  expect(findStale(stopped, { changes })).toEqual(["src", "b.txt", "src/new.ts", "gone"]);
});

test("readHistory() believes a journal that ended, else the home, of what has not ended there", async () => {
  using scene = openScene();
  const { workspace, root } = scene;
  const { ledger } = workspace;
  if (!ledger) throw new Error("no home");
  const deaf = { ...workspace, ledger: { ...ledger, end: () => {} } };
  const result = await applyActions(deaf, ACTIONS);
  const { txId = "" } = result;
  const told = () => readHistory(workspace).map(({ status }) => status);
  expect(told()).toEqual(["committed"]);
  const path = join(root, journalPath(txId));
  writeFileSync(path, "damaged\n");
  expect(told()).toEqual(["open"]);
  rmSync(path);
  expect(told()).toEqual([]);
});

describe("recover()", () => {
  const create = (path: string, text: string) => {
    const after = { sha256: sha256(text), mode: 0o644, sizeBytes: text.length };
    return { kind: "create", path, after } as const;
  };

  test("tells each step of the way back and what it came to, and holds the lock for it", () => {
    using scene = openScene();
    const { workspace, root, log, steps, said } = scene;
    expect(recover(workspace, { log })).toEqual([]);
    expect(existsSync(join(root, ".papa-yu/lock"))).toBe(false); // nothing was there to be done
    leaveUnfinished(workspace, [create("a.txt", "a\n"), create("b.txt", "b\n")]);
    const onStep = (step: string) => {
      expect(() => takeWorkspaceLock(workspace, "other", 0)).toThrow("for recover");
      steps.push(step);
    };
    const [recovery] = recover(workspace, { log, onStep });
    expect(recovery).toMatchObject({
      txId: "tx_1",
      kind: "apply",
      summary: "x",
      looked: { status: "rolled_back" },
    });
    expect(steps).toEqual(["stage cleared", "back b.txt", "back a.txt", "outcome"]);
    const reason = "recovered after a crash";
    const what = { tx_id: "tx_1", reason, status: "rolled_back", kept: 0, pending: 0 };
    expect(said).toEqual([["APPLY_ROLLBACK", what]]);
    takeWorkspaceLock(workspace, "next", 0)();
    expect(readHistory(workspace)).toMatchObject([
      {
        txId: "tx_1",
        status: "rolled_back",
        error: {
          code: "ERR_INTERRUPTED",
          message: "papa-yu ended before the transaction was committed",
        },
      },
    ]);
  });

  test("empties a stage that a kill left behind the commit, unless somebody is at work", async () => {
    using scene = openScene();
    const { workspace, root, log } = scene;
    const { txId = "" } = await scene.apply();
    const litter = { [`.papa-yu/tx/${txId}/stage-2.old`]: "gone\n" };
    writeTree(root, litter);
    const release = takeWorkspaceLock(workspace, "other", 0);
    expect(recover(workspace, { log })).toEqual([]);
    release();
    const inStage = () => readdirSync(join(root, ".papa-yu/tx", txId));
    expect(inStage().toSorted()).toEqual(["journal.jsonl", "stage-2.old"]);
    expect(recover(workspace, { log })).toEqual([]);
    expect(inStage()).toEqual(["journal.jsonl"]);
  });

  test("ends a check that outlived papa-yu before it looks", async () => {
    using scene = openScene();
    leaveUnfinished(scene.workspace, [create("a.txt", "a\n")]);
    const env = { ...process.env, ...markRun("tx_1") };
    const child = Bun.spawn(["sleep", "600"], { env });
    const other = Bun.spawn(["sleep", "600"], { env: { ...process.env, ...markRun("tx_2") } });
    recover(scene.workspace, { log: scene.log });
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
    expect(other.killed || other.signalCode !== null).toBe(false);
    other.kill();
    await other.exited;
  });

  test("removes what only the way back needed, and keeps what a person may look for", () => {
    for (const content of ["a\n", "edited\n"]) {
      using scene = openScene();
      writeTree(scene.root, { "a.txt": content, ".papa-yu/objects/tx_1.tar": "images" });
      leaveUnfinished(scene.workspace, [create("a.txt", "a\n")]);
      recover(scene.workspace, { log: scene.log });
      const left = existsSync(join(scene.root, ".papa-yu/objects/tx_1.tar"));
      expect([content, left]).toEqual([content, content !== "a\n"]);
      expect(readdirSync(join(scene.root, ".papa-yu/tx/tx_1"))).toEqual(["journal.jsonl"]);
    }
  });
});

test("undo() writes into the journal what it left and why, and what it is for", async () => {
  using scene = openScene();
  const { workspace, log, root } = scene;
  const done = await scene.apply({ work: "w#1/2", series: "w" });
  writeTree(root, { "src/new.ts": "edited\n" });
  const { signal, clock } = requestFor(workspace, changeSetOf(workspace, []));
  const result = await undo({ workspace, clock, signal, log, work: "button" });
  expect(result).toMatchObject({ status: "conflict", conflicts: ["src/new.ts"] });
  const [first, second] = readHistory(workspace);
  expect(first).toMatchObject({ work: "w#1/2", row: "w" });
  expect(first).not.toHaveProperty("reverses");
  expect(first).not.toHaveProperty("left");
  expect(second).toMatchObject({
    kind: "undo",
    work: "button",
    reverses: done.txId,
    left: 'Cannot take back "src/new.ts": edited since; left as it is, the rest was taken back',
  });
  expect(second).not.toHaveProperty("row");
});
