import { join } from "node:path";
import { createSandbox, type SandboxState } from "../src/system/sandbox/sandbox.ts";
import { runChecks } from "../src/transaction/check.ts";
import { openView, type View } from "../src/transaction/view/view.ts";
import { resolveChecks } from "../src/workspace/checks/checks.ts";
import { ensureStateSubdir } from "../src/workspace/state-dir.ts";
import type { CheckCommand, Workspace } from "../src/workspace/workspace.ts";
import { readWorkspaces } from "../tests/e2e/real-workspaces.ts";
import { tempDir } from "../tests/support/temp.ts";
import { median } from "./median.ts";

const RUNS = 7;
const { signal } = new AbortController();

/**
 * The checks of real projects in a view beside the same checks in the folder, by turns and both in
 * the sandbox, on caches that are warm: `folder` holds projects as `test:long -- commits` takes them,
 * which are checked where they are.
 */
export async function benchReal(folder: string): Promise<string> {
  using dir = tempDir("papayu-bench-");
  const home = join(dir.path, "home");
  const lines = [
    `median of ${RUNS}, the view made and gone each time`,
    "",
    "| project | checks | in a view | in the folder | ratio |",
    "|---|---|---:|---:|---:|",
  ];
  for (const real of readWorkspaces(folder).workspaces) {
    const rules = { checkTimeoutMs: 600_000, maxActions: 0, protectedPaths: [] } as const;
    const workspace = {
      name: "bench",
      root: real.path,
      check: real.check ?? "detect",
      ...rules,
    } as const;
    ensureStateSubdir(workspace, "cache");
    const env = { ...process.env, ...real.env };
    const sandbox = await createSandbox({ mode: "auto", env, hidden: [home] })();
    const commands = await resolveChecks(workspace);
    const scene: Scene = { workspace, commands, viewsDir: join(home, "views"), sandbox, env };
    lines.push(await compare(real.name, scene));
  }
  return lines.join("\n");
}

interface Scene {
  readonly workspace: Workspace;
  readonly commands: readonly CheckCommand[];
  readonly viewsDir: string;
  readonly sandbox: SandboxState;
  readonly env: Readonly<Record<string, string | undefined>>;
}

async function compare(name: string, scene: Scene): Promise<string> {
  const times = { view: [] as number[], folder: [] as number[] };
  for (let run = 0; run <= RUNS; run++) {
    const inFolder = await timed(() => check(scene));
    const inView = await timed(() => checkInView(scene));
    if (run === 0) continue; // warm
    times.view.push(inView);
    times.folder.push(inFolder);
  }
  const [view, folder] = [median(times.view), median(times.folder)];
  const named = scene.commands.map(({ argv }) => argv.join(" ")).join("; ");
  const ratio = (view / folder).toFixed(2);
  return `| ${name} | ${named} | ${view.toFixed(0)} ms | ${folder.toFixed(0)} ms | ${ratio} |`;
}

async function checkInView(scene: Scene): Promise<void> {
  const { workspace, viewsDir, sandbox, env } = scene;
  const opened = await openView({ workspace, viewsDir, sandbox, env, signal });
  if (opened.kind === "none") throw new Error(`no view here: ${opened.reason}`);
  await using view = opened;
  await check(scene, view);
}

async function check({ workspace, commands, sandbox, env }: Scene, view?: View): Promise<void> {
  const { checkTimeoutMs: timeoutMs } = workspace;
  const mark = crypto.randomUUID();
  const options = { timeoutMs, signal, env, sandbox, mark, ...(view && { view }) };
  const { ok, stages } = await runChecks(workspace, commands, options);
  if (!ok) throw new Error(`the checks failed: ${stages.at(-1)?.output}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
