import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { errorMessage } from "../core/app-error.ts";
import { untilAborted } from "../core/until-aborted.ts";
import { childEnvironment } from "./child-environment.ts";
import { killLeftovers, killMarked, stopTree } from "./kill-tree.ts";
import { markRun } from "./list-processes.ts";
import { createOutputWindow, type OutputWindow } from "./output-window.ts";

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
  /** Program and options of a sandbox, which runs what follows them. */
  readonly sandbox?: readonly string[];
  /** Marks the command and all it starts in their environment; default: a mark of its own. */
  readonly mark?: string;
}

/** How a command ended; `exitCode` is null when it was not started or was killed. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly timedOut: boolean;
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
  const output = createOutputWindow(request.maxOutputBytes);
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const stop = AbortSignal.any([request.signal, timeout]);
  const exitCode = stop.aborted ? null : await runUntil(stop, request, output);
  return {
    exitCode,
    timedOut: timeout.aborted && exitCode === null && !request.signal.aborted,
    output: output.text(),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

async function runUntil(
  stop: AbortSignal,
  request: CommandRequest,
  output: OutputWindow,
): Promise<number | null> {
  const { mark = randomUUID() } = request;
  const child = start(request, mark, output);
  if (!child) return null;
  const drains = [drain(child.stdout, output), drain(child.stderr, output)];
  const drained = Promise.all(drains.map(({ done }) => done));

  const stopped = await Promise.race([
    child.exited.then(() => false),
    untilAborted(stop).then(() => true),
  ]);
  if (stopped) {
    await stopTree(child.pid, mark, child.exited);
    await child.exited;
  } else {
    killLeftovers(child.pid, mark);
  }
  if (!(await inTime(drained))) {
    killMarked(mark);
    if (!(await inTime(drained))) for (const { cancel } of drains) cancel();
  }
  if (stopped) return null;
  if (child.signalCode) output.add(Buffer.from(`\nkilled by ${child.signalCode}\n`));
  return child.signalCode ? null : child.exitCode;
}

function start(request: CommandRequest, mark: string, output: OutputWindow) {
  const env = childEnvironment(request.env);
  const [name = "", ...args] = request.argv;
  const program = findProgram(name, request.cwd, env);
  try {
    if (program === undefined) throw new Error("the program was not found; install it or set PATH");
    return Bun.spawn([...(request.sandbox ?? []), program, ...args], {
      cwd: request.cwd,
      env: { ...env, ...request.variables, ...markRun(mark) },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    });
  } catch (error) {
    output.add(Buffer.from(`Cannot run "${name}": ${errorMessage(error)}\n`));
    return undefined;
  }
}

function findProgram(
  name: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): string | undefined {
  if (name.includes("/")) return resolve(cwd, name);
  return Bun.which(name, { PATH: env["PATH"] ?? "" }) ?? undefined;
}

function drain(stream: ReadableStream<Uint8Array>, output: OutputWindow) {
  const reader = stream.getReader();
  const read = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      output.add(part.value);
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
