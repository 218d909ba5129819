import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listFiles } from "../src/workspace/files.ts";
import { readProfile } from "../src/workspace/profile.ts";
import { searchFiles } from "../src/workspace/search.ts";
import type { Workspace } from "../src/workspace/workspace.ts";

const FILES = 100_000;
const FOLDERS = 1000;
const RUNS = 7;
const QUERY = "needle in line 7 of file 1999";

/** Lists, searches and profiles 100,000 files, compared with git (and ripgrep where there is one). */
export async function benchSearch(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "papayu-bench-search-"));
  try {
    generate(root);
    run(root, ["git", "init", "-q"]);
    const git = ["git", "--no-pager"];
    const rows = [
      await row("list", () => listFiles(root), root, [
        [...git, "ls-files", "--cached", "--others", "--exclude-standard"],
        ["rg", "--files", "--hidden"],
      ]),
      await row("search", () => searchFiles(workspaceAt(root), { query: QUERY }), root, [
        [...git, "grep", "--untracked", "-n", "-F", "-e", QUERY],
        ["rg", "--hidden", "-n", "-F", "-e", QUERY],
      ]),
      await row("profile", () => readProfile(root), root, []),
    ];
    return [`${FILES} files, median of ${RUNS}; above 1: faster than the peer`, ...rows].join("\n");
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function workspaceAt(root: string): Workspace {
  const rules = { check: "none", checkTimeoutMs: 0, maxActions: 0, protectedPaths: [] } as const;
  return { name: "bench", root, ...rules };
}

function generate(root: string): void {
  writeFileSync(join(root, ".gitignore"), "*.log\ndist/\n");
  for (let file = 0; file < FILES; file++) {
    const folder = join(root, `package-${file % 50}`, `part-${file % FOLDERS}`);
    if (file < FOLDERS) mkdirSync(folder, { recursive: true });
    const lines = Array.from(
      { length: 30 },
      (_, line) => `a needle in line ${line} of file ${file}`,
    );
    writeFileSync(join(folder, `file-${file}.ts`), lines.join("\n"));
  }
}

async function row(
  name: string,
  ours: () => Promise<unknown>,
  root: string,
  peers: readonly (readonly string[])[],
): Promise<string> {
  const installed = peers.filter(([command]) => Bun.which(command ?? "") !== null);
  const works = [ours, ...installed.map((argv) => async () => run(root, argv))];
  const times = works.map(() => [] as number[]);
  for (let count = 0; count < RUNS; count++) {
    for (const [index, work] of works.entries()) times[index]?.push(await stopwatch(work));
  }
  const [oursMs = Number.NaN, ...peersMs] = times.map(median);
  const compared = peersMs.map((peerMs, index) => {
    const [command] = installed[index] ?? [];
    return `; ${command} ${peerMs.toFixed(0)} ms, ratio ${(peerMs / oursMs).toFixed(2)}`;
  });
  return `${name}: ${oursMs.toFixed(oursMs < 10 ? 1 : 0)} ms${compared.join("")}`;
}

async function stopwatch(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

function run(cwd: string, argv: readonly string[]): void {
  const { exitCode } = Bun.spawnSync([...argv], { cwd, stdout: "pipe", stderr: "ignore" });
  if (exitCode !== 0) throw new Error(`"${argv.join(" ")}" ended with exit code ${exitCode}`);
}
