import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { toFirstRecord } from "../../src/transaction/journal/write-journal.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import { CAN_BE_IMMUTABLE, setImmutable } from "../support/immutable.ts";
import { ledgerAt } from "../support/ledger.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { crashChangeSet, writeCrashScene } from "./crash-scene.ts";
import { applyActions, changeSetOf, requestFor, workspaceAt } from "./scene.ts";

const ROOM = "kept-outside";

/** A check by a shell, in the workspace; `$OUT` is a folder beside it, on the same disk. */
function shell(script: string, out: string) {
  return { name: "test", argv: ["sh", "-c", `OUT='${out}'; ${script}`] };
}

/** A workspace and a folder beside it. */
function openRoom() {
  const dir = tempDir();
  const root = join(dir.path, "ws");
  const out = join(dir.path, ROOM);
  mkdirSync(root);
  mkdirSync(out);
  writeCrashScene(root);
  return { root, out, workspace: workspaceAt(root), [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

/** What tools do to files that they have no mind to edit. */
const TOOLS: readonly (readonly [string, string])[] = [
  ["cp -l", "cp -l run.sh tool.sh text/crlf.txt src/deep/new.ts $OUT"],
  ["a cp -al snapshot", "cp -al . $OUT/snapshot"],
  ["a snapshot inside", "mkdir .snap && cp -al run.sh text src .snap"],
  ["chmod -R", "chmod -R a-x,o-r run.sh text/crlf.txt tool.sh; chmod 000 zero"],
  ["touch", "touch -d 2001-01-01 run.sh text/crlf.txt zero"],
  ["chown", "chown 4321:4321 run.sh zero 2>/dev/null || true"],
  ["mv and back by a link", "mv run.sh x && ln x run.sh"],
  ["rm of a folder", "rm -r text"],
  ["rm of the stage", "rm -rf .papa-yu/tx/*/stage-*"],
  ["chmod in the stage", "chmod 600 .papa-yu/tx/*/stage-*"],
];

describe("The roll-back after a check that ran", () => {
  test.each([...TOOLS])("%s takes back every file of the change", async (_, script) => {
    using room = openRoom();
    const before = readTree(room.root);
    const checks = [shell(`${script}; exit 1`, room.out)];
    const changeSet = crashChangeSet(room.workspace);
    const result = await runTransaction(requestFor(room.workspace, changeSet, { checks }));
    expect(result).toMatchObject({ status: "rolled_back", touched: true });
    const after = readTree(room.root);
    const paths = changeSet.changes.map(({ path }) => path);
    const ofChange = (tree: Record<string, string>) =>
      paths.map((path) => [path, tree[path], tree[`${path}/`]]);
    expect(ofChange(after)).toEqual(ofChange(before));
    expect(readHistory(room.workspace).at(-1)).toMatchObject({ status: "rolled_back", kept: [] });
    expect(recover(room.workspace, { log: silentLog })).toEqual([]);
  });

  test("is the same in a folder that a snapshot gave second names, the lock's among them", async () => {
    using room = openRoom();
    const before = readTree(room.root);
    await applyActions(room.workspace, [{ kind: "CREATE_FILE", path: "n", content: "" }]);
    Bun.spawnSync(["cp", "-al", room.root, join(room.out, "snapshot")]);
    expect(statSync(join(room.root, ".papa-yu/lock")).nlink).toBe(2);
    const request = requestFor(room.workspace, changeSetOf(room.workspace, []));
    expect(await undo(request)).toMatchObject({ status: "undone" });
    expect(readTree(room.root)).toEqual(before);
  });

  test("leaves what a snapshot holds as the snapshot took it", async () => {
    using room = openRoom();
    const checks = [shell("cp -al . $OUT/snapshot; exit 1", room.out)];
    await runTransaction(requestFor(room.workspace, crashChangeSet(room.workspace), { checks }));
    expect(readFileSync(join(room.out, "snapshot/run.sh"), "utf8")).toBe("1\ntwo");
    expect(readFileSync(join(room.root, "run.sh"), "utf8")).toBe("one\ntwo");
  });

  test("gives a file that had two names both again", async () => {
    using room = openRoom();
    linkSync(join(room.root, "run.sh"), join(room.out, "run.sh"));
    const checks = [shell("exit 1", room.out)];
    await runTransaction(requestFor(room.workspace, crashChangeSet(room.workspace), { checks }));
    expect(statSync(join(room.root, "run.sh")).ino).toBe(statSync(join(room.out, "run.sh")).ino);
  });
});

describe("A change of a file with a second name", () => {
  test("replaces this name and leaves the other, and undo and redo do the same", async () => {
    using room = openRoom();
    for (const name of ["run.sh", "keep.txt"]) {
      linkSync(join(room.root, name), join(room.out, name));
    }
    const before = readTree(room.root);
    const other = readTree(room.out);
    const base_sha256 = sha256("one\ntwo");
    const range = { kind: "REPLACE_RANGE", base_sha256, start_line: 1, end_line: 1 } as const;
    const actions: readonly Action[] = [
      { ...range, path: "run.sh", content: "1" },
      { kind: "DELETE_FILE", path: "keep.txt" },
    ];
    const applied = await applyActions(room.workspace, actions);
    expect(applied).toMatchObject({ status: "committed" });
    expect(readFileSync(join(room.root, "run.sh"), "utf8")).toBe("1\ntwo");
    expect(existsSync(join(room.root, "keep.txt"))).toBe(false);
    expect(readTree(room.out)).toEqual(other);
    linkSync(join(room.root, "run.sh"), join(room.out, "new"));
    const request = requestFor(room.workspace, changeSetOf(room.workspace, []));
    expect(await undo(request)).toMatchObject({ status: "undone" });
    expect(readTree(room.root)).toEqual(before);
    expect(readFileSync(join(room.out, "new"), "utf8")).toBe("1\ntwo");
  });
});

describe("What a finished transaction left behind", () => {
  test("is removed by the next change, and nothing beside it", async () => {
    using room = openRoom();
    const { root, workspace } = room;
    const result = await runTransaction(requestFor(workspace, crashChangeSet(workspace)));
    const { txId = "" } = result;
    const before = readTree(root);
    const litter = {
      [`.papa-yu/tx/${txId}/stage-3`]: "new",
      [`.papa-yu/tx/${txId}/stage-5.old`]: "old",
      [`text/.papa-yu-${txId}-${(result.ok ? result.changes : []).findIndex(({ path }) => path === "text/crlf.txt")}`]:
        "copy",
    };
    writeTree(root, { ...litter, "text/.papa-yu-tx_other-0": "somebody's" });
    await applyActions(workspace, []);
    expect(Object.keys(litter).filter((path) => existsSync(join(root, path)))).toEqual([]);
    expect(readTree(root)).toEqual({
      ...before,
      "text/.papa-yu-tx_other-0": `file 644 ${sha256("somebody's")}`,
    });
  });
});

describe("A roll-back that the machine refuses", () => {
  test("goes back on its reserve when every other descriptor is taken", async () => {
    const child = Bun.fileURLToPath(new URL("./way-back-child.ts", import.meta.url));
    using room = openRoom();
    const argv = ["sh", "-c", 'ulimit -n 128; exec "$@"', "sh", process.execPath, child];
    const run = Bun.spawnSync([...argv, room.root, "full table"], { stderr: "inherit" });
    expect(JSON.parse(run.stdout.toString())).toMatchObject({
      status: "rolled_back",
      code: "AUTO_CHECK_FAILED_ROLLED_BACK",
      isAsBefore: true,
    });
  });

  test("is incomplete and named after a check that removed .papa-yu and a kill", async () => {
    using room = openRoom();
    const { root } = room;
    const home = join(root, "../home");
    const child = Bun.fileURLToPath(new URL("./way-back-child.ts", import.meta.url));
    const before = readTree(root);
    const run = Bun.spawnSync([process.execPath, child, root, "clean and die", home]);
    expect(run.signalCode).toBe("SIGKILL");
    expect(existsSync(join(root, ".papa-yu/tx"))).toBe(false);
    const workspace = { ...workspaceAt(root), ledger: ledgerAt(home) };
    const [recovery] = recover(workspace, { log: silentLog });
    expect(recovery?.looked.status).toBe("incomplete");
    expect(recovery?.looked.pending.map(({ path }) => path).toSorted()).toEqual([
      "old/in/gone.bin",
      "run.sh",
      "text/crlf.txt",
    ]);
    expect(existsSync(join(root, "src"))).toBe(false);
    // By hand, as from version control.
    writeCrashScene(join(root, "../again"));
    Bun.spawnSync(["cp", "-a", `${root}/../again/.`, root]);
    expect(recover(workspace, { log: silentLog })).toEqual([]);
    expect(readTree(root)).toEqual(before);
  });

  test("takes nothing that never began for unfinished, whatever became of its paths", async () => {
    using room = openRoom();
    const { root, workspace } = room;
    const changeSet = crashChangeSet(workspace);
    const { ledger } = workspace;
    const claimed = await applyActions(workspace, [
      { kind: "CREATE_FILE", path: "n", content: "" },
    ]);
    expect(claimed).toMatchObject({ ok: true });
    const workspaceId = ledger?.idAt(root) ?? "";
    // On a full disk the home could not note that it was given up before it began.
    const header = { kind: "apply", at: 1, changeSetId: "x", summary: "x" } as const;
    const transaction = { workspaceId, txId: `${claimed.txId}z` };
    const record = toFirstRecord({ ...header, changes: changeSet.changes }, transaction);
    ledger?.begin(transaction, JSON.stringify(record));
    rmSync(join(root, "run.sh"));
    mkdirSync(join(root, "empty"));
    const before = readTree(root);
    expect(recover(workspace, { log: silentLog })).toEqual([]);
    expect(readTree(root)).toEqual(before);
    const next = await applyActions(workspace, [{ kind: "DELETE_FILE", path: "n" }]);
    expect(next).toMatchObject({ ok: true });
  });

  test("is incomplete and named while a before-image is missing, and blocks until it is whole", async () => {
    using room = openRoom();
    const { root, workspace } = room;
    const before = readTree(root);
    const child = Bun.fileURLToPath(new URL("./crash-child.ts", import.meta.url));
    const steps = Bun.fileURLToPath(new URL("./stepped-fs.ts", import.meta.url));
    const env = { ...process.env, STOP_AT: "rename old → stage-10.old" };
    Bun.spawnSync([process.execPath, "--preload", steps, child, root, "apply"], { env });
    expect(readTree(root)).not.toEqual(before);
    const [txId = ""] = readdirSync(join(root, ".papa-yu/tx"));
    rmSync(join(root, ".papa-yu/objects", `${txId}.tar`));
    for (const name of readdirSync(join(root, ".papa-yu/tx", txId))) {
      if (name.startsWith("stage-"))
        renameSync(join(root, ".papa-yu/tx", txId, name), join(room.out, name));
    }
    const [first] = recover(workspace, { log: silentLog });
    expect(first?.looked).toMatchObject({ status: "incomplete", kept: [] });
    const pending = first?.looked.pending ?? [];
    expect(pending.map(({ path }) => path).toSorted()).toEqual([
      "old/in/gone.bin",
      "run.sh",
      "text/crlf.txt",
    ]);
    expect(pending[0]?.reason).toContain("before-image is missing");
    expect(readHistory(workspace)).toMatchObject([{ status: "open" }]);
    const refused = await applyActions(workspace, [
      { kind: "CREATE_FILE", path: "n", content: "" },
    ]);
    expect(refused).toMatchObject({ status: "rejected", code: "ERR_ROLLBACK_INCOMPLETE" });
    expect(refused.ok ? "" : refused.message).toContain(`papayu recover -w ${root}`);
    for (const name of readdirSync(room.out)) {
      renameSync(join(room.out, name), join(root, ".papa-yu/tx", txId, name));
    }
    expect(recover(workspace, { log: silentLog })).toMatchObject([
      { looked: { status: "rolled_back" } },
    ]);
    expect(readTree(root)).toEqual(before);
  });

  test.if(CAN_BE_IMMUTABLE)("is incomplete at an immutable file, and recover goes on", async () => {
    using room = openRoom();
    const { root, workspace, out } = room;
    const before = readTree(root);
    const checks = [shell("chattr +i run.sh; exit 1", out)];
    const result = await runTransaction(
      requestFor(workspace, crashChangeSet(workspace), { checks }),
    );
    expect(result).toMatchObject({
      status: "incomplete",
      code: "ERR_ROLLBACK_INCOMPLETE",
      looked: { pending: [{ path: "run.sh" }] },
    });
    setImmutable(join(root, "run.sh"), false);
    expect(recover(workspace, { log: silentLog })).toMatchObject([
      { looked: { status: "rolled_back" } },
    ]);
    expect(readTree(root)).toEqual(before);
  });

  test("needs no rights that a check took from its own user", async () => {
    using room = openRoom();
    const { root } = room;
    const before = readTree(root);
    const isRoot = process.getuid?.() === 0;
    const parent = join(root, "..");
    chmodSync(parent, 0o755);
    if (isRoot) Bun.spawnSync(["chown", "-hR", "65534:65534", parent]);
    const wrapper = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
    // Another user need not be able to read this checkout, nor the Bun in it.
    const child = Bun.fileURLToPath(new URL("./way-back-child.ts", import.meta.url));
    await Bun.build({ entrypoints: [child], target: "bun", outdir: parent });
    const bun = join(parent, "bun");
    copyFileSync(process.execPath, bun);
    const argv = [...wrapper, bun, join(parent, "way-back-child.js"), root, "no rights"];
    const run = Bun.spawnSync(argv, { cwd: parent, stderr: "inherit" });
    expect(JSON.parse(run.stdout.toString())).toMatchObject({ status: "rolled_back" });
    // What is no part of the change has the mode that the check gave it.
    expect(readTree(root)).toEqual({ ...before, "text/": "dir 555" });
    chmodSync(join(root, "text"), 0o755); // who is not root could not remove it
  });
});
