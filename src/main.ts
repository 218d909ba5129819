import { homedir } from "node:os";
import packageJson from "../package.json" with { type: "json" };
import { COMMANDS, type Command, nearestCommand, renderHelp } from "./cli/commands.ts";
import { type CliContext, EXIT } from "./cli/context.ts";
import { createOutputs } from "./cli/open-output.ts";
import { AppError, toAppError } from "./core/app-error.ts";
import type { ErrorCode } from "./core/error-codes.ts";
import { untilAborted } from "./core/until-aborted.ts";
import { toPrintableText, toTerminalText } from "./core/visible-text.ts";
import { enterFolder } from "./system/launch.ts";
import { killMarked, nameProcess } from "./system/processes/processes.ts";

/** How long a command that was stopped by a signal still waits for who reads what it said. */
const LAST_WORDS_MS = 1000;

const outputs = createOutputs(toFilters(process.argv.slice(2)));
const stop = new AbortController();
const exitCode = await main(process.argv.slice(2));
const isLate = untilAborted(stop.signal).then(() => Bun.sleep(LAST_WORDS_MS));
await Promise.race([outputs.flush(), isLate]);
process.exit(exitCode); // whatever a cut-short command left behind must not keep the process

/**
 * Whatever a command prints, in text, has nothing in it that steers a terminal or is not seen;
 * data is for programs and stays as it is. Where a terminal is talked on, the daemon has made the
 * text printable, and the editor of lines steers.
 */
function toFilters([name = "", ...args]: readonly string[]): Parameters<typeof createOutputs>[0] {
  if (commandOf(name)?.isTalk) return { stdout: undefined, stderr: undefined };
  const stdout = toOptions(args).has("--json") ? undefined : toTerminalText;
  return { stdout, stderr: toTerminalText };
}

/** What stands before "--". */
function toOptions(args: readonly string[]): ReadonlySet<string> {
  const end = args.indexOf("--");
  return new Set(end < 0 ? args : args.slice(0, end));
}

function commandOf(name: string): Command | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

async function main(argv: readonly string[]): Promise<number> {
  const [name = "--help", ...args] = argv;
  const options = toOptions(argv);
  const json = options.has("--json");
  if (["--help", "-h", "help"].includes(name)) {
    outputs.stdout().write(renderHelp());
    return argv.length === 0 ? EXIT.usage : EXIT.done;
  }
  if (name === "--version") {
    outputs.stdout().write(`${packageJson.version}\n`);
    return EXIT.done;
  }
  const command = commandOf(name);
  try {
    enterFolder(process.execArgv, process.env);
    if (!command) throw unknownCommand(name);
    if (options.has("--help") || options.has("-h")) {
      outputs.stdout().write(`usage: papayu ${command.usage}\n${command.summary}\n`);
      return EXIT.done;
    }
    const run = await command.load();
    return await run(args, createContext(command, json));
  } catch (error) {
    return reportFailure(error, json, command);
  }
}

function createContext({ usage }: Command, json: boolean): CliContext {
  return {
    usage,
    json,
    cwd: process.cwd(),
    env: process.env,
    userHome: process.env["HOME"] || homedir(),
    // Streams take a tenth of a short command's start, so they load with their first use.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return outputs.stdout();
    },
    get stderr() {
      return outputs.stderr();
    },
    signal: listenForStop(),
  };
}

/**
 * The first signal asks for an orderly end, the second one ends at once; either way no command
 * that was started goes on without papa-yu.
 */
function listenForStop(): AbortSignal {
  const names = ["SIGINT", "SIGTERM"] as const;
  const endNow = (name: NodeJS.Signals) => {
    for (const each of names) process.off(each, endNow);
    killMarked(nameProcess());
    process.kill(process.pid, name); // nobody listens any more
  };
  const begin = (name: NodeJS.Signals) => {
    for (const each of names) process.off(each, begin).on(each, endNow);
    process.once("exit", () => killMarked(nameProcess()));
    stop.abort(new AppError("ERR_CANCELLED", `Stopped by ${name}`));
  };
  for (const each of names) process.on(each, begin);
  return stop.signal;
}

function unknownCommand(name: string): AppError {
  const near = nearestCommand(name);
  const guess = near ? `; did you mean "${near}"?` : ";";
  return new AppError("ERR_USAGE", `There is no command "${name}"${guess} papayu --help lists all`);
}

function reportFailure(error: unknown, json: boolean, command: Command | undefined): number {
  const failure = toAppError(error);
  const { code, message, details } = failure;
  if (json) {
    const report = { ok: false, ...command?.blank, error: message, error_code: code, ...details };
    outputs.stdout().write(`${JSON.stringify(report)}\n`);
  }
  outputs.stderr().write(`papayu: ${code}: ${toPrintableText(message)}\n`);
  if (code === "ERR_INTERNAL" && failure.cause instanceof Error) {
    outputs.stderr().write(`${failure.cause.stack ?? ""}\n`);
  }
  return toExitCode(code);
}

function toExitCode(code: ErrorCode): number {
  switch (code) {
    case "ERR_USAGE":
    case "ERR_CONFIG_PARSE":
    case "ERR_CONFIG_INVALID":
    case "ERR_SECRET_UNAVAILABLE":
    case "ERR_HOME_UNSAFE":
    case "ERR_WORKSPACE_UNKNOWN":
    case "ERR_PROVIDER_UNKNOWN":
    case "ERR_ROUTINE_UNKNOWN":
    case "ERR_ROUTINE_INVALID":
    case "ERR_PLAN_UNKNOWN":
      return EXIT.usage;
    case "CONFIRM_REQUIRED":
      return EXIT.approvalNeeded;
    case "ERR_DAEMON_NOT_RUNNING":
      return EXIT.notRunning;
    default:
      return EXIT.failed;
  }
}
