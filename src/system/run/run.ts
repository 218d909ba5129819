import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { errorMessage } from "../../core/app-error.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import { childEnvironment } from "../child-environment.ts";
import {
  DEFAULT_LIMITS,
  describeExcess,
  type Excess,
  hardDiskBytes,
  type Limits,
  limitedArgv,
} from "../limits.ts";
import { killLeftovers, killMarked, killTree, markRun, stopTree } from "../processes/processes.ts";
import { openOutputPipe } from "./output-pipe.ts";
import { createOutputWindow, type OutputWindow } from "./output-window.ts";
import { isInside } from "./real-path.ts";
import { watchLimits } from "./watch-limits.ts";

export { findOuterProgram, outerPath } from "./outer-program.ts";
export { createOutputWindow } from "./output-window.ts";
export { isInside, pathInRealFolder, realPath } from "./real-path.ts";
export { keepLooks, type Look, readTerminalText } from "./terminal-text.ts";

/** How long a command that ended may leave its output open: something still holds it. */
const DRAIN_MS = 250;

/** One command, as a vector: nothing in it is ever read by a shell. */
export interface CommandRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The parent's environment; the child gets the allow-listed part of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Laid over it: what papa-yu itself sets, never what a model says. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** What is kept of the output, half from its start and half from its end. */
  readonly maxOutputBytes: number;
  readonly sandbox?: Enclosure;
  /** What it and all it starts may use up; default: those of a configuration that says nothing. */
  readonly limits?: Limits;
  /** Folders that it may write to for good: what they grow by is bounded. */
  readonly writable?: readonly string[];
  /** Marks the command and all it starts in their environment; default: a mark of its own. */
  readonly mark?: string;
  /** Is given what it prints as it comes, in pieces that may end within a character. */
  readonly onOutput?: (bytes: Uint8Array) => void;
}

/** What a sandbox puts around a command. */
export interface Enclosure {
  /** Program and options, which run what follows them, as the machine is at this moment. */
  readonly toArgv: () => readonly string[];
  /** What they read from their standard input; the command's own is empty. */
  readonly stdin?: Uint8Array;
  /** Folders inside that vanish with the command. */
  readonly privateFolders: readonly string[];
  /** Whether the kernel counts the processes in it apart from this user's others. */
  readonly countsOwnProcesses: boolean;
  /**
   * A folder that is another one inside than outside: a program in it may be there only, and what
   * is written in it is on the disks of the command's `writable`.
   */
  readonly ownFolder?: string;
}

/** How a command ended; `exitCode` is null when it was not started or was killed. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** The limit it went over: it was killed for that, or its work does not count. */
  readonly excess: Excess | undefined;
  readonly output: string;
  readonly durationMs: number;
}

/**
 * Runs a command in a process group of its own and returns when it and everything it started
 * are gone, at the latest a moment after the time-out or the abort. Never throws: a
 * program that cannot be started is a result without an exit code.
 */
export async function runCommand(request: CommandRequest): Promise<CommandResult> {
  const startedAt = performance.now();
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const stop = AbortSignal.any([request.signal, timeout]);
  let output = createOutputWindow(request.maxOutputBytes);
  let ending = stop.aborted ? UNSTARTED : await runUntil(stop, request, output);
  for (let tries = 1; tries < MAX_TRIES && isMissed(request, ending, output); tries++) {
    output = createOutputWindow(request.maxOutputBytes);
    ending = await runUntil(stop, request, output);
  }
  const { exitCode, excess } = ending;
  return {
    exitCode,
    excess,
    timedOut: timeout.aborted && exitCode === null && !excess && !request.signal.aborted,
    output: output.text(),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

const MAX_TRIES = 3;

/** What the sandbox was to hide can be gone by the time it is set up; then the command never ran. */
function isMissed(
  { sandbox }: CommandRequest,
  { exitCode }: Ending,
  output: OutputWindow,
): boolean {
  return sandbox !== undefined && exitCode === 1 && /^bwrap: Can't [^\n]*\n$/.test(output.text());
}

type Ending = Pick<CommandResult, "exitCode" | "excess">;

const UNSTARTED: Ending = { exitCode: null, excess: undefined };

async function runUntil(
  stop: AbortSignal,
  request: CommandRequest,
  output: OutputWindow,
): Promise<Ending> {
  const { mark = randomUUID(), limits = DEFAULT_LIMITS, writable = [], sandbox } = request;
  const { privateFolders, ownFolder } = sandbox ?? {};
  const watch = watchLimits({ limits, writable, privateFolders, ownFolder });
  const startedAt = performance.now();
  using pipe = openOutputPipe();
  const child = start(request, mark, limits, { output, end: pipe?.end ?? "pipe" });
  if (!child) return UNSTARTED;
  const exceeded = Promise.withResolvers<"exceeded">();
  watch.start({ pid: child.pid, mark }, () => exceeded.resolve("exceeded"));
  const take = (bytes: Uint8Array) => {
    output.add(bytes);
    request.onOutput?.(bytes);
  };
  const streams = [pipe?.read(), child.stdout, child.stderr];
  const drains = streams.flatMap((each) => (typeof each === "object" ? [drain(each, take)] : []));
  const drained = Promise.all(drains.map(({ done }) => done));

  const ended = await Promise.race([
    child.exited.then(() => "exited" as const),
    untilAborted(stop).then(() => "stopped" as const),
    exceeded.promise,
  ]);
  const ranMs = performance.now() - startedAt;
  if (ended === "exited") killLeftovers(child.pid, mark, ranMs);
  else if (ended === "stopped") await stopTree(child.pid, mark, child.exited);
  else killTree(child.pid, mark);
  await child.exited;
  if (!(await inTime(drained))) {
    killMarked(mark);
    if (!(await inTime(drained))) for (const { cancel } of drains) cancel();
  }
  const { signalCode, exitCode } = child;
  const excess = (await watch.finish()) ?? fileExcess(child, limits);
  if (excess) output.add(Buffer.from(`\n${describeExcess(excess)}\n`));
  else if (signalCode && ended === "exited") output.add(Buffer.from(`\nkilled by ${signalCode}\n`));
  return { exitCode: excess || signalCode || ended !== "exited" ? null : exitCode, excess };
}

/** The kernel ends who writes past the size of a file; a shell and bubblewrap tell it as a number. */
const FILE_SIZE_EXIT = 128 + 25;

function fileExcess(
  {
    exitCode,
    signalCode,
  }: { readonly exitCode: number | null; readonly signalCode: string | number | null },
  limits: Limits,
): Excess | undefined {
  const isOfSize = signalCode === "SIGXFSZ" || exitCode === FILE_SIZE_EXIT;
  return isOfSize ? { kind: "file", limit: hardDiskBytes(limits) } : undefined;
}

function start(
  request: CommandRequest,
  mark: string,
  limits: Limits,
  { output, end }: { readonly output: OutputWindow; readonly end: number | "pipe" },
) {
  const env = childEnvironment(request.env);
  const { sandbox } = request;
  const [name = "", ...args] = request.argv;
  const program = findProgram(name, request, env);
  const ownProcesses = sandbox?.countsOwnProcesses ?? false;
  try {
    if (program === undefined) throw new Error("the program was not found; install it or set PATH");
    const argv = limitedArgv([program, ...args], limits, { ownProcesses });
    const child = Bun.spawn([...(sandbox?.toArgv() ?? []), ...argv], {
      cwd: request.cwd,
      env: { ...env, ...request.variables, ...markRun(mark) },
      // Handed over as bytes it would stay open until memory is tidied up.
      stdin: sandbox?.stdin ? "pipe" : "ignore",
      stdout: end,
      stderr: end,
      detached: true,
    });
    if (sandbox?.stdin) feed(child.stdin, sandbox.stdin);
    return child;
  } catch (error) {
    output.add(Buffer.from(`Cannot run "${name}": ${errorMessage(error)}\n`));
    return undefined;
  }
}

function feed(pipe: Bun.FileSink | undefined, bytes: Uint8Array): void {
  if (!pipe) throw new Error("a pipe that was asked for is not there");
  // Where it ended at once a pipe throws, or promises nothing good: its own end says so.
  const attempt = async (step: () => unknown) => {
    try {
      await step();
    } catch {}
  };
  void attempt(() => pipe.write(bytes));
  void attempt(() => pipe.end());
}

function findProgram(
  name: string,
  { cwd, sandbox }: CommandRequest,
  env: Readonly<Record<string, string>>,
): string | undefined {
  if (name.includes("/")) {
    const path = resolve(cwd, name);
    const isInsideOnly = sandbox?.ownFolder !== undefined && isInside(path, sandbox.ownFolder);
    return Bun.which(path) ?? (isInsideOnly ? path : undefined);
  }
  return Bun.which(name, { PATH: env["PATH"] ?? "" }) ?? undefined;
}

function drain(stream: ReadableStream<Uint8Array>, take: (bytes: Uint8Array) => void) {
  const reader = stream.getReader();
  const read = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      take(part.value);
    }
  };
  return {
    done: read().catch(() => {}), // cancelled below, or a pipe that broke: what came is kept
    cancel: () => void reader.cancel().catch(() => {}),
  };
}

function inTime(done: Promise<unknown>): Promise<boolean> {
  return Promise.race([done.then(() => true), Bun.sleep(DRAIN_MS).then(() => false)]);
}
