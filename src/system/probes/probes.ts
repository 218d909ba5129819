import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Limits } from "../limits.ts";
import { ownProgram } from "../own/programs.ts";
import { hideMemory } from "../processes/processes.ts";
import { type CommandResult, findOuterProgram, runCommand } from "../run/run.ts";
import { createSandbox, type SandboxOptions, type SandboxState } from "../sandbox/sandbox.ts";
import type { Attempt } from "./attempt.ts";
import type { Bait } from "./bait.ts";
import { layBait } from "./lay-bait.ts";
import { probeBounds } from "./probe-bounds.ts";
import type { ProbeResult } from "./result.ts";

export type { ProbeResult } from "./result.ts";

/** Options of {@link runProbes}. */
export interface ProbeOptions extends SandboxOptions {
  readonly signal: AbortSignal;
  /** Whether limits are exceeded as well, which takes longest; default: yes. */
  readonly bounds?: boolean;
}

/**
 * Tries from inside of the sandbox to reach everything that it promises to keep out of reach. The
 * same is tried outside of it: what fails there as well proves nothing, and is said to be
 * untested. Nothing of the machine is changed.
 */
export async function runProbes(options: ProbeOptions): Promise<readonly ProbeResult[]> {
  const bubblewrap =
    findOuterProgram("bwrap", options.env, options.workspaces ?? []) ?? "/usr/bin/bwrap";
  await using laid = await layBait({ ...options, bubblewrap });
  const { bait } = laid;
  const sandbox = await createSandbox({
    ...options,
    mode: "auto",
    hidden: [...options.hidden, ...laid.hidden],
    workspaces: [...(options.workspaces ?? []), laid.otherWorkspace],
  })();
  const scene: Scene = { options, sandbox, bait };
  const outside = await attemptAll({ ...scene, sandbox: OUTSIDE });
  const inside = sandbox.kind === "bwrap" ? await attemptAll(scene) : outside;
  return [
    toStart(sandbox),
    ...Object.entries(inside).map(([name, attempt]) => compare(name, attempt, outside[name])),
    ...(options.bounds === false ? [] : await probeBounds((...args) => run(scene, ...args))),
    probeOwnMemory(),
  ];
}

interface Scene {
  readonly options: ProbeOptions;
  readonly sandbox: SandboxState;
  readonly bait: Bait;
}

const OUTSIDE: SandboxState = { kind: "none", reason: "to see that what is tried can succeed" };
const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 256 * 1024;

function toStart(sandbox: SandboxState): ProbeResult {
  const [found, state] =
    sandbox.kind === "bwrap"
      ? [sandbox.gaps.join("; ") || "bubblewrap, without a gap", "ok" as const]
      : [sandbox.reason, "failed" as const];
  return { name: "sandbox", expected: "bubblewrap works", found, state, isEssential: true };
}

async function attemptAll(scene: Scene): Promise<Readonly<Record<string, Attempt>>> {
  const list = join(scene.bait.workspace, "bait.json");
  writeFileSync(list, JSON.stringify(scene.bait));
  const argv = [...ownProgram("probe-inside").argv, list];
  const { exitCode, output } = await run(scene, argv);
  if (exitCode !== 0) throw new Error(`the probes ended with ${exitCode}: ${output}`);
  const found: Record<string, Attempt> = JSON.parse(output.trim().split("\n").at(-1) ?? "");
  return found;
}

function run(
  { options, sandbox, bait }: Scene,
  argv: readonly string[],
  limits?: Limits,
): Promise<CommandResult> {
  const { workspace: root } = bait;
  const { readFrom } = ownProgram("probe-inside");
  const readOnly = [join(root, ".git"), join(root, ".papa-yu"), ...readFrom];
  const writable = [join(root, ".papa-yu/cache")];
  const room = { program: argv[0] ?? "", root, readOnly, writable, network: false };
  return runCommand({
    argv,
    cwd: root,
    env: options.env,
    timeoutMs: TIMEOUT_MS,
    signal: options.signal,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    writable: [root],
    ...(limits && { limits }),
    ...(sandbox.kind === "bwrap" && { sandbox: sandbox.enclose(room) }),
  });
}

/** What only the filter of system calls keeps; it is not known for every kind of machine. */
const BY_FILTER: ReadonlySet<string> = new Set([
  "network: sockets to a hypervisor",
  "kernel: keys of the session",
  "kernel: its log",
  "kernel: rings that pass every filter",
  "rights: leaving setuid programs behind",
  "terminal: typing into one",
]);

function compare(name: string, inside: Attempt, outside: Attempt | undefined): ProbeResult {
  const probe = { name, expected: "out of reach", isEssential: !BY_FILTER.has(name) };
  const { outcome, found } = inside;
  if (outcome === "reached") return { ...probe, found: `reached: ${found}`, state: "failed" };
  if (outcome === "untried") return { ...probe, found, state: "untested" };
  return outside?.outcome === "reached"
    ? { ...probe, found, state: "ok" }
    : { ...probe, found: `refused outside as well: ${outside?.found}`, state: "untested" };
}

/** Whether a program of the same user, in no sandbox, reads what papa-yu's process holds. */
function probeOwnMemory(): ProbeResult {
  const probe = {
    name: "daemon: its memory and environment, outside of a sandbox",
    expected: "out of reach",
    isEssential: false,
  };
  if (process.platform !== "linux") return { ...probe, found: "needs Linux", state: "untested" };
  if (process.getuid?.() === 0) {
    return { ...probe, found: "root reads every process", state: "untested" };
  }
  if (!hideMemory()) return { ...probe, found: "the C library was not found", state: "failed" };
  const files = ["environ", "maps", "mem"].map((name) => `/proc/${process.pid}/${name}`);
  const read = files.find((path) => Bun.spawnSync(["/bin/sh", "-c", `: <${path}`]).exitCode === 0);
  return read === undefined
    ? { ...probe, found: "refused", state: "ok" }
    : { ...probe, found: `reached: ${read}`, state: "failed" };
}
