import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listFiles } from "../src/workspace/files.ts";
import { searchFiles } from "../src/workspace/search.ts";

const FILES = 20_000;
const RUNS = 7;
const QUERY = "needle in line 7 of file 1999";

/** Lists and searches 20,000 files beside git (and ripgrep where there is one), as ratios. */
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
      await row("search", () => searchFiles(root, { query: QUERY }), root, [
        [...git, "grep", "--untracked", "-n", "-F", "-e", QUERY],
        ["rg", "--hidden", "-n", "-F", "-e", QUERY],
      ]),
    ];
    return [`${FILES} files, median of ${RUNS}; above 1: faster than the peer`, ...rows].join("\n");
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function generate(root: string): void {
  writeFileSync(join(root, ".gitignore"), "*.log\ndist/\n");
  for (let file = 0; file < FILES; file++) {
    const folder = join(root, `package-${file % 50}`, `part-${file % 400}`);
    if (file < 400) mkdirSync(folder, { recursive: true });
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
  const oursMs = await median(ours);
  const parts = [`${name}: ${oursMs.toFixed(0)} ms`];
  for (const argv of peers.filter(([command]) => Bun.which(command ?? "") !== null)) {
    const peerMs = await median(async () => run(root, argv));
    parts.push(`${argv[0]} ${peerMs.toFixed(0)} ms, ratio ${(peerMs / oursMs).toFixed(2)}`);
  }
  return parts.join("; ");
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < RUNS; count++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN;
}

function run(cwd: string, argv: readonly string[]): void {
  const { exitCode } = Bun.spawnSync([...argv], { cwd, stdout: "pipe", stderr: "ignore" });
  if (exitCode !== 0) throw new Error(`"${argv.join(" ")}" ended with exit code ${exitCode}`);
}
