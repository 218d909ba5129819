import { join } from "node:path";
import { createSandbox } from "../tests/e2e/papayu.ts";
import { tempDir } from "../tests/support/temp.ts";
import { writeTraces } from "./size-data.ts";

const TRACES = 100_000;
const RUNS = 3;

/** The plainest program that looks at every trace. */
const PEER = `
const { readdirSync, readFileSync } = require("node:fs");
let applies = 0;
for (const name of readdirSync(process.argv[1])) {
  for (const line of readFileSync(process.argv[1] + "/" + name, "utf8").split("\\n")) {
    if (line !== "" && JSON.parse(line).mode === "apply") applies++;
  }
}
console.log(applies);
`;

/**
 * Reports over 100,000 traces compared with a plain loop of read and JSON.parse over the same lines:
 * over all of them, and over the last 100 applies. Time and peak memory of the whole process.
 */
export async function benchReport(): Promise<string> {
  using dir = tempDir("papayu-bench-");
  const traces = join(dir.path, "w/.papa-yu/traces");
  writeTraces(traces, TRACES);
  const { env } = createSandbox(dir.path, '[[workspaces]]\nname = "w"\npath = "./w"\n');
  const main = join(import.meta.dir, "../src/main.ts");
  const peer = await measure(env, ["-e", PEER, traces]);
  const all = await measure(env, [main, "report", "--json", "--from", "2026-01-01"]);
  const last = await measure(env, [main, "report", "--json"]);
  return [
    `${TRACES} traces, median of ${RUNS}`,
    "",
    "| figure | papa-yu | read and parse all | ratio |",
    "|---|---:|---:|---:|",
    ...rows("all applies", all, peer),
    ...rows("the last 100 applies", last, peer),
  ].join("\n");
}

interface Cost {
  readonly ms: number;
  readonly mb: number;
}

function rows(name: string, own: Cost, peer: Cost): readonly string[] {
  return [
    `| ${name}: time | ${own.ms.toFixed(0)} ms | ${peer.ms.toFixed(0)} ms | ${(own.ms / peer.ms).toFixed(2)} |`,
    `| ${name}: peak memory | ${own.mb.toFixed(0)} MB | ${peer.mb.toFixed(0)} MB | ${(own.mb / peer.mb).toFixed(2)} |`,
  ];
}

async function measure(
  env: Readonly<Record<string, string>>,
  argv: readonly string[],
): Promise<Cost> {
  const costs: Cost[] = [];
  for (let run = 0; run < RUNS; run++) {
    const startedAt = performance.now();
    const child = Bun.spawn([process.execPath, ...argv], { env, stdout: "ignore" });
    if ((await child.exited) !== 0) throw new Error(`"${argv.join(" ")}" failed`);
    const ms = performance.now() - startedAt;
    costs.push({ ms, mb: (child.resourceUsage()?.maxRSS ?? 0) / 1_000_000 });
  }
  const [, median = { ms: Number.NaN, mb: Number.NaN }] = costs.toSorted((a, b) => a.ms - b.ms);
  return median;
}
