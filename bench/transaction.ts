import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { systemClock } from "../src/core/clock.ts";
import { sha256 } from "../src/core/sha256.ts";
import type { Action } from "../src/protocol/response.ts";
import { createLedger } from "../src/store/ledger.ts";
import { openStore } from "../src/store/open/open-database.ts";
import { computeChangeSet } from "../src/transaction/compute/compute.ts";
import { runTransaction } from "../src/transaction/run/run.ts";
import { undo } from "../src/transaction/undo/undo.ts";
import type { Workspace } from "../src/workspace/workspace.ts";
import { silentLog } from "../tests/support/silent-log.ts";

const FILE_COUNTS = [1, 5, 25, 200];
const RUNS = 11;
const WORKSPACE_SIZES = [100, 100_000];
const TOUCHED = 3;
/** 200 such files are 5 MB. */
const FILE_LINES = 400;
const { signal } = new AbortController();

/**
 * Updates N files of 25 kB in 10 folders and takes that back: as a transaction; as the plainest
 * code that gives the same promises to each file (old content kept, new one written next to it, both
 * synced, renamed, folders synced) and none to the whole; and with git, which syncs no work tree:
 * `add` and `commit` of files written before the clock starts, then `checkout` of the old ones.
 */
export async function benchTransaction(): Promise<string> {
  const rows = ["apply + undo", "files   papa-yu  raw writes   ratio       git   ratio"];
  for (const count of FILE_COUNTS) {
    const times = { ours: [] as number[], raw: [] as number[], git: [] as number[] };
    for (let run = 0; run < RUNS; run++) {
      times.ours.push(await timed(count, runOurs));
      times.raw.push(await timed(count, runRaw));
      times.git.push(await timed(count, runGit));
    }
    const [ours, raw, git] = [median(times.ours), median(times.raw), median(times.git)];
    const cells = [`${count}`.padStart(5), ms(ours), ms(raw), ratio(ours, raw)];
    rows.push([...cells, ms(git), ratio(ours, git)].join("  "));
  }
  return [...rows, "", ...(await bySize())].join("\n");
}

/** What a few files cost does not depend on how many are next to them. */
async function bySize(): Promise<readonly string[]> {
  const scenes = WORKSPACE_SIZES.map((size) => ({
    size,
    scene: makeScene(size, 1),
    times: [] as number[],
  }));
  try {
    for (let run = 0; run < RUNS; run++) {
      for (const { scene, times } of scenes) {
        const paths = scene.paths.slice(0, TOUCHED);
        times.push(await stopwatch(await runOurs({ root: scene.root, paths })));
      }
    }
  } finally {
    for (const { scene } of scenes) rmSync(scene.root, { recursive: true, force: true });
  }
  return scenes.map(
    ({ size, times }) =>
      `${TOUCHED} files of ${size}: ${ms(median(times)).trim()} for apply + undo`,
  );
}

interface Scene {
  readonly root: string;
  readonly paths: readonly string[];
}

type Prepare = (scene: Scene) => Promise<() => Promise<void>>;

async function timed(count: number, prepare: Prepare): Promise<number> {
  const scene = makeScene(count, FILE_LINES);
  try {
    return await stopwatch(await prepare(scene));
  } finally {
    rmSync(scene.root, { recursive: true, force: true });
  }
}

function makeScene(count: number, lines: number): Scene {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "papayu-bench-"));
  const folders = Math.max(10, count / 100);
  const paths = Array.from({ length: count }, (_, n) => `dir${n % folders}/file${n}.txt`);
  for (const [n, path] of paths.entries()) {
    if (n < folders) mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), contentOf(n, lines));
  }
  return { root, paths };
}

async function stopwatch(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function runOurs({ root, paths }: Scene): Promise<() => Promise<void>> {
  const home = join(root, ".papa-yu/bench-home"); // goes with the scene
  mkdirSync(home, { recursive: true });
  const workspace: Workspace = {
    name: "bench",
    root,
    check: "none",
    checkTimeoutMs: 0,
    maxActions: 0,
    protectedPaths: [],
    ledger: createLedger(openStore(join(home, "state.db")), home),
  };
  // The first apply makes the state folder; every later one finds it.
  await apply(workspace, [{ kind: "CREATE_FILE", path: "warm.txt", content: "" }]);
  const actions = paths.map((path): Action => {
    const base_sha256 = sha256(readFileSync(join(root, path)));
    const content = "new";
    return { kind: "REPLACE_RANGE", path, base_sha256, start_line: 1, end_line: 1, content };
  });
  return async () => {
    await apply(workspace, actions);
    const undone = await undo({ workspace, clock: systemClock, log: silentLog, signal });
    if (!undone.ok) throw new Error(undone.message);
  };
}

async function apply(workspace: Workspace, actions: readonly Action[]): Promise<void> {
  const computed = computeChangeSet(workspace, actions);
  if (!computed.ok) throw new Error(computed.problems[0]?.message);
  const { changeSet } = computed;
  const intent = { changeSet, kind: "apply", summary: "bench" } as const;
  const request = { workspace, intent, clock: systemClock, log: silentLog, signal };
  const result = await runTransaction(request);
  if (!result.ok) throw new Error(result.message);
}

async function runRaw({ root, paths }: Scene): Promise<() => Promise<void>> {
  for (const backup of ["backup1", "backup2"]) mkdirSync(join(root, backup));
  const replaceAll = (backup: string, contentFor: (old: Buffer, n: number) => Uint8Array) => {
    for (const [n, path] of paths.entries()) {
      const old = readFileSync(join(root, path));
      writeSynced(join(root, backup, `${n}`), old);
      writeSynced(join(root, `${path}.tmp`), contentFor(old, n));
      renameSync(join(root, `${path}.tmp`), join(root, path));
    }
    const folders = new Set(paths.map((path) => join(root, dirname(path))));
    for (const folder of [...folders, join(root, backup)]) syncFolder(folder);
  };
  return async () => {
    replaceAll("backup1", changed);
    replaceAll("backup2", (_, n) => readFileSync(join(root, "backup1", `${n}`)));
  };
}

async function runGit({ root, paths }: Scene): Promise<() => Promise<void>> {
  const git = async (...args: readonly string[]) => {
    const identity = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
    const child = Bun.spawn(["git", ...identity, ...args], { cwd: root, stdout: "ignore" });
    if ((await child.exited) !== 0) throw new Error(`git ${args[0]} failed`);
  };
  await git("init", "-q");
  await git("add", "-A");
  await git("commit", "-qm", "old");
  for (const path of paths) {
    writeFileSync(join(root, path), changed(readFileSync(join(root, path))));
  }
  return async () => {
    await git("add", "-A");
    await git("commit", "-qm", "new");
    await git("checkout", "-q", "HEAD~1", "--", ".");
  };
}

function changed(old: Buffer): Buffer {
  return Buffer.concat([Buffer.from("new"), old.subarray(old.indexOf(10))]);
}

/** Lines of 64 bytes that a packer can make as much smaller as source code. */
function contentOf(n: number, lines: number): string {
  const line = (index: number) =>
    `${sha256(`${n} ${index}`).slice(0, 16)} ${"const x = 1; ".repeat(4)}`;
  return Array.from({ length: lines }, (_, index) => `${line(index).slice(0, 63)}\n`).join("");
}

function writeSynced(path: string, content: Uint8Array): void {
  const fd = openSync(path, "w");
  writeFileSync(fd, content);
  fsyncSync(fd);
  closeSync(fd);
}

function syncFolder(path: string): void {
  const fd = openSync(path, "r");
  fsyncSync(fd);
  closeSync(fd);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`.padStart(9);
}

function ratio(ours: number, peer: number): string {
  return `${(ours / peer).toFixed(2)}×`.padStart(6);
}
