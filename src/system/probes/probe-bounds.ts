import { rmSync } from "node:fs";
import { join } from "node:path";
import { describeExcess, type Excess, type Limits } from "../limits.ts";
import type { CommandResult } from "../run/run.ts";
import type { ProbeResult } from "./result.ts";

/** Runs a command in the sandbox, or where the sandbox would be, under limits. */
type RunLimited = (argv: readonly string[], limits: Limits) => Promise<CommandResult>;

const MB = 1024 * 1024;

/** Small, so that going over them costs nothing. */
const PROBE_LIMITS: Limits = {
  maxProcesses: 40,
  maxMemoryBytes: 160 * MB,
  maxDiskBytes: 16 * MB,
};

const WAIT = "sleep 10";

/** Folders that are private in a sandbox; without one they are everybody's. */
const SHARED_FOLDERS: readonly string[] = ["/dev/shm", "/tmp"];

/** What goes over each limit; bounded by itself, should nobody stop it. */
const EXCESSES: readonly (readonly [
  name: string,
  kinds: readonly Excess["kind"][],
  script: string,
])[] = [
  ["processes", ["processes"], `for i in $(seq 300); do ${WAIT} & done; wait`],
  ["memory", ["memory"], `x=$(head -c 200M /dev/zero | tr '\\0' x); ${WAIT}`],
  ["memory in /dev/shm", ["memory", "disk"], fill("/dev/shm")],
  ["disk in the workspace", ["disk"], fill(".")],
  ["disk in /tmp", ["disk"], fill("/tmp")],
  [
    "many small files",
    ["disk"],
    `mkdir many && cd many && for i in $(seq 5000); do : >$i; done; ${WAIT}`,
  ],
  ["the size of one file", ["file", "disk"], "exec truncate -s 1G sparse"],
];

/** Fills a folder of its own, whose name is the first argument: what lies there is somebody's. */
function fill(folder: string): string {
  const files = ["1", "2", "3"].map((name) => `head -c 10M /dev/zero >${name}`);
  return [`mkdir ${folder}/$1 && cd ${folder}/$1 || exit 1`, ...files, WAIT].join("; ");
}

/** Goes over each limit and looks whether that is stopped, and said. */
export async function probeBounds(run: RunLimited): Promise<readonly ProbeResult[]> {
  const results: ProbeResult[] = [];
  for (const [name, kinds, script] of EXCESSES) {
    const folder = `papayu-bound-${crypto.randomUUID()}`;
    const argv = ["sh", "-c", script, "sh", folder];
    const { excess, exitCode, output } = await run(argv, PROBE_LIMITS).finally(() => {
      for (const shared of SHARED_FOLDERS) {
        rmSync(join(shared, folder), { recursive: true, force: true });
      }
    });
    const isStopped = excess !== undefined && kinds.includes(excess.kind);
    results.push({
      name: `bounds: ${name}`,
      expected: "stopped, with the reason",
      isEssential: true,
      found: excess
        ? describeExcess(excess)
        : `ended with ${exitCode ?? "a signal"}: ${output.trim().slice(-80)}`,
      state: isStopped ? "ok" : "failed",
    });
  }
  return results;
}
