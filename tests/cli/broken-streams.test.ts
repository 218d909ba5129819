import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../e2e/papayu.ts";
import { crossed, oneOf } from "../support/long.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { PATIENCE_MS, until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { RIGHT } from "./right-commands.ts";

const WORKSPACE = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';

/** How a shell breaks the streams of "$@". */
const BROKEN: Readonly<Record<string, string>> = {
  "a full device on both outputs": '"$@" >/dev/full 2>/dev/full </dev/null',
  "all three streams closed": '"$@" >&- 2>&- <&-',
  "a reader that leaves":
    '{ "$@" </dev/null 2>&1; echo $? >&9; } 9>code | head -c 1 >/dev/null; exit $(cat code)',
  "a folder as its input": '"$@" </ >/dev/null 2>/dev/null',
};

/** Those that would stay, or leave a daemon behind. */
const STAYING = new Set(["start", "restart", "chat"]);

function prepare(dir: string) {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  const sandbox = createSandbox(dir, WORKSPACE);
  const spawn = (script: string, args: readonly string[]) =>
    Bun.spawn(["sh", "-c", script, "sh", process.execPath, papayuProgram(), ...args], {
      cwd: dir,
      env: sandbox.env,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
  return { sandbox, spawn };
}

async function exitOf(child: Bun.Subprocess, limitMs = PATIENCE_MS): Promise<number | "stuck"> {
  const late = Promise.withResolvers<"stuck">();
  const timer = setTimeout(() => late.resolve("stuck"), limitMs);
  try {
    return await Promise.race([child.exited, late.promise]);
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
}

describe("every command ends with an exit code of its own", () => {
  const commands = Object.entries(RIGHT).filter(([name]) => !STAYING.has(name));
  const pairs = crossed(oneOf(3, commands), Object.keys(BROKEN), 1);
  test.each(Object.entries(BROKEN))("behind %s", async (how, script) => {
    using dir = tempDir();
    const ends: (readonly [string, number | "stuck"])[] = [];
    for (const [[name, args], given] of pairs) {
      if (given !== how) continue;
      const { spawn } = prepare(join(dir.path, name));
      ends.push([name, await exitOf(spawn(script, args))]);
    }
    const odd = ends.filter(([, code]) => typeof code !== "number" || code > 4);
    expect(odd).toEqual([]);
  });
});

test.concurrent.each(oneOf(2, ["SIGTERM", "SIGINT"] as const))(
  "papayu start ends at %s while its outputs take nothing",
  async (signal) => {
    using dir = tempDir();
    const { sandbox, spawn } = prepare(dir.path);
    const child = spawn('exec "$@" >/dev/full 2>/dev/full </dev/null', ["start"]);
    await until(() => existsSync(join(sandbox.home, "daemon.sock")));
    child.kill(signal);
    expect(await exitOf(child)).toBe(0);
  },
);

test("papayu chat says that nothing can be read from a folder", async () => {
  using dir = tempDir();
  const { sandbox } = prepare(dir.path);
  await using _daemon = await sandbox.host();
  const command = ["sh", "-c", '"$@" </ 2>&1', "sh", process.execPath, papayuProgram(), "chat"];
  const { stdout, exitCode } = Bun.spawnSync(command, { cwd: dir.path, env: sandbox.env });
  expect(stdout.toString()).toContain("ERR_IO: Cannot chat: stdin cannot be read (EISDIR");
  expect(exitCode).toBe(1);
});

/** Whether a thread of the process is blocked in a write to its standard output. */
function isWriting(pid: number): boolean {
  const tasks = readdirSync(`/proc/${pid}/task`);
  return tasks.some((task) =>
    readFileSync(`/proc/${pid}/task/${task}/syscall`, "utf8").startsWith("1 0x1 "),
  );
}

test.concurrent.each(oneOf(2, ["SIGTERM", "SIGINT"] as const))(
  "a command whose reader takes nothing ends at %s",
  async (signal) => {
    using dir = tempDir();
    const { sandbox, spawn } = prepare(dir.path);
    const line = `${"x".repeat(99)}\n`;
    writeTree(join(sandbox.home, "logs"), { "papayu.log": line.repeat(4000) });
    // More than a pipe holds, and its one reader is the writer itself.
    const child = spawn('mkfifo pipe; exec 3<>pipe; exec "$@" >pipe', ["logs", "-n", "4000"]);
    await until(() => isWriting(child.pid));
    child.kill(signal);
    expect(await exitOf(child)).not.toBe("stuck");
  },
);

test.concurrent.each(oneOf(2, ["SIGTERM", "SIGINT"] as const))(
  "papayu chat ends at %s while the daemon says nothing",
  async (signal) => {
    using dir = tempDir();
    const { sandbox, spawn } = prepare(dir.path);
    const asked = Promise.withResolvers<void>();
    mkdirSync(sandbox.home, { recursive: true, mode: 0o700 });
    const socket = { data: () => asked.resolve() };
    const mute = Bun.listen({ unix: join(sandbox.home, "daemon.sock"), socket });
    try {
      const child = spawn('exec "$@" </dev/null', ["chat", "-w", "notes"]);
      await asked.promise;
      child.kill(signal);
      expect(await exitOf(child)).toBe(1);
    } finally {
      mute.stop(true);
    }
  },
);

test.concurrent("papayu chat -w says so when the daemon does not answer", async () => {
  using dir = tempDir();
  const { sandbox } = prepare(dir.path);
  mkdirSync(sandbox.home, { recursive: true, mode: 0o700 });
  const mute = Bun.listen({ unix: join(sandbox.home, "daemon.sock"), socket: { data: () => {} } });
  try {
    const { exitCode, stderr } = await sandbox.run("chat", "-w", "notes");
    expect(stderr).toContain("it did not answer within 5 s");
    expect(exitCode).toBe(4);
  } finally {
    mute.stop(true);
  }
});

/** A terminal that takes nothing: types for more than fits into it, looks, and asks the command to end. */
const STALLED = `import fcntl, os, pty, subprocess, sys, termios, time
us, it = pty.openpty()
lead = lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)
child = subprocess.Popen(sys.argv[2:], stdin=it, stdout=it, stderr=it, start_new_session=True, preexec_fn=lead)
os.close(it)
seen = b""
while "› ".encode() not in seen: seen += os.read(us, 4096)
os.set_blocking(us, False)
try:
  for _ in range(3): os.write(us, b"/help\\r" * 50)
except BlockingIOError: pass
time.sleep(1)
look = subprocess.run([*sys.argv[2:4], "status"], stdout=subprocess.DEVNULL)
child.terminate()
try: print(look.returncode, child.wait(45))
except subprocess.TimeoutExpired: child.kill(); print("stuck")
`;

test.concurrent.each(["start", "chat"])(
  "papayu %s goes on and ends while its terminal takes nothing",
  async (name) => {
    using dir = tempDir();
    const { sandbox } = prepare(dir.path);
    await using _daemon = name === "chat" ? await sandbox.start() : undefined;
    const command = [process.execPath, papayuProgram(), name];
    const { env } = sandbox;
    const child = Bun.spawn(["python3", "-c", STALLED, "-", ...command], { cwd: dir.path, env });
    expect(await new Response(child.stdout).text()).toBe("0 0\n");
  },
);
