import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Log } from "../../src/core/log.ts";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import type { CheckStep } from "../../src/transaction/change.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { imagesPath } from "../../src/transaction/stage/objects.ts";
import { ledgerAt } from "../support/ledger.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { applyActions, bunCheck, changeSetOf, requestFor, workspaceAt } from "./scene.ts";

const FILES = { "keep.txt": "keep\n", "a.sh": "one\ntwo\n", "old/gone.txt": "gone\n" };

const ACTIONS: readonly Action[] = [
  { kind: "CREATE_FILE", path: "src/deep/new.ts", content: "export {};\n" },
  {
    kind: "REPLACE_RANGE",
    path: "a.sh",
    base_sha256: sha256("one\ntwo\n"),
    start_line: 2,
    end_line: 2,
    content: "2",
  },
  { kind: "DELETE_FILE", path: "old/gone.txt" },
  { kind: "DELETE_DIR", path: "old" },
];

function scene(root: string) {
  writeTree(root, FILES);
  chmodSync(join(root, "a.sh"), 0o755);
  chmodSync(join(root, "old"), 0o750);
  return workspaceAt(root);
}

describe("runTransaction()", () => {
  test("makes every change, keeps modes, and leaves no litter", async () => {
    using dir = tempDir();
    const result = await applyActions(scene(dir.path), ACTIONS);
    expect(result).toMatchObject({ ok: true, status: "committed" });
    expect(readTree(dir.path)).toEqual({
      "a.sh": `file 755 ${sha256("one\n2\n")}`,
      "keep.txt": `file 644 ${sha256("keep\n")}`,
      "src/": "dir 755",
      "src/deep/": "dir 755",
      "src/deep/new.ts": `file 644 ${sha256("export {};\n")}`,
    });
    const txId = result.ok ? result.txId : "";
    expect(readdirSync(join(dir.path, ".papa-yu/tx", txId))).toEqual(["journal.jsonl"]);
  });

  test("gives the umask a say in the modes of what is new alone, and none in the change set", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const { id } = changeSetOf(workspace, ACTIONS);
    const umask = process.umask(0o077);
    try {
      const changeSet = changeSetOf(workspace, ACTIONS);
      expect(changeSet.id).toBe(id);
      await runTransaction(requestFor(workspace, changeSet));
    } finally {
      process.umask(umask);
    }
    expect(readTree(dir.path)).toMatchObject({ "src/": "dir 700", "src/deep/": "dir 700" });
    expect(statSync(join(dir.path, "src/deep/new.ts")).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir.path, "a.sh")).mode & 0o777).toBe(0o755);
  });

  test("keeps its own folder to the owner and out of git", async () => {
    using dir = tempDir();
    await applyActions(scene(dir.path), ACTIONS);
    expect(statSync(join(dir.path, ".papa-yu")).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(dir.path, ".papa-yu/.gitignore"), "utf8")).toBe("*\n");
  });

  test("rolls back byte for byte when a check fails, and says which", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const before = readTree(dir.path);
    const seen: CheckStep[] = [];
    const checks = [
      bunCheck("", "verify"),
      bunCheck("console.log('boom'); process.exit(3)"),
      bunCheck("", "late"),
    ];
    const onProgress = (step: CheckStep) => seen.push(step);
    const result = await applyActions(workspace, ACTIONS, { checks, onProgress });
    expect(result).toMatchObject({
      ok: false,
      status: "rolled_back",
      code: "AUTO_CHECK_FAILED_ROLLED_BACK",
      check: { ok: false, stages: [{ exitCode: 0 }, { name: "test", exitCode: 3 }] },
    });
    expect(result.check?.stages.at(-1)?.output).toContain("boom");
    const begun = seen.filter((step) => typeof step === "object" && "check" in step);
    expect(begun).toMatchObject([
      { at: 1, of: 3 },
      { at: 2, of: 3 },
    ]);
    expect(seen.at(-1)).toEqual({ printed: "boom" });
    expect(readTree(dir.path)).toEqual(before);
    expect(readHistory(workspace)).toMatchObject([{ status: "rolled_back" }]);
  });

  test("shows the checks the new files", async () => {
    using dir = tempDir();
    const check = bunCheck("process.exit(await Bun.file('src/deep/new.ts').exists() ? 0 : 1)");
    const result = await applyActions(scene(dir.path), ACTIONS, { checks: [check] });
    expect(result).toMatchObject({ ok: true, check: { ok: true, sandbox: "none" } });
  });

  test("rolls back when a check runs out of time or the work is cancelled", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const before = readTree(dir.path);
    const checks = [bunCheck("await Bun.sleep(60_000)")];
    const slow = await applyActions(workspace, ACTIONS, { checks, timeoutMs: 200 });
    expect(slow).toMatchObject({ code: "AUTO_CHECK_FAILED_ROLLED_BACK" });
    expect(slow.check?.stages[0]?.timedOut).toBe(true);

    const controller = new AbortController();
    const onProgress = () => void setTimeout(() => controller.abort(), 50);
    const { signal } = controller;
    const stopped = await applyActions(workspace, ACTIONS, { checks, onProgress, signal });
    expect(stopped).toMatchObject({ status: "rolled_back", code: "ERR_CANCELLED" });
    expect(readTree(dir.path)).toEqual(before);
  });

  const CLEAN = "require('fs').rmSync('.papa-yu', { recursive: true });";

  test("rolls back from memory when a failing check removed .papa-yu", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const before = readTree(dir.path);
    const checks = [bunCheck(`${CLEAN} process.exit(1)`)];
    const result = await applyActions(workspace, ACTIONS, { checks });
    expect(result).toMatchObject({ ok: false, code: "AUTO_CHECK_FAILED_ROLLED_BACK" });
    expect(readTree(dir.path)).toEqual(before);
  });

  test("does not commit what could never be undone: a passing check removed .papa-yu", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const before = readTree(dir.path);
    const result = await applyActions(workspace, ACTIONS, { checks: [bunCheck(CLEAN)] });
    expect(result).toMatchObject({ ok: false, code: "APPLY_FAILED_ROLLED_BACK" });
    expect(readTree(dir.path)).toEqual(before);
  });

  test.each([
    [
      "another file in its place",
      "fs.renameSync(path, path + 2); fs.copyFileSync(path + 2, path);",
    ],
    ["a folder in its place", "fs.rmSync(path); fs.mkdirSync(path);"],
    ["emptied", "fs.truncateSync(path);"],
  ])("does not commit what could never be undone: the journal, %s", async (_what, damage) => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const before = readTree(dir.path);
    const find = "const fs = require('fs'), [tx] = fs.readdirSync('.papa-yu/tx');";
    const check = bunCheck(
      `${find} const path = '.papa-yu/tx/' + tx + '/journal.jsonl'; ${damage}`,
    );
    const result = await applyActions(workspace, ACTIONS, { checks: [check] });
    expect(result).toMatchObject({ status: "rolled_back", code: "APPLY_FAILED_ROLLED_BACK" });
    expect(readTree(dir.path)).toEqual(before);
  });

  test("says of a folder that was moved away in a check that nothing went back, until it does", async () => {
    using dir = tempDir();
    const [root, moved] = [join(dir.path, "ws"), join(dir.path, "moved")];
    const ledger = ledgerAt(join(dir.path, "home"));
    const workspace = { ...scene(root), ledger };
    const before = readTree(root);
    const move = `require('fs').renameSync('${root}', '${moved}'); require('fs').mkdirSync('${root}');`;
    const checks = [bunCheck(`${move} process.exit(1)`)];
    const result = await applyActions(workspace, ACTIONS, { checks });
    expect(result).toMatchObject({
      status: "incomplete",
      code: "ERR_ROLLBACK_INCOMPLETE",
      message: expect.stringContaining("its folder was moved away"),
    });
    expect(readTree(root)).toEqual({});
    const found = recover({ ...workspaceAt(moved), ledger }, { log: silentLog });
    expect(found).toMatchObject([{ looked: { status: "rolled_back" } }]);
    expect(readTree(moved)).toEqual(before);
  });

  test("restores an updated file that a failing check deleted", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const before = readTree(dir.path);
    const checks = [bunCheck("require('fs').rmSync('a.sh'); process.exit(1)")];
    const result = await applyActions(workspace, ACTIONS, { checks });
    expect(result).not.toHaveProperty("kept");
    expect(readTree(dir.path)).toEqual(before);
  });

  test("says why a check could not be started", async () => {
    using dir = tempDir();
    const checks = [{ name: "lint", argv: ["no-such-program"] }];
    const result = await applyActions(scene(dir.path), ACTIONS, { checks });
    const message = result.ok ? "" : result.message;
    expect(message).toContain('Check "lint" did not run to its end: Cannot run "no-such-program"');
  });

  test("keeps what the user edited while the checks ran, and offers the before-image", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const onProgress = () => writeFileSync(join(dir.path, "a.sh"), "mine\n");
    const checks = [bunCheck("process.exit(1)")];
    const result = await applyActions(workspace, ACTIONS, { checks, onProgress });
    const beforeSha256 = sha256("one\ntwo\n");
    const kept = [{ path: "a.sh", beforeSha256, reason: "edited since" }];
    expect(result).toMatchObject({ ok: false, code: "ERR_RECOVERY_CONFLICT", looked: { kept } });
    expect(result).toMatchObject({ status: "conflict", touched: true });
    expect(readFileSync(join(dir.path, "a.sh"), "utf8")).toBe("mine\n");
    const archive = imagesPath((!result.ok && result.txId) || "");
    const tar = Bun.spawnSync(["tar", "-xOf", archive, beforeSha256], { cwd: dir.path });
    expect(tar.stdout.toString()).toBe("one\ntwo\n");
    expect(readTree(dir.path)).toMatchObject({ "old/gone.txt": `file 644 ${sha256("gone\n")}` });
  });

  test.each([
    ["a check that passes", 0, "ERR_RECOVERY_CONFLICT"],
    ["a check that fails", 1, "ERR_RECOVERY_CONFLICT"],
  ] as const)(
    "keeps what a program wrote into a file that it has open, behind %s",
    async (_, exitCode, code) => {
      using dir = tempDir();
      const workspace = scene(dir.path);
      const fd = openSync(join(dir.path, "a.sh"), "a");
      const onProgress = () => void writeSync(fd, "by a program\n");
      const checks = [bunCheck(`process.exit(${exitCode})`)];
      const result = await applyActions(workspace, ACTIONS, { checks, onProgress });
      closeSync(fd);
      expect(result).toMatchObject({ ok: false, code, looked: { kept: [{ path: "a.sh" }] } });
      expect(readFileSync(join(dir.path, "a.sh"), "utf8")).toBe("one\ntwo\nby a program\n");
      expect(readTree(dir.path)).toMatchObject({ "old/gone.txt": `file 644 ${sha256("gone\n")}` });
    },
  );

  const strangers: readonly (readonly [string, (root: string) => void])[] = [
    ["edited", (root) => writeFileSync(join(root, "a.sh"), "mine\n")],
    ["deleted", (root) => unlinkSync(join(root, "a.sh"))],
    ["given a bit that it would lose", (root) => chmodSync(join(root, "a.sh"), 0o4755)],
    ["created first", (root) => writeTree(root, { "src/deep/new.ts": "mine" })],
    ["deleted first", (root) => rmSync(join(root, "old"), { recursive: true })],
  ];
  test.each([...strangers])("refuses a change set when a file was %s since", async (_, change) => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const request = requestFor(workspace, changeSetOf(workspace, ACTIONS));
    change(dir.path);
    const before = readTree(dir.path);
    const result = await runTransaction(request);
    expect(result).toMatchObject({ status: "rejected", code: "ERR_CHANGE_SET_STALE" });
    expect(readTree(dir.path)).toEqual(before);
    expect(readHistory(workspace)).toEqual([]);
  });

  test("goes back when a file changes between the look and its own turn", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const before = readTree(dir.path);
    const onStep = (step: string) => {
      if (step === "mkdir src") writeFileSync(join(dir.path, "old/gone.txt"), "late edit\n");
    };
    const result = await applyActions(workspace, ACTIONS, { onStep });
    expect(result).toMatchObject({ status: "conflict", code: "ERR_RECOVERY_CONFLICT" });
    const lateEdit = `file 644 ${sha256("late edit\n")}`;
    expect(readTree(dir.path)).toEqual({ ...before, "old/gone.txt": lateEdit });
  });

  test("never replaces a file that appeared in the place of a new one", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const onStep = (step: string) => {
      if (step === "mkdir src/deep") writeFileSync(join(dir.path, "src/deep/new.ts"), "mine");
    };
    const result = await applyActions(workspace, ACTIONS, { onStep });
    expect(result).toMatchObject({ ok: false, status: "conflict" });
    expect(readFileSync(join(dir.path, "src/deep/new.ts"), "utf8")).toBe("mine");
  });

  test("writes nothing outside when a folder becomes a link half-way", async () => {
    using dir = tempDir();
    using outside = tempDir();
    const workspace = scene(dir.path);
    mkdirSync(join(dir.path, "lib"));
    const action: Action = { kind: "CREATE_FILE", path: "lib/x.ts", content: "x" };
    const onStep = (step: string) => {
      if (step !== "journal") return;
      renameSync(join(dir.path, "lib"), join(dir.path, "lib-moved"));
      symlinkSync(outside.path, join(dir.path, "lib"));
    };
    const result = await applyActions(workspace, [action], { onStep });
    expect(result).toMatchObject({ ok: false, status: "conflict" });
    expect(readdirSync(outside.path)).toEqual([]);
  });

  test("lets the second of two wait, and tells it who is working when it cannot", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const other: Action = { kind: "CREATE_FILE", path: "other.txt", content: "o" };
    const second = changeSetOf(workspace, [other]);
    const waiting: Promise<unknown>[] = [];
    using signs = tempDir();
    const refused = join(signs.path, "refused");
    const onProgress = () => {
      const hurried = runTransaction(requestFor(workspace, second, { waitMs: 0 }));
      waiting.push(hurried.finally(() => writeFileSync(refused, "")));
      waiting.push(runTransaction(requestFor(workspace, second)));
    };
    // The first is at work until the second was told so.
    const look = `require("node:fs").existsSync(${JSON.stringify(refused)})`;
    const checks = [bunCheck(`while (!${look}) await Bun.sleep(5)`)];
    const first = await applyActions(workspace, ACTIONS, { checks, onProgress, summary: "first" });
    const [impatient, patient] = await Promise.all(waiting);
    expect(first.ok).toBe(true);
    expect(impatient).toMatchObject({ status: "rejected", code: "ERR_WORKSPACE_BUSY" });
    expect(JSON.stringify(impatient)).toContain(`process ${process.pid}`);
    expect(patient).toMatchObject({ status: "committed" });
  });

  test("orders transactions by age when the clock goes backwards", async () => {
    using dir = tempDir();
    const workspace = workspaceAt(dir.path);
    const ids: string[] = [];
    for (const now of [2e12, 1e12, 1e12, 1]) {
      const clock = { now: () => now, sleep: async () => {} };
      const path = `f${ids.length}`;
      const result = await applyActions(workspace, [{ kind: "CREATE_FILE", path, content: "" }], {
        clock,
      });
      if (result.ok) ids.push(result.txId);
    }
    expect(ids).toHaveLength(4);
    expect(ids.toSorted()).toEqual(ids);
  });

  test("refuses a state folder that is a link", async () => {
    using dir = tempDir();
    using outside = tempDir();
    const workspace = scene(dir.path);
    symlinkSync(outside.path, join(dir.path, ".papa-yu"));
    const result = await applyActions(workspace, ACTIONS);
    expect(result).toMatchObject({ status: "rejected", code: "ERR_IO" });
    expect(readdirSync(outside.path)).toEqual([]);
  });

  test("rejects with ERR_IO when the workspace is gone", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const request = requestFor(workspace, changeSetOf(workspace, ACTIONS));
    rmSync(dir.path, { recursive: true });
    expect(await runTransaction(request)).toMatchObject({ status: "rejected", code: "ERR_IO" });
    expect(() => changeSetOf(workspace, ACTIONS)).toThrow("Cannot open the workspace");
  });

  test("says APPLY_SUCCESS and APPLY_ROLLBACK to the log, with what docs/protocol.md promises", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const said: unknown[] = [];
    const log: Log = (...event) => void said.push(event);
    const checks = [bunCheck("process.exit(1)")];
    const back = await applyActions(workspace, ACTIONS, { log, checks });
    const done = await applyActions(workspace, ACTIONS, { log, checks: [bunCheck("")] });
    const cancelled = "txId" in back ? back.txId : "none";
    const how = { tx_id: cancelled, kind: "apply", code: "AUTO_CHECK_FAILED_ROLLED_BACK" };
    const reason = !back.ok && back.message.replace("; every file is as before", "");
    expect(said).toEqual([
      ["APPLY_ROLLBACK", { ...how, reason, status: "rolled_back" }],
      ["APPLY_SUCCESS", { tx_id: done.ok && done.txId, kind: "apply", changes: 6 }],
    ]);
  });
});
