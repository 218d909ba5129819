import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { layState } from "../support/fresh-store.ts";
import { papayuProgram, SOURCE_MAIN } from "../support/papayu-program.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { type HostedDaemon, hostDaemon } from "./host-daemon.ts";
import { isInProcess, needsNoProcess, runInProcess } from "./in-process.ts";

/** A home, a configuration and the real command in child processes. */
export interface Sandbox {
  readonly dir: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command to its end, in the process of the tests if the command needs none of its own. */
  run(...args: string[]): Promise<Ran>;
  /** The same in a process, whatever the command. */
  process(...args: string[]): Promise<Ran>;
  /** Runs a command with a text on stdin, in the process of the tests if it needs none of its own. */
  say(input: string, ...args: string[]): Promise<Ran>;
  /** The same in a process. */
  pipe(input: string, ...args: string[]): Promise<Ran>;
  /** The same, with its one JSON document parsed. */
  json(...args: string[]): Promise<{ readonly exitCode: number; readonly report: Report }>;
  /** Starts the daemon and waits for DAEMON_READY; `preload` is loaded before it. */
  start(preload?: string, more?: Readonly<Record<string, string>>): Promise<RunningDaemon>;
  /** A daemon in the process of the tests, for those that talk to it and do not kill it. */
  host(): Promise<HostedDaemon>;
  /** Starts a command in a terminal, 120 columns wide unless COLUMNS is another. */
  terminal(...args: string[]): Terminal;
}

/** What a finished command left. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

// The tests look into many shapes of JSON; each expectation names the fields it needs.
type Report = Readonly<Record<string, never>>;

/** A daemon as a child process. */
export interface RunningDaemon extends AsyncDisposable {
  readonly pid: number;
  /** Everything on stderr so far. */
  log(): string;
  waitForLog(pattern: RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  readonly exited: Promise<number>;
}

/** A command in a terminal of its own. */
export interface Terminal extends AsyncDisposable {
  /** What was read so far; its last words may be read behind its end: {@link waitFor} them. */
  screen(): string;
  /** Types; a line only where the last {@link waitFor} came to what asks: an answer before is dropped. */
  type(keys: string): void;
  /** Types what nobody asked for yet. */
  typeAhead(keys: string): void;
  /** Waits until what was printed since the last wait has `pattern`; gives it. */
  waitFor(pattern: RegExp): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** Takes the terminal away, as closing its window does. */
  hangUp(): void;
  readonly exited: Promise<number>;
}

/** Commands that begin a home, where they get so far. */
const MAKE_TABLES: ReadonlySet<string> = new Set(["start", "plan", "ask", "apply", "tool"]);

/** Writes `config` below `dir` and binds the command to it. */
export function createSandbox(
  dir: string,
  config: string,
  env: Record<string, string> = {},
): Sandbox {
  const home = join(dir, "home/.papa-yu");
  mkdirSync(join(dir, "home"), { recursive: true });
  writeFileSync(join(dir, "config.toml"), config);
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      ([key]) => !key.startsWith("PAPAYU_") && key !== "TELEGRAM_BOT_TOKEN" && key !== "NO_COLOR",
    ),
  );
  const childEnv = {
    ...inherited,
    HOME: join(dir, "home"),
    PAPAYU_HOME: home,
    PAPAYU_CONFIG: join(dir, "config.toml"),
    ...env,
  } as Record<string, string>;
  const options = { cwd: dir, env: childEnv };
  /** To make them is most of what a first command does; the long forms leave it that. */
  const layTables = ([name = ""]: readonly string[]) => {
    const isBegun = "PAPAYU_HOME" in env || existsSync(home);
    if (isInProcess() && MAKE_TABLES.has(name) && !isBegun) layState(home);
  };
  const toCommand = (args: readonly string[]) => [process.execPath, papayuProgram(), ...args];
  const pipe = async (input: string, ...args: string[]): Promise<Ran> => {
    layTables(args);
    const stdin = Buffer.from(input);
    const child = Bun.spawn(toCommand(args), {
      ...options,
      stdin,
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { exitCode, stdout, stderr };
  };
  let isHosting = false;
  const say = async (input: string, ...args: string[]): Promise<Ran> => {
    layTables(args);
    if (isHosting && args[0] === "stop") throw new Error("it would end the process of the tests");
    return needsNoProcess(args) ? runInProcess(args, { ...options, input }) : pipe(input, ...args);
  };
  const run = (...args: string[]): Promise<Ran> => say("", ...args);
  return {
    dir,
    home,
    env: childEnv,
    run,
    say,
    process: (...args) => pipe("", ...args),
    pipe,
    async json(...args) {
      const { exitCode, stdout, stderr } = await run(...args, "--json");
      try {
        return { exitCode, report: JSON.parse(stdout) };
      } catch {
        throw new Error(`not one JSON document: ${stdout}\n${stderr}`);
      }
    },
    start(preload, more) {
      layTables(["start"]);
      // What is loaded before may look for a source by its path.
      const command =
        preload === undefined
          ? toCommand(["start"])
          : [process.execPath, "--preload", preload, SOURCE_MAIN, "start"];
      return startDaemon(command, { ...options, env: { ...options.env, ...more } });
    },
    host() {
      isHosting = isInProcess();
      return isHosting ? hostDaemon(dir, childEnv) : hostProcess(options);
    },
    terminal: (...args) => openTerminal(toCommand(args), options),
  };
}

/** The long forms give the daemon its process. */
async function hostProcess(options: SpawnOptions): Promise<HostedDaemon> {
  const command = [process.execPath, papayuProgram(), "start"];
  const daemon = await startDaemon(command, options);
  const stop = async () => {
    daemon.kill("SIGTERM");
    await daemon.exited;
  };
  return { ...daemon, stop, [Symbol.asyncDispose]: stop };
}

/** Where and with which variables a program starts. */
export interface SpawnOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

async function startDaemon(command: string[], options: SpawnOptions): Promise<RunningDaemon> {
  const child = Bun.spawn(command, {
    ...options,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  let log = "";
  let hasEnded = false;
  const decoder = new TextDecoder();
  const read = async () => {
    for await (const chunk of child.stderr) log += decoder.decode(chunk, { stream: true });
    hasEnded = true;
  };
  void read();
  const waitForLog = async (pattern: RegExp) => {
    const problem = () => `${pattern} did not come; exit ${child.exitCode}; log:\n${log}`;
    await untilDone(
      () => pattern.test(log),
      () => hasEnded && !pattern.test(log),
      problem,
    );
  };
  await waitForLog(/DAEMON_READY/);
  return {
    pid: child.pid,
    log: () => log,
    waitForLog,
    kill: (signal) => child.kill(signal),
    exited: child.exited,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** Starts any program in a terminal. */
export function openTerminal(command: string[], options: SpawnOptions): Terminal {
  let screen = "";
  let seen = 0;
  const decoder = new TextDecoder();
  const data = (_terminal: unknown, bytes: Uint8Array) => {
    screen += decoder.decode(bytes, { stream: true });
  };
  const cols = Number(options.env["COLUMNS"] ?? 120);
  const terminal = new Bun.Terminal({ cols, rows: 40, data });
  const child = Bun.spawn(command, { ...options, terminal });
  const typeAhead = (keys: string) => void terminal.write(keys);
  let isAsked = false;
  let silentAt = Infinity;
  void child.exited.then(() => (silentAt = performance.now() + LAST_WORDS_MS));
  return {
    screen: () => screen,
    typeAhead,
    type(keys) {
      if (/[\r\n]/.test(keys)) {
        if (!isAsked) throw new Error(`${JSON.stringify(keys)} was typed before it was asked for`);
        isAsked = false;
      }
      typeAhead(keys);
    },
    async waitFor(pattern) {
      const problem = () => `${pattern} did not come; exit ${child.exitCode}; screen:\n${screen}`;
      const isThere = () => pattern.test(screen.slice(seen));
      await untilDone(isThere, () => !isThere() && performance.now() > silentAt, problem);
      const part = screen.slice(seen);
      seen = screen.length;
      isAsked = ASKS.test(stripVTControlCharacters(pattern.exec(part)?.[0] ?? ""));
      return part;
    },
    kill: (signal) => child.kill(signal),
    hangUp: () => terminal.close(),
    exited: child.exited,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      terminal.close();
    },
  };
}

/** How a question ends, or a line that is being edited. */
const ASKS = /(?:\] |› [^\r\n]*)$/u;

/** What is printed last may be read long after the end is known. */
const LAST_WORDS_MS = 20_000;

async function untilDone(
  isDone: () => boolean,
  isHopeless: () => boolean,
  problem: () => string,
): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!isDone()) {
    if (isHopeless() || performance.now() > end) throw new Error(problem());
    await Bun.sleep(5);
  }
}

/** The part of a configuration that lets a scripted model answer people on scripted phones. */
export function phoneConfig(
  modelUrl: string,
  botUrl: string,
  ...people: readonly number[]
): string {
  return `
[default]
provider = "local"
[providers.local]
base_url = "${modelUrl}"
model = "scripted"
[telegram]
api_root = "${botUrl}"
allowed_user_ids = [${people.join()}]
`;
}
