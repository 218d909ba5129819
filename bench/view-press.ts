import { loadConfig } from "../src/config/load/load.ts";
import { resolveWorkspace } from "../src/config/workspaces.ts";
import { createApp } from "../src/daemon/app/app.ts";
import { createSandbox } from "../tests/e2e/papayu.ts";
import { answer, toConfig } from "../tests/e2e/real-commits.ts";
import { startModelServer } from "../tests/support/model-server.ts";
import { tempDir } from "../tests/support/temp.ts";
import { median } from "./median.ts";

const TOUCHED = [1, 25, 200];
/** Of them are changed at most. */
const SEEN = 25;
const RUNS = 5;
const AFTER = "export const value = 2;\n";
const { signal } = new AbortController();
const MB = 1024 * 1024;

/** A folder to make changes in, and its files. */
export interface PressFolder {
  readonly root: string;
  readonly count: number;
  readonly paths: readonly string[];
}

/**
 * From a yes to what passed its checks to the commit, by the daemon's own parts, beside `git status` of
 * the same folder in the same run: both ask the kernel for every file.
 */
export async function benchPress(folders: readonly PressFolder[]): Promise<string> {
  const lines = [
    "| files | touched | plan | preview | press → committed | `git status` | ratio | memory |",
    "|---:|---:|---:|---:|---:|---:|---:|---:|",
  ];
  for (const folder of folders) {
    initGit(folder.root);
    for (const touched of TOUCHED) {
      if (touched <= folder.count) lines.push(await pressRow(folder, touched));
    }
  }
  return lines.join("\n");
}

async function pressRow(folder: PressFolder, touched: number): Promise<string> {
  using dir = tempDir("papayu-bench-");
  const paths = folder.paths.slice(0, touched);
  // A model sees no more than some of so many; the others are new.
  const actions = paths.map((path, index) => {
    const isNew = index >= SEEN;
    const kind = isNew ? "CREATE_FILE" : "UPDATE_FILE";
    return { kind, path: isNew ? `new/${path}` : path, content: AFTER };
  });
  await using model = startModelServer((request, n) => answer(request, n, folder.root, actions));
  const config = toConfig(
    { path: folder.root, workspace: 'check = [["true"]]' },
    model.url,
    folder.root,
  );
  const { env } = createSandbox(dir.path, config);
  const loaded = await loadConfig({ cwd: dir.path, env, home: env["HOME"] ?? "" });
  using app = createApp(loaded, { env, cwd: dir.path, writeLog: () => {} });
  const { operations } = app.current.agent.plans;
  const { ledger } = app.state;
  const workspace = { ...resolveWorkspace(loaded, "work", dir.path), ledger };
  const times = { plan: [] as number[], preview: [] as number[], press: [] as number[] };
  const git: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const plan = await timed(times.plan, () => operations.plan(workspace, "do it", { signal }));
    if (!plan.ok) throw new Error(plan.message);
    const seen = await timed(times.preview, () => operations.preview(plan.planId, signal));
    if (!seen.ok) throw new Error(`${seen.message} ${JSON.stringify(seen.blocked)}`);
    if (seen.preview.checked?.check.ok !== true) throw new Error("the checks did not run");
    const approved = seen.preview.changeSetId;
    const done = await timed(times.press, () => {
      return operations.apply(plan.planId, { approved, signal });
    });
    if (done.status !== "committed") throw new Error(done.error);
    await operations.undo(workspace, signal);
    await timed(git, async () => Bun.spawnSync(["git", "status"], { cwd: folder.root }));
  }
  // The first of each is warm-up.
  const [plan, preview, press, status] = [times.plan, times.preview, times.press, git].map(
    (all) => {
      return median(all.slice(1));
    },
  );
  const ms = (value = 0) => `${value.toFixed(1)} ms`;
  const memory = `${(process.memoryUsage.rss() / MB).toFixed(0)} MB`;
  const ratio = ((press ?? 0) / (status ?? 1)).toFixed(2);
  return `| ${folder.count} | ${touched} | ${ms(plan)} | ${ms(preview)} | ${ms(press)} | ${ms(status)} | ${ratio} | ${memory} |`;
}

function initGit(root: string): void {
  const git = (...args: string[]) => Bun.spawnSync(["git", ...args], { cwd: root });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "all");
}

async function timed<Result>(times: number[], work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await work();
  times.push(performance.now() - startedAt);
  return result;
}
