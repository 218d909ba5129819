import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  linkSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { silentLog } from "../../src/core/log.ts";
import { sha256 } from "../../src/core/sha256.ts";
import { readHistory } from "../../src/transaction/history.ts";
import { recover } from "../../src/transaction/recover.ts";
import { tarEntry } from "../../src/transaction/tar.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";
import { CRASH_ACTIONS, writeCrashScene } from "./crash-scene.ts";
import { applyActions, workspaceAt } from "./scene.ts";

const CHILD = Bun.fileURLToPath(new URL("./crash-child.ts", import.meta.url));

/** More steps than any task has: the sweep ends at the first that was not killed. */
const MOST_STEPS = 60;

async function runChild(root: string, task: string, killAt: number): Promise<"killed" | "done"> {
  const argv = [process.execPath, CHILD, root, task, String(killAt)];
  const child = Bun.spawn(argv, { stdout: "inherit", stderr: "inherit" });
  await child.exited;
  if (child.signalCode === "SIGKILL") return "killed";
  expect(child.exitCode).toBe(0);
  return "done";
}

/** Calls `crash` with 1, 2, 3 … until it was not killed any more, two at a time. */
async function sweep(crash: (killAt: number) => Promise<"killed" | "done">): Promise<number> {
  for (let killAt = 1; killAt < MOST_STEPS; killAt += 2) {
    const ends = await Promise.all([crash(killAt), crash(killAt + 1)]);
    if (ends.includes("done")) return killAt + ends.indexOf("done") - 1;
  }
  throw new Error("the sweep never ended");
}

function journalOf(root: string): string {
  const [txId = ""] = readdirSync(join(root, ".papa-yu/tx"));
  return join(root, ".papa-yu/tx", txId, "journal.jsonl");
}

async function treeAfterApply() {
  using dir = tempDir();
  writeCrashScene(dir.path);
  await applyActions(workspaceAt(dir.path), CRASH_ACTIONS);
  return readTree(dir.path);
}

async function killedAt(root: string, killAt: number) {
  writeCrashScene(root);
  const before = readTree(root);
  const end = await runChild(root, "apply", killAt);
  return { before, end, workspace: workspaceAt(root) };
}

/** All steps of an apply but the commit. */
const STEPS_TO_CHECK = 12;

/** Stage, journal, three folders and two files: half-way. */
const HALF_WAY = 7;

describe("recover()", () => {
  test("makes all old or all new after kill -9 at every step of an apply", async () => {
    const after = await treeAfterApply();
    const statuses: string[] = [];
    const steps = await sweep(async (killAt) => {
      using dir = tempDir();
      const { before, end, workspace } = await killedAt(dir.path, killAt);
      const recovered = recover(workspace, { log: silentLog });
      const isNew = readHistory(workspace)[0]?.status === "committed";
      statuses[killAt] = isNew ? "new" : "old";
      expect(readTree(dir.path)).toEqual(isNew ? after : before);
      expect(recovered.flatMap(({ kept }) => kept)).toEqual([]);
      expect(recover(workspace, { log: silentLog })).toEqual([]);
      return end;
    });
    expect(steps).toBe(STEPS_TO_CHECK + 1);
    // Only the last step, the commit, makes it new.
    expect(statuses.slice(1, steps + 1)).toEqual([...Array<string>(steps - 1).fill("old"), "new"]);
  });

  test("makes all old after kill -9 at every step of a failing apply's way back", async () => {
    const steps = await sweep(async (killAt) => {
      using dir = tempDir();
      writeCrashScene(dir.path);
      const before = readTree(dir.path);
      const end = await runChild(dir.path, "apply and fail", killAt + STEPS_TO_CHECK);
      recover(workspaceAt(dir.path), { log: silentLog });
      expect(readTree(dir.path)).toEqual(before);
      return end;
    });
    expect(steps).toBeGreaterThan(8);
  });

  test("makes all old after kill -9 at every step of the recovery itself, twice over", async () => {
    const steps = await sweep(async (killAt) => {
      using dir = tempDir();
      const { before, workspace } = await killedAt(dir.path, HALF_WAY + 4);
      const end = await runChild(dir.path, "recover", killAt);
      await runChild(dir.path, "recover", Math.ceil(killAt / 2));
      recover(workspace, { log: silentLog });
      expect(readTree(dir.path)).toEqual(before);
      expect(readHistory(workspace)).toMatchObject([{ status: "rolled_back" }]);
      return end;
    });
    expect(steps).toBeGreaterThan(8);
  });

  test("makes all new or all old after kill -9 at every step of an undo", async () => {
    const after = await treeAfterApply();
    await sweep(async (killAt) => {
      using dir = tempDir();
      writeCrashScene(dir.path);
      const before = readTree(dir.path);
      const workspace = workspaceAt(dir.path);
      await applyActions(workspace, CRASH_ACTIONS);
      const end = await runChild(dir.path, "undo", killAt);
      recover(workspace, { log: silentLog });
      const isUndone = readHistory(workspace)[1]?.status === "committed";
      expect(readTree(dir.path)).toEqual(isUndone ? before : after);
      return end;
    });
  });

  test("takes back a new file that still shares its inode with the stage", async () => {
    using dir = tempDir();
    const { before, workspace } = await killedAt(dir.path, 5); // after the folders
    linkSync(join(journalOf(dir.path), "../stage-3"), join(dir.path, "src/deep/new.ts"));
    recover(workspace, { log: silentLog });
    expect(readTree(dir.path)).toEqual(before);
  });

  test("is done by the next apply as well", async () => {
    using dir = tempDir();
    const { workspace } = await killedAt(dir.path, HALF_WAY);
    expect(await applyActions(workspaceAt(dir.path), [])).toMatchObject({ ok: true });
    expect(readHistory(workspace)[0]).toMatchObject({ status: "rolled_back" });
  });

  test("leaves a file that was edited after the crash, and says so", async () => {
    using dir = tempDir();
    const { before, workspace } = await killedAt(dir.path, HALF_WAY + 1);
    writeFileSync(join(dir.path, "run.sh"), "mine\n");
    const recovered = recover(workspace, { log: silentLog });
    expect(recovered).toMatchObject([
      { kept: [{ path: "run.sh", beforeSha256: sha256("one\ntwo") }] },
    ]);
    const mine = `file 755 ${sha256("mine\n")}`;
    expect(readTree(dir.path)).toEqual({ ...before, "run.sh": mine });
  });

  test("stands a torn last line, and takes a torn first one for nothing done", async () => {
    using dir = tempDir();
    const { before, workspace } = await killedAt(dir.path, HALF_WAY);
    appendFileSync(journalOf(dir.path), '{"line":"end","status":"comm');
    recover(workspace, { log: silentLog });
    expect(readTree(dir.path)).toEqual(before);

    using other = tempDir();
    const early = await killedAt(other.path, 2); // the journal is there, no file is touched
    truncateSync(journalOf(other.path), 100);
    expect(recover(early.workspace, { log: silentLog })).toEqual([]);
    expect(readTree(other.path)).toEqual(early.before);
  });

  test("refuses a journal it does not understand rather than guess", async () => {
    using dir = tempDir();
    const { workspace } = await killedAt(dir.path, HALF_WAY);
    const path = journalOf(dir.path);
    writeFileSync(path, readFileSync(path, "utf8").replace('"v":1', '"v":2'));
    const tree = readTree(dir.path);
    expect(() => recover(workspace, { log: silentLog })).toThrow("newer papa-yu");
    expect(await applyActions(workspace, [])).toMatchObject({ status: "rejected", code: "ERR_IO" });
    expect(readTree(dir.path)).toEqual(tree);
  });

  test("gives a forged journal no way to protected paths or out of the workspace", async () => {
    using dir = tempDir();
    const { workspace } = await killedAt(dir.path, HALF_WAY);
    const hook = { sha256: sha256("evil"), mode: 0o755, sizeBytes: 4 };
    const changes = [".git/hooks/pre-commit", ".env", "link/x"].map((path) => ({
      kind: "delete",
      path,
      before: hook,
    }));
    const [archive = ""] = readdirSync(join(dir.path, ".papa-yu/objects"));
    const image = tarEntry(hook.sha256, Buffer.from("evil"), 0);
    writeFileSync(join(dir.path, ".papa-yu/objects", archive), image);
    const header = { v: 1, line: "begin", kind: "apply", at: 0, changeSetId: "", summary: "" };
    writeFileSync(journalOf(dir.path), `${JSON.stringify({ ...header, changes })}\n`);
    const tree = readTree(dir.path);
    const [recovered] = recover(workspace, { log: silentLog });
    expect(recovered?.kept).toHaveLength(3);
    expect(readTree(dir.path)).toEqual(tree);
  });

  test("does nothing and writes nothing where no transaction ever was", () => {
    using dir = tempDir();
    expect(recover(workspaceAt(dir.path), { log: silentLog })).toEqual([]);
    expect(readdirSync(dir.path)).toEqual([]);
  });
});
