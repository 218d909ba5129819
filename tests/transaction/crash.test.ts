import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { describeRecovery, recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";
import { watchFolder } from "../support/watch-folder.ts";
import { crashChangeSet, writeCrashScene } from "./crash-scene.ts";
import { ALL, runChild, sweep } from "./crash-sweep.ts";
import { applyActions, requestFor, workspaceAt } from "./scene.ts";

const TIMEOUT_MS = ALL ? 3_600_000 : 240_000;

function journalOf(root: string): string {
  const [txId = ""] = readdirSync(join(root, ".papa-yu/tx"));
  return join(root, ".papa-yu/tx", txId, "journal.jsonl");
}

function apply(workspace: Workspace) {
  return runTransaction(requestFor(workspace, crashChangeSet(workspace)));
}

async function treeAfterApply() {
  using dir = tempDir();
  writeCrashScene(dir.path);
  await apply(workspaceAt(dir.path));
  return readTree(dir.path);
}

function treeBefore(): Tree {
  using dir = tempDir();
  writeCrashScene(dir.path);
  return readTree(dir.path);
}

/** Copies what a folder holds into another, which is made if need be. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  Bun.spawnSync(["cp", "-a", `${from}/.`, to]);
}

/** A scene whose apply was killed right after a call. */
async function killedAt(root: string, stopAt: string) {
  writeCrashScene(root);
  const before = readTree(root);
  const { step } = await runChild(root, "apply", { STOP_AT: stopAt });
  expect(step).toEndWith(stopAt);
  return { before, workspace: workspaceAt(root) };
}

/** Three folders, two new files and one update were made. */
const HALF_WAY = "→ run.sh";

/** All of them, not synced yet. */
const LAST_CHANGE = "rename old → stage-10.old";

/** The commands of the table in docs/recovery.md, by the kind of change. */
async function commandsByHand(): Promise<ReadonlyMap<string, string>> {
  const text = await Bun.file(join(import.meta.dir, "../../docs/recovery.md")).text();
  const rows = text.matchAll(/^ +\| `(\w+)` \| `([^`]+)` \|$/gm);
  return new Map(Array.from(rows, ([, kind = "", command = ""]) => [kind, command]));
}

/** All old and said so, or all new and said so; nothing half, no litter. */
function expectWhole(workspace: Workspace, before: Tree, after: Tree): string {
  const isBegun = readHistory(workspace).length > 0;
  const recovered = recover(workspace, { log: silentLog });
  const status = readHistory(workspace).at(-1)?.status ?? "nothing begun";
  const isNew = status === "committed";
  expect(readTree(workspace.root)).toEqual(isNew ? after : before);
  expect(recovered.map(({ looked }) => looked.status)).toEqual(recovered.map(() => "rolled_back"));
  if (recovered.length > 0) expect([isBegun, status]).toEqual([true, "rolled_back"]);
  expect(recover(workspace, { log: silentLog })).toEqual([]);
  const litter = listState(workspace.root).filter((path) => /stage|holder.*tmp/.test(path));
  if (isBegun) expect(litter).toEqual([]);
  return isNew ? "all new" : `all old (${status})`;
}

type Tree = ReturnType<typeof readTree>;

function listState(root: string): readonly string[] {
  const options = { recursive: true, encoding: "utf8" } as const;
  return existsSync(join(root, ".papa-yu")) ? readdirSync(join(root, ".papa-yu"), options) : [];
}

describe("recover()", () => {
  test(
    "makes all old or all new after kill -9 at every step of an apply",
    async () => {
      const after = await treeAfterApply();
      const before = treeBefore();
      const crashes = await sweep({
        title: "an apply",
        stride: ALL ? 1 : 9,
        task: "apply",
        prepare: writeCrashScene,
        judge: (root) => expectWhole(workspaceAt(root), before, after),
      });
      expect(crashes.length).toBeGreaterThan(ALL ? 80 : 8);
      // The commit makes it new, and nothing behind it makes it anything else.
      const isNew = crashes.map(({ outcome }) => outcome === "all new");
      const first = crashes[isNew.indexOf(true)];
      expect(isNew.lastIndexOf(false)).toBe(first ? isNew.indexOf(true) - 1 : isNew.length - 1);
      if (ALL) expect(first?.step).toEndWith("committed");
    },
    TIMEOUT_MS,
  );

  test(
    "makes all old after kill -9 at every step of the recovery itself, twice over",
    async () => {
      using crashed = tempDir();
      const { before } = await killedAt(join(crashed.path, "first"), LAST_CHANGE);
      renameSync(join(crashed.path, "first"), join(crashed.path, "moved"));
      const crashes = await sweep({
        title: "a recovery",
        stride: ALL ? 1 : 3,
        task: "recover",
        prepare: (root) => copyFolder(join(crashed.path, "moved"), root),
        judge: (root) => expectWhole(workspaceAt(root), before, before),
      });
      expect(crashes.length).toBeGreaterThan(ALL ? 18 : 5);
    },
    TIMEOUT_MS,
  );

  test(
    "makes all old after kill -9 in a failing apply's roll-back",
    async () => {
      const before = treeBefore();
      const crashes = await sweep({
        title: "a failing apply",
        stride: ALL ? 1 : 11,
        task: "apply and fail",
        prepare: writeCrashScene,
        judge: (root) => expectWhole(workspaceAt(root), before, before),
      });
      expect(crashes.length).toBeGreaterThan(8);
    },
    TIMEOUT_MS,
  );

  test(
    "makes all new or all old after kill -9 in an undo",
    async () => {
      using applied = tempDir();
      const first = join(applied.path, "first");
      writeCrashScene(first);
      const before = readTree(first);
      await apply(workspaceAt(first));
      const after = readTree(first);
      renameSync(first, join(applied.path, "moved"));
      const crashes = await sweep({
        title: "an undo",
        stride: ALL ? 1 : 11,
        task: "undo",
        prepare: (root) => copyFolder(join(applied.path, "moved"), root),
        judge: (root) => {
          const workspace = workspaceAt(root);
          recover(workspace, { log: silentLog });
          const isUndone = readHistory(workspace)[1]?.status === "committed";
          expect(readTree(root)).toEqual(isUndone ? before : after);
          return isUndone ? "all old (undone)" : "all new (not undone)";
        },
      });
      expect(crashes.length).toBeGreaterThan(ALL ? 8 : 6);
    },
    TIMEOUT_MS,
  );

  test("finds all new behind the commit, the last step of an apply", async () => {
    using dir = tempDir();
    const { before, workspace } = await killedAt(dir.path, "committed");
    expect(expectWhole(workspace, before, await treeAfterApply())).toBe("all new");
  });

  test("takes back a new file that still shares its inode with the stage", async () => {
    using dir = tempDir();
    const { before, workspace } = await killedAt(dir.path, "→ new.ts");
    expect(statSync(join(dir.path, "src/deep/new.ts")).nlink).toBe(2);
    recover(workspace, { log: silentLog });
    expect(readTree(dir.path)).toEqual(before);
  });

  test("is done by the next apply as well", async () => {
    using dir = tempDir();
    const { workspace } = await killedAt(dir.path, HALF_WAY);
    expect(await applyActions(workspaceAt(dir.path), [])).toMatchObject({ ok: true });
    expect(readHistory(workspace)[0]).toMatchObject({ status: "rolled_back" });
  });

  test.each([HALF_WAY, LAST_CHANGE])(
    "has a way by hand, as docs/recovery.md says: %s",
    async (at) => {
      using dir = tempDir();
      const { before, workspace } = await killedAt(dir.path, at);
      const commands = await commandsByHand();
      const [first = ""] = readFileSync(journalOf(dir.path), "utf8").split("\n");
      for (const { kind, path, before: old, mode } of JSON.parse(
        first,
      ).record.changes.toReversed()) {
        const command = commands
          .get(kind)
          ?.replaceAll("PATH", path)
          .replace("TX", basename(dirname(journalOf(dir.path))))
          .replace("BEFORE", old?.sha256)
          .replace("MODE", mode ?? old?.mode);
        Bun.spawnSync(["sh", "-c", command ?? "false"], { cwd: dir.path, stderr: "ignore" });
      }
      expect(readTree(dir.path)).toEqual(before);
      Bun.spawnSync(["sh", "-c", "mv .papa-yu/tx/* .papa-yu/objects"], { cwd: dir.path });
      expect(recover(workspace, { log: silentLog })).toEqual([]);
    },
  );

  test("leaves a file that was edited after the crash, and says so", async () => {
    using dir = tempDir();
    const { before, workspace } = await killedAt(dir.path, HALF_WAY);
    writeFileSync(join(dir.path, "run.sh"), "mine\n");
    const recovered = recover(workspace, { log: silentLog });
    expect(recovered).toMatchObject([
      {
        looked: {
          status: "conflict",
          kept: [{ path: "run.sh", beforeSha256: sha256("one\ntwo"), reason: "edited since" }],
        },
      },
    ]);
    const reported = recovered.map((each) => describeRecovery(workspace, each)).join("\n");
    expect(reported).toContain(
      '"a test"; all is as before but what changed meanwhile and was left',
    );
    expect(reported).toContain('"run.sh"');
    const mine = `file 755 ${sha256("mine\n")}`;
    expect(readTree(dir.path)).toEqual({ ...before, "run.sh": mine });
  });

  test("survives an incomplete last line, and takes an incomplete first one for nothing done", async () => {
    using dir = tempDir();
    const { before, workspace } = await killedAt(dir.path, HALF_WAY);
    appendFileSync(journalOf(dir.path), '{"line":"end","status":"comm');
    recover(workspace, { log: silentLog });
    expect(readTree(dir.path)).toEqual(before);

    using other = tempDir();
    const early = await killedAt(other.path, "open journal.jsonl");
    appendFileSync(journalOf(other.path), '{"v":1,"line":"begin","kind":"ap');
    expect(recover(early.workspace, { log: silentLog })).toEqual([]);
    expect(readTree(other.path)).toEqual(early.before);
  });

  test("goes back by what the home knows when the journal was damaged, and writes it anew", async () => {
    using dir = tempDir();
    const { before, workspace } = await killedAt(dir.path, HALF_WAY);
    const path = journalOf(dir.path);
    writeFileSync(path, readFileSync(path, "utf8").replace('"v":2', '"v":3'));
    expect(recover(workspace, { log: silentLog })).toMatchObject([
      { summary: "a test", looked: { status: "rolled_back" } },
    ]);
    expect(readTree(dir.path)).toEqual(before);
    expect(readHistory(workspace)).toMatchObject([{ status: "rolled_back", summary: "a test" }]);
    expect(recover(workspace, { log: silentLog })).toEqual([]);
  });

  test("tells each of its steps, and holds no file open when it is done", async () => {
    using dir = tempDir();
    const { workspace } = await killedAt(dir.path, HALF_WAY);
    const steps: string[] = [];
    recover(workspace, { log: silentLog, onStep: (step) => void steps.push(step) });
    const open = readdirSync("/proc/self/fd").map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return ""; // that of the folder itself
      }
    });
    expect(open.filter((path) => path.startsWith(join(dir.path, ".papa-yu/tx")))).toEqual([]);
    expect(steps).toContain("back src");
    expect(steps.at(-1)).toBe("outcome");
  });

  test("does nothing and writes nothing where no transaction ever was", () => {
    using dir = tempDir();
    expect(recover(workspaceAt(dir.path), { log: silentLog })).toEqual([]);
    expect(readdirSync(dir.path)).toEqual([]);
  });
});

/** So much is missing in the stage: a tool that cleans took it. */
const CLEARED = [["stage-8.old"], ["stage-8.old", "stage-6.old"], ["all"]];

describe.if(process.platform === "linux")("A roll-back whose stage is empty", () => {
  test.each(CLEARED)("puts nothing of its own among the files, without %s", async (...names) => {
    using dir = tempDir();
    const { before, workspace } = await killedAt(dir.path, LAST_CHANGE);
    const stage = dirname(journalOf(dir.path));
    for (const name of readdirSync(stage)) {
      const isGone = names.includes(name) || (names.includes("all") && name.endsWith(".old"));
      if (isGone) rmSync(join(stage, name), { recursive: true });
    }
    using watch = watchFolder(dir.path, new Set([".papa-yu"]));
    expectWhole(workspace, before, before);
    const seen = watch.take().map(({ path }) => path);
    expect(seen).toContain("run.sh");
    expect(seen.filter((path) => basename(path).startsWith(".papa-yu-"))).toEqual([]);
  });
});
