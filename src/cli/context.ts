import type { ParseArgsConfig } from "node:util";
import type { Output } from "./screen/open-output.ts";
import type { Screens } from "./screen/screen.ts";

/** The options of a command as `parseArgs()` takes them: whether each has a value, and its short name. */
export type Options = NonNullable<ParseArgsConfig["options"]>;

/** What a command gets from the edge: no command reads `process` itself. */
export interface CliContext extends Screens {
  readonly command: CommandLine;
  readonly caller: Caller;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP, which is the cause of its reason. */
  readonly signal: AbortSignal;
}

/** How a command was given: what all of them have in common. */
export interface CommandLine {
  /** How the command is used, for messages. */
  readonly usage: string;
  /** Exactly one JSON document goes to stdout, and nothing else. */
  readonly json: boolean;
  /** Nothing but results and what went wrong is told. */
  readonly quiet: boolean;
  /** Is given the options that the command knows, and throws: the command is not to run. */
  readonly probe?: (options: Readonly<Options>) => never;
}

/** One command: how it is used, and its code, loaded only when it is called. */
export interface Command {
  readonly usage: string;
  readonly summary: string;
  /** What its JSON has besides the error when it fails before it has anything to say. */
  readonly blank?: Readonly<Record<string, unknown>>;
  /** A terminal is talked on: its editor of lines steers it. */
  readonly isTalk?: true;
  /** It shows diffs or Markdown in our colours; nothing else that a command prints has any. */
  readonly isPainted?: true;
  readonly load: () => Promise<(args: readonly string[], context: CliContext) => Promise<number>>;
}

/** Where a command is called: what decides which configuration and which home it works with. */
export interface Caller {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  readonly userHome: string;
}

/** Exit codes that scripts rely on. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  approvalNeeded: 3,
  notRunning: 4,
} as const;
