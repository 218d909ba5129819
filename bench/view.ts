import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createSandbox, type SandboxState } from "../src/system/sandbox/sandbox.ts";
import { runChecks } from "../src/transaction/check.ts";
import { openView, type View } from "../src/transaction/view/view.ts";
import { ensureStateSubdir } from "../src/workspace/state-dir.ts";
import type { Workspace } from "../src/workspace/workspace.ts";
import { tempDir } from "../tests/support/temp.ts";
import { median } from "./median.ts";
import { benchPress, type PressFolder } from "./view-press.ts";

const FILE_COUNTS = [20, 2000, 20_000];
const RUNS = 9;
const A_FOLDER = 50;
const CONTENT = "export const value = 1;\n".repeat(40);
const COMMANDS = {
  "an empty command": ":",
  "reads every file": "find . -name '*.ts' -exec cat {} + >/dev/null",
  "writes 200 files":
    "mkdir out; i=0; while [ $i -lt 200 ]; do echo $i >out/$i; i=$((i+1)); done; rm -r out",
} as const;

const { signal } = new AbortController();
const env = process.env;

/**
 * A view made and gone beside a full copy of the same folder, and commands in it beside the same
 * commands in the folder, both in the sandbox.
 */
export async function benchView(): Promise<string> {
  using dir = tempDir("papayu-bench-");
  const home = join(dir.path, "home");
  const sandbox = await createSandbox({ mode: "auto", env, hidden: [home] })();
  const lines = [
    `median of ${RUNS}`,
    "",
    "| files | view made and gone | `cp -a` and `rm -r` | ratio |",
    "|---:|---:|---:|---:|",
  ];
  const commands: string[] = [];
  const folders: PressFolder[] = [];
  for (const count of FILE_COUNTS) {
    const workspace = makeWorkspace(join(dir.path, `w${count}`), count);
    const scene: Scene = { workspace, viewsDir: join(home, "views"), sandbox };
    const own = await timed(async () => (await open(scene))[Symbol.asyncDispose]());
    const copy = await timed(async () => copyAndRemove(workspace.root, join(dir.path, "copy")));
    lines.push(
      `| ${count} | ${own.toFixed(1)} ms | ${copy.toFixed(1)} ms | ${(copy / own).toFixed(1)} |`,
    );
    commands.push(...(await compareCommands(scene, count)));
    const paths = Array.from({ length: count }, (_, index) => pathOf(index));
    folders.push({ root: workspace.root, count, paths });
  }
  const head = ["", "| files | command | in a view | in the folder |", "|---:|---|---:|---:|"];
  const press = await benchPress(folders);
  return [...lines, ...head, ...commands, "", press].join("\n");
}

interface Scene {
  readonly workspace: Workspace;
  readonly viewsDir: string;
  readonly sandbox: SandboxState;
}

async function compareCommands(scene: Scene, count: number): Promise<readonly string[]> {
  await using view = await open(scene);
  const lines: string[] = [];
  for (const [name, script] of Object.entries(COMMANDS)) {
    const inView = await timed(() => check(scene, script, view));
    const inFolder = await timed(() => check(scene, script));
    lines.push(`| ${count} | ${name} | ${inView.toFixed(1)} ms | ${inFolder.toFixed(1)} ms |`);
  }
  return lines;
}

async function open({ workspace, viewsDir, sandbox }: Scene): Promise<View> {
  const opened = await openView({ workspace, viewsDir, sandbox, env, signal });
  if (opened.kind === "none") throw new Error(`no view here: ${opened.reason}`);
  return opened;
}

async function check({ workspace, sandbox }: Scene, script: string, view?: View): Promise<void> {
  const commands = [{ name: "bench", argv: ["sh", "-c", script] }];
  const options = { timeoutMs: 60_000, signal, env, sandbox, mark: crypto.randomUUID() };
  const { ok } = await runChecks(workspace, commands, { ...options, ...(view && { view }) });
  if (!ok) throw new Error("the command failed");
}

function copyAndRemove(from: string, to: string): void {
  const done = Bun.spawnSync(["cp", "-a", from, to]);
  if (!done.success) cpSync(from, to, { recursive: true });
  rmSync(to, { recursive: true });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  await work(); // warm
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

function pathOf(index: number): string {
  return `d${Math.floor(index / A_FOLDER)}/f${index}.ts`;
}

function makeWorkspace(root: string, count: number): Workspace {
  for (let index = 0; index < count; index++) {
    const path = join(root, pathOf(index));
    if (index % A_FOLDER === 0) mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, CONTENT);
  }
  const rules = {
    check: "none",
    checkTimeoutMs: 60_000,
    maxActions: 0,
    protectedPaths: [],
  } as const;
  const workspace = { name: "bench", root, ...rules };
  ensureStateSubdir(workspace, "cache");
  return workspace;
}
