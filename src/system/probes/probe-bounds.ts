import { describeExcess, type Excess, type Limits } from "../limits.ts";
import type { CommandResult } from "../run-command.ts";
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

function fill(folder: string): string {
  const files = ["1", "2", "3"].map((name) => `head -c 10M /dev/zero >${folder}/${name}`);
  return [...files, WAIT].join("; ");
}

/** Goes over each limit and looks whether that is stopped, and said. */
export async function probeBounds(run: RunLimited): Promise<readonly ProbeResult[]> {
  const results: ProbeResult[] = [];
  for (const [name, kinds, script] of EXCESSES) {
    const { excess, exitCode, output } = await run(["sh", "-c", script], PROBE_LIMITS);
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
