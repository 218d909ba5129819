import { Readable, Writable } from "node:stream";
import { runCommandLine, toFilters } from "../../src/cli/run-command-line.ts";
import type { Output } from "../../src/cli/screen/open-output.ts";
import { PATIENCE_MS } from "../support/patience.ts";

/**
 * Commands that need a process of their own: they start others of this program, hold what belongs to
 * a process, or end when they are killed.
 */
const NEED_A_PROCESS: ReadonlySet<string> = new Set(["start", "restart", "demo"]);

/** The long forms run every command, and every daemon, in a process. */
export function isInProcess(): boolean {
  return process.env["LONG"] === undefined;
}

/** Whether a command says and does the same in the process of the tests. */
export function needsNoProcess(args: readonly string[]): boolean {
  const [name = ""] = args;
  if (!isInProcess() || NEED_A_PROCESS.has(name)) return false;
  return !args.includes("--service") && !(name === "logs" && args.includes("-f"));
}

/** Runs a command as a pipe would, without the start of a process, which costs most of it. */
export async function runInProcess(
  args: readonly string[],
  {
    input,
    cwd,
    env,
  }: {
    readonly input: string;
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }> {
  const filters = toFilters(args);
  const stdout = collect(filters.stdout);
  const stderr = collect(filters.stderr);
  const stdin = Readable.from([Buffer.from(input)]);
  if (!isInput(stdin)) throw new Error("no stream");
  const exitCode = await runCommandLine(args, {
    outputs: { stdout: () => stdout.output, stderr: () => stderr.output },
    hasTerminal: false,
    env: { ...env }, // a command may take a variable away
    userHome: env["HOME"] ?? "",
    stdin,
    enterFolder: () => cwd,
    listenForStop: () => AbortSignal.timeout(PATIENCE_MS),
  });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

function collect(filter: (text: string) => string = (text) => text) {
  let collected = "";
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      collected += filter(text);
      done();
    },
  });
  const output: Output = Object.assign(stream, { isTTY: false, columns: 0 });
  return { output, text: () => collected };
}

/** A stream that is no terminal: commands only read it, and ask whether it is one. */
function isInput(stream: unknown): stream is NodeJS.ReadStream {
  return stream instanceof Readable;
}
