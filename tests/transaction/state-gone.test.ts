import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../src/core/log.ts";
import { describeState } from "../../src/transaction/describe-state.ts";
import { findLeftovers } from "../../src/transaction/journal/foreign.ts";
import { closeLost } from "../../src/transaction/recover/close-lost.ts";
import { describeRecovery, recover } from "../../src/transaction/recover/recover.ts";
import { transactionPath } from "../../src/transaction/stage/stage.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { childProgram } from "../support/child-program.ts";
import { ledgerAt } from "../support/ledger.ts";
import { oneOf } from "../support/long.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";
import { applyActions, workspaceAt } from "./scene.ts";
import { type Kind, writeScene } from "./state-gone-scene.ts";

const CHILD = await childProgram(new URL("./state-gone-child.ts", import.meta.url));
const log = silentLog;

/** A change that was killed at a step, in a folder whose state folder was deleted after that. */
function killed(kind: Kind, stopAt: string) {
  const dir = tempDir();
  const [root, home] = [join(dir.path, "ws"), join(dir.path, "home")];
  writeScene(root);
  const before = readTree(root);
  const argv = [process.execPath, CHILD, root, home, kind, stopAt];
  const child = Bun.spawnSync(argv, { stderr: "inherit" });
  expect(child.signalCode).toBe("SIGKILL");
  const halfWay = readTree(root);
  rmSync(join(root, ".papa-yu"), { recursive: true });
  const workspace: Workspace = { ...workspaceAt(root), ledger: ledgerAt(home) };
  return { root, home, workspace, before, halfWay, [Symbol.dispose]: dir[Symbol.dispose] };
}

function differing(one: object, other: object): readonly string[] {
  const [a, b] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path));
}

type Row = readonly [kind: Kind, stopAt: string, end: "silent" | "back" | readonly string[]];

/** What is lost is named by its paths; all else is back, and said only where something was made. */
const TABLE: readonly Row[] = [
  ["create", "staged", "silent"],
  ["create", "journal", "silent"],
  ["create", "mkdir new", "back"],
  ["create", "create new/new.txt", "back"],
  ["create", "synced", "back"],
  ["update", "journal", "silent"],
  ["update", "update text.txt", ["text.txt"]],
  ["update", "synced", ["text.txt"]],
  ["delete", "journal", "silent"],
  ["delete", "delete gone.txt", ["gone.txt"]],
  ["delete", "synced", ["gone.txt"]],
  ["rename", "journal", "silent"],
  ["rename", "mkdir a", "back"],
  ["rename", "create a/moved.txt", "back"],
  ["rename", "delete moves.txt", "back"],
  ["rename", "synced", "back"],
  ["mkdir", "journal", "silent"],
  ["mkdir", "mkdir made", "back"],
  ["rmdir", "journal", "silent"],
  ["rmdir", "rmdir empty", "back"],
  ["mode", "journal", "silent"],
  ["mode", "update tool.sh", "back"],
  ["all", "journal", "silent"],
  ["all", "create a/moved.txt", "back"],
  ["all", "update text.txt", ["text.txt"]],
  ["all", "delete gone.txt", ["text.txt", "gone.txt"]],
  ["all", "delete moves.txt", ["text.txt", "gone.txt"]],
  ["all", "synced", ["text.txt", "gone.txt"]],
];

describe("recover() after a kill, with the state folder deleted", () => {
  test.each(oneOf(3, TABLE))("%s, killed at %p: %p", async (kind, stopAt, end) => {
    using scene = killed(kind, stopAt);
    const { root, workspace, before } = scene;
    const recovered = recover(workspace, { log });
    if (end === "silent" || end === "back") {
      expect(readTree(root)).toEqual(before);
      expect(recovered.map(({ looked }) => looked.status)).toEqual(
        end === "silent" ? [] : ["rolled_back"],
      );
    } else {
      expect(differing(readTree(root), before).toSorted()).toEqual(end.toSorted());
      const [only] = recovered;
      if (!only) throw new Error("nothing is said");
      expect(only.looked).toMatchObject({ status: "incomplete", kept: [] });
      const pending = only.looked.pending.map(({ path, isLost }) => ({ path, isLost }));
      expect(pending.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
        end.toSorted().map((path) => ({ path, isLost: true })),
      );
      const text = describeRecovery(workspace, only);
      for (const path of end) expect(text).toContain(`"${path}" (its before-image is missing`);
      expect(text).toContain(`run papayu recover -w ${root} --close ${only.txId}`);
      // A second look says the same and changes nothing; the command ends it.
      const unchanged = readTree(root);
      expect(recover(workspace, { log })).toMatchObject([{ looked: { status: "incomplete" } }]);
      const closed = closeLost(workspace, only.txId, { log });
      expect(closed.left?.pending.map(({ path }) => path).toSorted()).toEqual(end.toSorted());
      expect(readTree(root)).toEqual(unchanged);
    }
    expect(recover(workspace, { log })).toEqual([]);
    expect(describeState(workspace)).toEqual([]);
    const next = await applyActions(workspace, [{ kind: "CREATE_FILE", path: "n", content: "" }]);
    expect(next).toMatchObject({ ok: true });
  });

  test("is done once the lost file was put back by hand", () => {
    using scene = killed("all", "synced");
    const { root, workspace, before } = scene;
    recover(workspace, { log });
    writeFileSync(join(root, "text.txt"), "one\ntwo\n");
    writeFileSync(join(root, "gone.txt"), "nowhere else\n");
    expect(recover(workspace, { log })).toEqual([]);
    expect(readTree(root)).toEqual(before);
    expect(findLeftovers(workspace)).toEqual({ own: [], uncertain: [] });
  });

  test("names a file that was edited since, which the change may have made", () => {
    using scene = killed("update", "synced");
    const { root, workspace } = scene;
    writeFileSync(join(root, "text.txt"), "mine\n");
    const looked = { status: "conflict", kept: [{ path: "text.txt" }] };
    expect(recover(workspace, { log })).toMatchObject([{ looked }]);
    expect(recover(workspace, { log })).toEqual([]);
  });

  test.each(["delete", "mkdir", "rmdir", "mode", "rename"] as const)(
    "says of %s in what may be another folder how to put it back or to keep it",
    (kind) => {
      using scene = killed(kind, "synced");
      const { root, workspace, halfWay } = scene;
      renameSync(root, `${root}-old`);
      Bun.spawnSync(["cp", "-a", `${root}-old`, root]);
      expect(recover(workspace, { log })).toEqual([]);
      expect(readTree(root)).toEqual(halfWay);
      const [said = "", ...others] = describeState(workspace);
      expect(others).toEqual([]);
      const [, txId = ""] = /--close (tx_\w+)$/.exec(said) ?? [];
      expect(closeLost(workspace, txId, { log }).left).toMatchObject({ status: "incomplete" });
      expect(describeState(workspace)).toEqual([]);
      expect(readTree(root)).toEqual(halfWay);
    },
  );
});

describe("closeLost()", () => {
  test("says of what could go back after all that it did, and leaves nothing as it is", () => {
    using scene = killed("create", "synced");
    const { root, workspace, before } = scene;
    const [{ txId } = { txId: "" }] = findLeftovers(workspace).own;
    const closed = closeLost(workspace, txId, { log });
    expect(closed).toMatchObject({ recovered: [{ txId, looked: { status: "rolled_back" } }] });
    expect(closed.left).toBeUndefined();
    expect(readTree(root)).toEqual(before);
  });

  test("closes nothing that can still go back, nor what is not open, and says what it closed", () => {
    using scene = killed("all", "synced");
    const { root, workspace } = scene;
    const said: unknown[] = [];
    const heard: Log = (...event) => void said.push(event);
    const [open] = recover(workspace, { log: heard });
    const txId = open?.txId ?? "";
    const counts = { status: "incomplete", kept: 0, pending: 2 };
    const reason = "recovered after a crash";
    expect(said).toEqual([["APPLY_ROLLBACK", { tx_id: txId, reason, ...counts }]]);
    expect(open).toMatchObject({ kind: "apply", summary: "a test" });
    const close = (which: string, from = workspace) => closeLost(from, which, { log: heard });
    expect(() => close("tx_1")).toThrow(`Cannot close "tx_1": it is not open here; open: ${txId}`);
    const stopped = { ...workspace, protectedPaths: ["gone.txt"] };
    expect(() => close(txId, stopped)).toThrow(`Cannot close "${txId}" yet`);
    expect(findLeftovers(workspace).own).toMatchObject([{ txId }]);
    const place = join(root, transactionPath(txId));
    mkdirSync(place, { recursive: true });
    said.length = 0;
    expect(close(txId)).toMatchObject({ recovered: [], left: { status: "incomplete" } });
    expect(said.slice(1)).toEqual([["TRANSACTION_CLOSED", { tx_id: txId, pending: 2 }]]);
    expect(existsSync(place)).toBe(false);
    expect(findLeftovers(workspace).own).toEqual([]);
    expect(() => close(txId)).toThrow("it is not open here; open: none");
  });
});
