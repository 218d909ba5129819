import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MAIN = join(import.meta.dir, "../../src/main.ts");

/** A home, a configuration and the real command in child processes. */
export interface Sandbox {
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command to its end. */
  run(...args: string[]): Promise<Ran>;
  /** The same, with its one JSON document parsed. */
  json(...args: string[]): Promise<{ readonly exitCode: number; readonly report: Report }>;
  /** Starts the daemon and waits for DAEMON_READY. */
  start(): Promise<RunningDaemon>;
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
  waitForLog(pattern: RegExp, timeoutMs?: number): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  readonly exited: Promise<number>;
}

/** Writes `config` below `dir` and binds the command to it. */
export function createSandbox(
  dir: string,
  config: string,
  env: Record<string, string> = {},
): Sandbox {
  mkdirSync(join(dir, "home"), { recursive: true });
  writeFileSync(join(dir, "config.toml"), config);
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      ([key]) => !key.startsWith("PAPAYU_") && key !== "TELEGRAM_BOT_TOKEN",
    ),
  );
  const childEnv = {
    ...inherited,
    HOME: join(dir, "home"),
    PAPAYU_HOME: join(dir, "home/.papa-yu"),
    PAPAYU_CONFIG: join(dir, "config.toml"),
    ...env,
  } as Record<string, string>;
  const spawn = (args: readonly string[]) =>
    Bun.spawn([process.execPath, MAIN, ...args], {
      cwd: dir,
      env: childEnv,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
  const run = async (...args: string[]): Promise<Ran> => {
    const child = spawn(args);
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { exitCode, stdout, stderr };
  };
  return {
    dir,
    env: childEnv,
    run,
    async json(...args) {
      const { exitCode, stdout, stderr } = await run(...args, "--json");
      try {
        return { exitCode, report: JSON.parse(stdout) };
      } catch {
        throw new Error(`not one JSON document: ${stdout}\n${stderr}`);
      }
    },
    async start() {
      const child = spawn(["start"]);
      let log = "";
      const decoder = new TextDecoder();
      const read = async () => {
        for await (const chunk of child.stderr) log += decoder.decode(chunk, { stream: true });
      };
      void read();
      const waitForLog = async (pattern: RegExp, timeoutMs = 10_000) => {
        const until = Date.now() + timeoutMs;
        while (!pattern.test(log)) {
          if (Date.now() > until || child.exitCode !== null) {
            throw new Error(`${pattern} did not come; exit ${child.exitCode}; log:\n${log}`);
          }
          await Bun.sleep(5);
        }
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
    },
  };
}
