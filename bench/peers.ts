import { tmpdir } from "node:os";
import { startBotApi } from "../tests/support/bot-api-server.ts";
import { tempDir } from "../tests/support/temp.ts";
import { median } from "./median.ts";
import { type PeerModel, startPeerModel } from "./peer-model.ts";
import { createPrograms, PEER_PACKAGES, type PeerProgram } from "./peer-programs.ts";
import type { Start } from "./peer-residents.ts";
import { measureTree, type TreeCost } from "./process-tree.ts";

const RUNS = Number(process.env["RUNS"] ?? 9);
/** Of programs that stay: each is started so many times. */
const STAYS = Math.ceil(RUNS / 3);
const ITERATIONS = 20;
/** Nothing that is measured takes nearly as long; it ends what hangs. */
const MOST_MS = 120_000;
const IDLE_MS = 2000;

/** One round of a program. */
interface Round {
  readonly versionMs: number;
  readonly toModelMs: number;
  readonly cpuToModelMs: number;
  readonly peakMb: number;
  readonly requestKb: number;
  /** Of the whole process, from its start to its end. */
  readonly cpuMs: number;
  readonly iterationMs: number;
  readonly iterationCpuMs: number;
  readonly loopRequestKb: number;
}

/** What a program that stays has in memory. */
interface Stay {
  readonly readyMb: number;
  readonly answeredMb: number;
}

/**
 * papa-yu beside other agents from npm, each asked the same by one scripted model on loopback, in turn.
 * They are no dependencies: `BENCH_PEERS` names a folder that has them; without it papa-yu stands
 * beside a bare program alone. `RUNS=3` is shorter. Linux only.
 */
export async function benchPeers(): Promise<string> {
  // On the disk: the sandbox of the Codex CLI has a /dev/shm of its own.
  using dir = tempDir("papayu-bench-", tmpdir());
  await using model = startPeerModel();
  await using bot = await startBotApi();
  const world = { dir: dir.path, model, bot, files: ITERATIONS };
  const { programs, missing } = createPrograms(world);
  const rounds = await inTurn(programs, RUNS, (program) => measureRound(program, model));
  const stays = await inTurn(programs, STAYS, (program) => measureStay(program, model));
  const row = (name: string, unit: string, figures: readonly (readonly number[])[]) => {
    const cells = figures.map((values) => toCell(median(values), unit));
    return `| ${name} | ${cells.join(" | ")} |`;
  };
  const round = (name: string, key: keyof Round, unit: string) =>
    row(
      name,
      unit,
      rounds.map((all) => all.map((each) => each[key])),
    );
  const stay = (name: string, key: keyof Stay) =>
    row(
      name,
      "MB",
      stays.map((all) => all.map((each) => each[key])),
    );
  return [
    ...(missing.length > 0 ? [renderMissing(missing), ""] : []),
    `| figure | ${programs.map(({ name }) => name).join(" | ")} |`,
    `|---|${programs.map(() => "---:|").join("")}`,
    round("`--version`: process start → end", "versionMs", "ms"),
    round('"hi": process start → model request', "toModelMs", "ms"),
    round("processor time by then", "cpuToModelMs", "ms"),
    round("peak memory by then", "peakMb", "MB"),
    round("that request", "requestKb", "kB"),
    round('"hi": processor time of the whole process', "cpuMs", "ms"),
    round(`${ITERATIONS} files read, one a request: each`, "iterationMs", "ms"),
    round("processor time of each", "iterationCpuMs", "ms"),
    round("a request there, on average", "loopRequestKb", "kB"),
    stay("what stays, memory when it is ready", "readyMb"),
    stay("what stays, memory after one answer", "answeredMb"),
  ].join("\n");
}

function renderMissing(missing: readonly string[]): string {
  return `Left out: ${missing.join(" and ")}, not found below BENCH_PEERS: \`npm install --prefix FOLDER ${PEER_PACKAGES.join(" ")}\`, then \`BENCH_PEERS=FOLDER npm run bench peers\`.`;
}

/** Rounds of all, one program after another, so that a drifting machine hits all; the first warms up. */
async function inTurn<Figure>(
  programs: readonly PeerProgram[],
  runs: number,
  measure: (program: PeerProgram) => Promise<Figure>,
): Promise<readonly (readonly Figure[])[]> {
  const figures = programs.map((): Figure[] => []);
  for (let turn = 0; turn <= runs; turn++) {
    for (const [index, program] of programs.entries()) {
      const figure = await measure(program);
      if (turn > 0) figures[index]?.push(figure);
    }
  }
  return figures;
}

async function measureRound(program: PeerProgram, model: PeerModel): Promise<Round> {
  const versionMs = (await run(program.version)).wallMs;
  const hi = await ask(program, model, 0);
  const loop = await ask(program, model, ITERATIONS);
  return {
    versionMs,
    toModelMs: hi.toModelMs,
    cpuToModelMs: hi.byThen.cpuMs,
    peakMb: hi.byThen.peakMb,
    requestKb: hi.requestKb,
    cpuMs: hi.cpuMs,
    iterationMs: loop.loopMs / ITERATIONS,
    iterationCpuMs: (loop.cpuMs - hi.cpuMs) / ITERATIONS,
    loopRequestKb: loop.requestKb,
  };
}

/** One prompt: so many files are read, then it is answered. */
async function ask(program: PeerProgram, model: PeerModel, iterations: number) {
  let byThen: TreeCost | undefined;
  let pid = 0;
  const onFirst = () => (byThen = measureTree(pid));
  const seen = model.follow({ look: program.look, iterations, onFirst });
  const ran = await run(
    program.ask(iterations === 0 ? "hi" : "look"),
    (started) => (pid = started),
  );
  const [first = 0, last = 0] = [seen.arrivedAt[0], seen.arrivedAt.at(-1)];
  if (seen.arrivedAt.length !== iterations + 1 || byThen === undefined) {
    throw new Error(`${program.name} asked ${seen.arrivedAt.length} times:\n${ran.said}`);
  }
  const bytes = seen.bytes.reduce((all, each) => all + each, 0);
  return {
    byThen,
    toModelMs: first - ran.startedAt,
    loopMs: last - first,
    cpuMs: ran.cpuMs,
    requestKb: bytes / seen.bytes.length / 1000,
  };
}

/** Runs a program to its end. */
async function run({ command, cwd, env }: Start, onStart: (pid: number) => void = () => {}) {
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: MOST_MS,
    killSignal: "SIGKILL",
  });
  onStart(child.pid);
  const [out, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const exitCode = await child.exited;
  const wallMs = performance.now() - startedAt;
  const said = out + errors;
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}:\n${said}`);
  // With all that it has waited for.
  const cpuMs = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000;
  return { startedAt, wallMs, cpuMs, said };
}

async function measureStay(program: PeerProgram, model: PeerModel): Promise<Stay> {
  model.follow({ look: program.look, iterations: 0 });
  await using resident = await program.resident();
  await Bun.sleep(IDLE_MS);
  const readyMb = measureTree(resident.pid).rssMb;
  await resident.prompt();
  await Bun.sleep(IDLE_MS);
  return { readyMb, answeredMb: measureTree(resident.pid).rssMb };
}

function toCell(value: number, unit: string): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}
