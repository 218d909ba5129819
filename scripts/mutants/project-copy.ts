import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A loop that a mutant leaves without an end may grow a list: before the machine has no room left. */
const MOST_BYTES = 3 * 1024 ** 3;
const LOOK_MS = 200;

/** How a run in a copy ended; a run that had to be stopped hung. */
export interface Run {
  readonly end: "passed" | "failed" | "hung";
  readonly seconds: number;
  readonly output: string;
}

/** A copy of the project that may be wrong for a while: the working tree never is. */
export interface ProjectCopy extends Disposable {
  readonly root: string;
  read(path: string): string;
  write(path: string, text: string): void;
  /** Runs test files one after another until the first failure. */
  runTests(
    files: readonly string[],
    limitSeconds: number,
    options?: readonly string[],
  ): Promise<Run>;
  /** Whether the compiler takes the project as it is in the copy. */
  typesPass(): Promise<boolean>;
}

/** Copies what git knows of or would take in, or some of it; the dependencies are shared. */
export function copyProject(
  project: string,
  paths = listFiles(project),
  mostBytes = MOST_BYTES,
): ProjectCopy {
  const folder = mkdtempSync(join(tmpdir(), "mut-"));
  // Some tests go on as another user, who has to get here.
  chmodSync(folder, 0o755);
  const root = join(folder, "p");
  // What the tests leave behind is here and goes with the copy.
  const scratch = join(folder, "t");
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(project, path), join(root, path), { force: true });
  }
  mkdirSync(join(scratch, "home"), { recursive: true });
  symlinkSync(join(project, "node_modules"), join(root, "node_modules"));
  const run = (command: readonly string[], limitSeconds: number) =>
    runBounded(command, root, scratch, { limitSeconds, mostBytes });
  // Of what it saw before it looks again only at what a change touches.
  const known = join(folder, "types");
  const compile = ["node_modules/.bin/tsc", "--incremental", "--tsBuildInfoFile", known];
  return {
    root,
    read: (path) => readFileSync(join(root, path), "utf8"),
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    runTests: (files, limitSeconds, options = []) => {
      const command = [process.execPath, "test", "--bail", "--timeout", "60000"];
      return run([...command, ...options, ...files.map((file) => `./${file}`)], limitSeconds);
    },
    async typesPass() {
      const { end } = await run(compile, 300);
      if (end === "hung") throw new Error("The compiler came to no end");
      return end === "passed";
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function listFiles(project: string): string[] {
  const command = ["git", "ls-files", "-co", "--exclude-standard", "-z"];
  const list = Bun.spawnSync(command, { cwd: project }).stdout.toString();
  // What was deleted and not committed is listed still.
  return list.split("\0").filter((path) => path !== "" && existsSync(join(project, path)));
}

async function runBounded(
  command: readonly string[],
  cwd: string,
  scratch: string,
  { limitSeconds, mostBytes }: { readonly limitSeconds: number; readonly mostBytes: number },
): Promise<Run> {
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, TMPDIR: scratch, HOME: join(scratch, "home") },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    // A group of its own, so that the children of a test that hangs end with it.
    detached: true,
  });
  let isHung = false;
  const stop = () => {
    isHung = true;
    killGroup(child.pid);
  };
  const timer = setTimeout(stop, limitSeconds * 1000);
  const looks = setInterval(() => residentBytes(child.pid) > mostBytes && stop(), LOOK_MS);
  // A daemon that a mutant left running may hold the pipe: the exit is what counts.
  const output = readUntil(child.stderr, child.exited);
  const code = await child.exited;
  clearTimeout(timer);
  clearInterval(looks);
  killGroup(child.pid);
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    end: isHung ? "hung" : code === 0 ? "passed" : "failed",
    seconds,
    output: await output,
  };
}

/** None where the system has no such file, or the process is gone. */
function residentBytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

async function readUntil(stream: ReadableStream<Uint8Array>, end: Promise<number>) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  void end.then(() => setTimeout(() => void reader.cancel(), 500));
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text = (text + decoder.decode(value, { stream: true })).slice(-20_000);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing is left of the group.
  }
}
