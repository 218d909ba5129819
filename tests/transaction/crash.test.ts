import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { silentLog } from "../../src/core/log.ts";
import { sha256 } from "../../src/core/sha256.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { describeRecovery, recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { childProgram } from "../support/child-program.ts";
import { tellFigures } from "../support/figures.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";
import { crashChangeSet, writeCrashScene } from "./crash-scene.ts";
import { applyActions, requestFor, workspaceAt } from "./scene.ts";
import { steppedSources } from "./stepped-sources.ts";

const CHILD = await childProgram(new URL("./crash-child.ts", import.meta.url), steppedSources);
const STEPPED_FS = Bun.fileURLToPath(new URL("./stepped-fs.ts", import.meta.url));

/** `CRASH_STEPS=all bun test tests/transaction/crash.test.ts` leaves no step out and prints them. */
const ALL = process.env["CRASH_STEPS"] === "all";
const PARALLEL = 4;
const TIMEOUT_MS = ALL ? 3_600_000 : 240_000;

interface End {
  /** The call after which it was killed; undefined when it came to its end. */
  readonly step: string | undefined;
}

/** Runs a task that ends at a call, by its number or its words; without one it ends by itself. */
async function runChild(root: string, task: string, stop: number | string): Promise<End> {
  const argv = [process.execPath, "--preload", STEPPED_FS, CHILD, root, task];
  const name = typeof stop === "number" ? "STOP_AFTER" : "STOP_AT";
  const env = { ...process.env, [name]: `${stop}` };
  const child = Bun.spawn(argv, { stdout: "pipe", stderr: "inherit", env });
  const output = await child.stdout.text();
  await child.exited;
  if (child.signalCode === "SIGKILL") return { step: output };
  expect(child.exitCode).toBe(0);
  return { step: undefined };
}

interface Crash extends End {
  readonly outcome: string;
}

/** Calls `crash` with 1, 2, 3 … or every `stride`th of them until it was not killed any more. */
async function sweep(
  title: string,
  stride: number,
  crash: (killAt: number) => Promise<Crash>,
): Promise<readonly Crash[]> {
  const crashes: Crash[] = [];
  for (
    let first = 1;
    crashes.at(-1)?.step !== undefined || first === 1;
    first += PARALLEL * stride
  ) {
    const numbers = Array.from({ length: PARALLEL }, (_, index) => first + index * stride);
    crashes.push(...(await Promise.all(numbers.map(crash))));
  }
  const killed = crashes.filter(({ step }) => step !== undefined);
  if (ALL) console.log(renderTable(title, killed));
  tellFigures(title, { kills: killed.length });
  return killed;
}

function renderTable(title: string, crashes: readonly Crash[]): string {
  const rows = crashes.map(({ step, outcome }, index) => {
    return `${`${index + 1}`.padStart(3)}  ${(step ?? "").padEnd(50)}  ${outcome}`;
  });
  return [`\nkill -9 in ${title}, then recover`, ...rows].join("\n");
}

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

/** A scene whose apply was killed right after a call. */
async function killedAt(root: string, stopAt: string) {
  writeCrashScene(root);
  const before = readTree(root);
  const { step } = await runChild(root, "apply", stopAt);
  expect(step).toEndWith(stopAt);
  return { before, workspace: workspaceAt(root) };
}

/** Three folders, two new files and one update were made. */
const HALF_WAY = "→ run.sh";

/** All of them, not synced yet. */
const LAST_CHANGE = "rmdir old";

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
  const litter = listState(workspace.root).filter((path) => /stage/.test(path));
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
      const crashes = await sweep("an apply", ALL ? 1 : 11, async (killAt) => {
        using dir = tempDir();
        writeCrashScene(dir.path);
        const before = readTree(dir.path);
        const end = await runChild(dir.path, "apply", killAt);
        return { ...end, outcome: expectWhole(workspaceAt(dir.path), before, after) };
      });
      expect(crashes.length).toBeGreaterThan(ALL ? 80 : 7);
      // Only the last step, the commit, makes it new.
      const isNew = crashes.findIndex(({ outcome }) => outcome === "all new");
      expect([ALL ? undefined : -1, crashes.length - 1]).toContain(isNew);
    },
    TIMEOUT_MS,
  );

  test(
    "makes all old after kill -9 at every step of the recovery itself, twice over",
    async () => {
      using crashed = tempDir();
      const { before } = await killedAt(join(crashed.path, "first"), LAST_CHANGE);
      renameSync(join(crashed.path, "first"), join(crashed.path, "moved"));
      const crashes = await sweep("a recovery", ALL ? 1 : 4, async (killAt) => {
        using dir = tempDir();
        Bun.spawnSync(["cp", "-a", `${crashed.path}/moved/.`, dir.path]);
        const end = await runChild(dir.path, "recover", killAt);
        if (ALL) await runChild(dir.path, "recover", Math.ceil(killAt / 2));
        return { ...end, outcome: expectWhole(workspaceAt(dir.path), before, before) };
      });
      expect(crashes.length).toBeGreaterThan(ALL ? 18 : 3);
    },
    TIMEOUT_MS,
  );

  test(
    "makes all old after kill -9 in a failing apply's roll-back",
    async () => {
      const crashes = await sweep("a failing apply", ALL ? 1 : 13, async (killAt) => {
        using dir = tempDir();
        writeCrashScene(dir.path);
        const before = readTree(dir.path);
        const end = await runChild(dir.path, "apply and fail", killAt);
        return { ...end, outcome: expectWhole(workspaceAt(dir.path), before, before) };
      });
      expect(crashes.length).toBeGreaterThan(ALL ? 8 : 4);
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
      const crashes = await sweep("an undo", ALL ? 1 : 13, async (killAt) => {
        using dir = tempDir();
        Bun.spawnSync(["cp", "-a", `${applied.path}/moved/.`, dir.path]);
        const end = await runChild(dir.path, "undo", killAt);
        const workspace = workspaceAt(dir.path);
        recover(workspace, { log: silentLog });
        const isUndone = readHistory(workspace)[1]?.status === "committed";
        expect(readTree(dir.path)).toEqual(isUndone ? before : after);
        return { ...end, outcome: isUndone ? "all old (undone)" : "all new (not undone)" };
      });
      expect(crashes.length).toBeGreaterThan(ALL ? 8 : 4);
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

  test("does nothing and writes nothing where no transaction ever was", () => {
    using dir = tempDir();
    expect(recover(workspaceAt(dir.path), { log: silentLog })).toEqual([]);
    expect(readdirSync(dir.path)).toEqual([]);
  });
});
