import { AppError, toAppError } from "../core/app-error.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { toPrintableText, toTerminalText } from "../core/visible-text.ts";
import { COMMANDS, nearestCommand, renderHelp } from "./commands.ts";
import { type Caller, type CliContext, type Command, EXIT } from "./context.ts";
import type { Filter, Output, Outputs } from "./screen/open-output.ts";
import type { Screen } from "./screen/screen.ts";

/** What a command line gets from the process it runs in. */
export interface Surroundings extends Pick<Caller, "env" | "userHome"> {
  readonly stdin: CliContext["stdin"];
  readonly outputs: Pick<Outputs, "stdout" | "stderr">;
  /** Whether one of the outputs is a terminal, known without opening it. */
  readonly hasTerminal: boolean;
  /** Goes to the folder that the person is in, and gives it; throws where it must not be worked in. */
  enterFolder(): string;
  /** Aborts at the first signal that asks for an end. */
  listenForStop(): AbortSignal;
}

/** Runs `papayu ARGV` to its exit code; whatever goes wrong has been said by then. */
export async function runCommandLine(
  argv: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { outputs } = surroundings;
  const [name = "--help", ...args] = argv;
  const options = toOptions(argv);
  const json = options.has("--json");
  const quiet = options.has("--quiet");
  if (["--help", "-h", "help"].includes(name)) {
    outputs.stdout().write(renderHelp());
    return argv.length === 0 ? EXIT.usage : EXIT.done;
  }
  const isVersion = name === "--version";
  const command = isVersion ? COMMANDS["version"] : commandOf(name);
  let cwd = "/";
  try {
    if (!isVersion) cwd = surroundings.enterFolder(); // wherever that is
    if (!command) throw unknownCommand(name);
    if (options.has("--help") || options.has("-h")) {
      outputs.stdout().write(`usage: papayu ${command.usage}\n${command.summary}\n`);
      return EXIT.done;
    }
    const [run, open] = await Promise.all([command.load(), loadScreen(surroundings)]);
    return await run(args, createContext(command, { json, quiet, cwd, open }, surroundings));
  } catch (error) {
    return reportFailure(error, { argv, cwd, json, command, surroundings });
  }
}

/** Loaded on a terminal; nobody else pays for it. */
async function loadScreen({ hasTerminal, env }: Surroundings): Promise<OpenScreen | undefined> {
  if (!hasTerminal) return undefined;
  return (await import("./screen/screen.ts")).screensOf(env);
}

interface Given {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly cwd: string;
  readonly open: OpenScreen | undefined;
}

type OpenScreen = (output: Output) => Screen | undefined;

function createContext(
  { usage }: Command,
  { json, quiet, cwd, open }: Given,
  surroundings: Surroundings,
): CliContext {
  const { outputs, env, userHome } = surroundings;
  return {
    command: { usage, json, quiet },
    caller: { cwd, env, userHome },
    // Streams take a tenth of a short command's start, so they load with their first use.
    get stdin() {
      return surroundings.stdin;
    },
    get stdout() {
      return outputs.stdout();
    },
    get stderr() {
      return outputs.stderr();
    },
    signal: surroundings.listenForStop(),
    screen: (output) => open?.(output),
  };
}

/**
 * Whatever a command prints, in text, has nothing in it that steers a terminal or is not seen;
 * data is for programs and stays as it is. Where a terminal is talked on, the daemon has made the
 * text printable, and the editor of lines steers.
 */
export function toFilters([name = "", ...args]: readonly string[]): {
  readonly stdout: Filter | undefined;
  readonly stderr: Filter | undefined;
} {
  const { isTalk, isPainted } = commandOf(name) ?? {};
  if (isTalk) return { stdout: undefined, stderr: undefined };
  const filter = isPainted ? toTerminalText : toPrintableText;
  return { stdout: toOptions(args).has("--json") ? undefined : filter, stderr: filter };
}

/** The arguments before "--". */
function toOptions(args: readonly string[]): ReadonlySet<string> {
  const end = args.indexOf("--");
  return new Set(end < 0 ? args : args.slice(0, end));
}

function commandOf(name: string): Command | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

function unknownCommand(name: string): AppError {
  const near = nearestCommand(name);
  const guess = near ? `; did you mean "${near}"?` : ";";
  return new AppError("ERR_USAGE", `There is no command "${name}"${guess} papayu --help lists all`);
}

async function reportFailure(
  error: unknown,
  {
    argv,
    cwd,
    json,
    command,
    surroundings,
  }: {
    readonly argv: readonly string[];
    readonly cwd: string;
    readonly json: boolean;
    readonly command: Command | undefined;
    readonly surroundings: Surroundings;
  },
): Promise<number> {
  const { outputs } = surroundings;
  const failure = toAppError(error);
  const { code, message, details } = failure;
  if (json) {
    const report = { ok: false, ...command?.blank, error: message, error_code: code, ...details };
    outputs.stdout().write(`${JSON.stringify(report)}\n`);
  }
  const { tellInOwnWords } = await import("./print.ts");
  await tellInOwnWords(failure, { argv, cwd, ...surroundings });
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
