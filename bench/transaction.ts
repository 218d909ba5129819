import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/core/clock.ts";
import { silentLog } from "../src/core/log.ts";
import { sha256 } from "../src/core/sha256.ts";
import type { Action } from "../src/protocol/response.ts";
import { computeChangeSet } from "../src/transaction/compute.ts";
import { runTransaction } from "../src/transaction/run.ts";
import type { Workspace } from "../src/workspace/workspace.ts";

const FILE_COUNTS = [1, 25, 200];
const RUNS = 9;
const LINE = `${"x".repeat(63)}\n`;

/**
 * Updates N files of 4 kB in 10 folders: as a transaction; as the plainest code that gives the
 * same promises to each file (before-image and new content written, synced, renamed, folders
 * synced) and none to the whole; and as `git add` with `git commit`.
 */
export async function benchTransaction(): Promise<string> {
  const rows = ["files  papa-yu   raw writes  ratio   git add+commit"];
  for (const count of FILE_COUNTS) {
    const [ours, raw, git] = [[] as number[], [] as number[], [] as number[]];
    for (let run = 0; run < RUNS; run++) {
      ours.push(await timed(count, runOurs));
      raw.push(await timed(count, runRaw));
      git.push(await timed(count, runGit));
    }
    const [a, b, c] = [median(ours), median(raw), median(git)];
    const cells = [
      `${count}`.padStart(5),
      ms(a),
      ms(b),
      `${(a / b).toFixed(2)}×`.padStart(8),
      ms(c),
    ];
    rows.push(cells.join("  "));
  }
  return rows.join("\n");
}

interface Scene {
  readonly root: string;
  readonly paths: readonly string[];
}

async function timed(
  count: number,
  prepare: (scene: Scene) => Promise<() => Promise<void>>,
): Promise<number> {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "papayu-bench-"));
  try {
    const paths = Array.from({ length: count }, (_, n) => `dir${n % 10}/file${n}.txt`);
    for (const [n, path] of paths.entries()) {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), contentOf(n, "old"));
    }
    const work = await prepare({ root, paths });
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function runOurs({ root, paths }: Scene): Promise<() => Promise<void>> {
  const workspace: Workspace = {
    name: "bench",
    root,
    check: "none",
    checkTimeoutMs: 0,
    maxActions: 0,
    protectedPaths: [],
  };
  // The first apply makes the state folder; every later one finds it.
  await apply(workspace, [{ kind: "CREATE_FILE", path: "warm.txt", content: "" }]);
  const actions = paths.map((path, n): Action => {
    const base_sha256 = sha256(contentOf(n, "old"));
    const content = "new";
    return { kind: "REPLACE_RANGE", path, base_sha256, start_line: 1, end_line: 1, content };
  });
  return () => apply(workspace, actions);
}

async function apply(workspace: Workspace, actions: readonly Action[]): Promise<void> {
  const computed = computeChangeSet(workspace, actions);
  if (!computed.ok) throw new Error(computed.problems[0]?.message);
  const { signal } = new AbortController();
  const { changeSet } = computed;
  const rest = { kind: "apply", summary: "bench", checks: [], checkTimeoutMs: 0 } as const;
  const request = { workspace, changeSet, ...rest, clock: systemClock, log: silentLog, signal };
  const result = await runTransaction(request);
  if (!result.ok) throw new Error(result.message);
}

async function runRaw({ root, paths }: Scene): Promise<() => Promise<void>> {
  mkdirSync(join(root, "backup"));
  return async () => {
    for (const [n, path] of paths.entries()) {
      writeSynced(join(root, "backup", `${n}`), contentOf(n, "old"));
      writeSynced(join(root, `${path}.tmp`), contentOf(n, "new"));
      renameSync(join(root, `${path}.tmp`), join(root, path));
    }
    const folders = new Set(paths.map((path) => join(root, path, "..")));
    for (const folder of [...folders, join(root, "backup")]) syncFolder(folder);
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
  for (const [n, path] of paths.entries()) writeFileSync(join(root, path), contentOf(n, "new"));
  return async () => {
    await git("add", "-A");
    await git("commit", "-qm", "new");
  };
}

function contentOf(n: number, first: string): string {
  return `${first}\nfile ${n}\n${LINE.repeat(63)}`;
}

function writeSynced(path: string, content: string): void {
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
