import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../src/config/load/load.ts";
import { createApp } from "../src/daemon/app/app.ts";
import { createRoutineDeps } from "../src/daemon/routines/routine-deps.ts";
import type { Provider } from "../src/providers/provider.ts";
import { runRoutine } from "../src/routines/run.ts";
import { cpuMs } from "../tests/support/effort.ts";
import { tempDir } from "../tests/support/temp.ts";

const FILES = 10_000;
const INSTANTS = 1_000;

/**
 * What due instants cost while nothing has changed: a routine on a folder of 10,000 files, run once
 * and then 1,000 times more.
 */
export async function benchIdleRoutines(): Promise<string> {
  using dir = tempDir("papayu-bench-");
  writeFolder(join(dir.path, "notes"));
  await Bun.write(join(dir.path, "config.toml"), CONFIG);
  const env = { PAPAYU_HOME: join(dir.path, "home") };
  const path = join(dir.path, "config.toml");
  const loaded = await loadConfig({ path, cwd: dir.path, home: dir.path, env });
  const asked = { calls: 0 };
  const provider = counting(asked);
  await using app = createApp(loaded, { env, cwd: dir.path, writeLog() {}, provider });
  const deps = createRoutineDeps(app.current);
  const routine = app.routines.find("watch");
  const { signal } = new AbortController();
  await runRoutine(routine, deps, signal);
  const first = asked.calls;
  const before = cpuMs();
  for (let instant = 0; instant < INSTANTS; instant++) await runRoutine(routine, deps, signal);
  const each = (cpuMs() - before) / INSTANTS;
  return [
    "| files | due instants | model calls | CPU for each |",
    "|---|---|---|---|",
    `| ${FILES} | ${INSTANTS} | ${asked.calls - first} | ${each.toFixed(1)} ms |`,
  ].join("\n");
}

const CONFIG = `[[workspaces]]
name = "notes"
path = "./notes"
[[routines.jobs]]
name = "watch"
schedule = "* * * * *"
workspace = "notes"
mode = "ask"
task = "Say what is new"
`;

function writeFolder(root: string): void {
  for (let folder = 0; folder < FILES / 100; folder++) {
    const path = join(root, `folder-${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < 100; file++) writeFileSync(join(path, `note-${file}.md`), "x\n");
  }
}

function counting(asked: { calls: number }): Provider {
  return {
    name: "counting",
    model: "none",
    async *stream() {
      asked.calls++;
      yield { kind: "content", text: "Nothing" };
      yield { kind: "end", reason: "stop", usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
}
