import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { createSandbox, type Sandbox } from "../e2e/papayu.ts";
import { crossed } from "../support/long.ts";
import { startModelServer } from "../support/model-server.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

/**
 * Terminals that go away, and a SIGHUP with them; or none that counts: it was never the controlling
 * one, or the signal is ignored, as under nohup; or it is there, and each read fails: the command is in the
 * background, what would stop it is ignored, and it is told so when something is typed. Of the steps one waits for a text, the next types; "file:" waits
 * for a file. A line of JSON asks for one; the answer is how the command ended. One process serves
 * all: its own start costs as much as the commands that it starts.
 */
const GONE = `import fcntl, json, os, pty, signal, subprocess, sys, termios, time
def lose(how, limit, steps, command, cwd, env):
  us, it = pty.openpty()
  def lead():
    if how != "hung up": signal.signal(signal.SIGHUP, signal.SIG_IGN)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
  if how == "unreadable": command = ["sh", "-mc", "trap '' TTIN TTOU; \\"$@\\" & wait $!", "sh"] + command
  child = subprocess.Popen(command, stdin=it, stdout=it, stderr=it, cwd=cwd, env=env, start_new_session=True, preexec_fn=lead if how != "never sent" else None)
  os.close(it)
  seen = b""
  for index, step in enumerate(steps):
    if index % 2 == 1:
      os.write(us, step.encode() + b"\\r")
      continue
    if step.startswith("file:"):
      while not os.path.exists(step[5:]) and child.poll() is None: time.sleep(0.01)
      continue
    while step.encode() not in seen:
      try: seen += os.read(us, 4096)
      except OSError: return "ended by itself: " + seen.decode(errors="replace")
    seen = seen[seen.index(step.encode()) + len(step.encode()):]
  if how == "unreadable": os.write(us, b"y\\r")
  else: os.close(us)
  try: return str(child.wait(limit))
  except subprocess.TimeoutExpired: os.killpg(child.pid, signal.SIGKILL); return "stuck"
for line in sys.stdin: print(json.dumps(lose(**json.loads(line))), flush=True)
`;

function startTerminals() {
  const child = Bun.spawn(["python3", "-c", GONE], { stdin: "pipe", stdout: "pipe" });
  const answers = createInterface({ input: Readable.fromWeb(child.stdout) })[
    Symbol.asyncIterator
  ]();
  return {
    async lose(order: object): Promise<string> {
      await child.stdin.write(`${JSON.stringify(order)}\n`);
      await child.stdin.flush();
      const { value } = await answers.next();
      return JSON.parse(value ?? '"the terminals are gone"');
    },
    async end() {
      await child.stdin.end();
      await child.exited;
    },
  };
}

let terminals: ReturnType<typeof startTerminals>;
beforeAll(() => void (terminals = startTerminals()));
afterAll(() => terminals.end());

const HOW = ["hung up", "never sent", "ignored", "unreadable"] as const;

/** Runs a command, takes its terminal away after the last step, and gives its exit code. */
function lose(
  sandbox: Sandbox,
  args: readonly string[],
  steps: readonly string[],
  way?: Way,
): Promise<string> {
  return loseCommand(sandbox, [process.execPath, papayuProgram(), ...args], steps, way);
}

interface Way {
  readonly how?: (typeof HOW)[number];
  readonly term?: string;
}

function loseCommand(
  sandbox: Sandbox,
  command: readonly string[],
  steps: readonly string[],
  { how = "never sent", term = "xterm" }: Way = {},
): Promise<string> {
  const env = { ...sandbox.env, TERM: term };
  return terminals.lose({ how, limit: PATIENCE_MS / 2000, steps, command, cwd: sandbox.dir, env });
}

const NOTES = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';

function prepare(dir: string, more = ""): Sandbox {
  writeTree(dir, { "notes/a.txt": "x\n" });
  return createSandbox(dir, `${more}[http]\nenabled = false\n${NOTES}`);
}

/** All but what papa-yu notes for itself. */
function filesIn(dir: string): readonly string[] {
  return readdirSync(dir).filter((name) => name !== ".papa-yu");
}

const withModel = (url: string) =>
  `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${url}"\nmodel = "x"\n`;

const ASKS: readonly (readonly [args: readonly string[], question: string])[] = [
  [["apply", "--goal", "add a README", "-w", "notes"], "[y/N]"],
  [["apply", "--goal", "add a README", "-w", "notes", "--json"], "[y/N]"],
  [["tool", "run_command", '{"argv":["touch","b"]}', "-w", "notes"], "[y/N]"],
  [["config", "set", "security.autonomy", "full"], "[y/N]"],
  [
    ["routine", "add", "--name", "tidy", "--schedule", "every day at 8", "--task", "hello"],
    "[y/N]",
  ],
  [["doctor", "--repair"], "[y/N]"],
];

describe("a question whose terminal goes away has no answer", () => {
  test.each(crossed(ASKS, HOW, 1))(
    "%j, with a SIGHUP or a terminal that is %s",
    async (ask, how) => {
      const [args, question] = ask;
      using dir = tempDir();
      const sandbox = prepare(dir.path);
      if (args[0] === "doctor") {
        await sandbox.run("routine", "list");
        writeFileSync(join(sandbox.home, "state.db"), "no database at all".repeat(999));
      }
      const config = readFileSync(join(dir.path, "config.toml"), "utf8");
      expect(await lose(sandbox, args, [question], { how })).toBe("3");
      expect(filesIn(join(dir.path, "notes"))).toEqual(["a.txt"]);
      expect(readFileSync(join(dir.path, "config.toml"), "utf8")).toBe(config);
      if (args[0] === "doctor") {
        const kept = readFileSync(join(sandbox.home, "state.db"), "utf8");
        expect(kept).toStartWith("no database at all");
      } else {
        expect((await sandbox.run("routine", "list", "--json")).stdout).toBe("[]\n");
      }
    },
  );
});

test("papayu apply whose window is closed while its check runs takes everything back", async () => {
  using dir = tempDir();
  const sandbox = prepare(dir.path);
  const check = 'check = [["sh", "-c", "touch .papa-yu/cache/begun; sleep 600"]]';
  const config = `[http]\nenabled = false\n${NOTES.replace("check = false", check)}check_when = "after"\n`;
  writeFileSync(join(dir.path, "config.toml"), config);
  const begun = `file:${join(dir.path, "notes/.papa-yu/cache/begun")}`;
  const args = ["apply", "--goal", "add a README", "-w", "notes", "--yes"];
  expect(await lose(sandbox, args, [begun], { how: "hung up" })).toBe("1");
  expect(filesIn(join(dir.path, "notes"))).toEqual(["a.txt"]);
});

test("papayu ask leaves a call open whose terminal went away: neither a yes nor a no", async () => {
  using dir = tempDir();
  await using model = startModelServer([
    { kind: "tools", calls: [{ name: "run_command", arguments: { argv: ["touch", "b"] } }] },
    { kind: "text", text: "done" },
  ]);
  const sandbox = prepare(dir.path, withModel(model.url));
  expect(await lose(sandbox, ["ask", "make b", "-w", "notes"], ["[y/N]"])).toBe("3");
  expect(existsSync(join(dir.path, "notes/b"))).toBe(false);
  expect(model.requests).toHaveLength(2); // no third one tells the model of a no
});

test("papayu apply has nobody to ask whose terminal is gone when it begins", async () => {
  using dir = tempDir();
  const sandbox = prepare(dir.path);
  const args = ["apply", "--goal", "add a README", "-w", "notes"];
  const wait = 'echo waits; while [ -t 0 ]; do sleep 0.01; done; exec "$@"';
  const command = ["sh", "-c", wait, "sh", process.execPath, papayuProgram(), ...args];
  expect(await loseCommand(sandbox, command, ["waits"])).toBe("3");
  expect(filesIn(join(dir.path, "notes"))).toEqual(["a.txt"]);
});

describe.each(["xterm", "dumb"])("a chat whose %s terminal goes away without a SIGHUP", (term) => {
  test("ends by itself while nothing is said, and the daemon of papayu start with it", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    expect(await lose(sandbox, ["start"], ["› "], { term })).toBe("0");
    expect((await sandbox.run("status")).exitCode).toBe(4);
    await using _daemon = await sandbox.host();
    for (const how of HOW) {
      expect(await lose(sandbox, ["chat"], ["› "], { term, how })).toBe("0");
    }
  });

  test("ends by itself while it is asked, and nothing is applied", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using _daemon = await sandbox.host();
    const steps = ["› ", "plan: add a README", "› ", "ok", "[y/N]"];
    expect(await lose(sandbox, ["chat"], steps, { term })).toBe("0");
    expect(filesIn(join(dir.path, "notes"))).toEqual(["a.txt"]);
  });

  test("ends by itself while an answer is on its way", async () => {
    using dir = tempDir();
    const mark = join(dir.path, "asked");
    await using model = startModelServer(() => {
      writeFileSync(mark, "");
      return { kind: "hang" };
    });
    const sandbox = prepare(dir.path, withModel(model.url));
    await using _daemon = await sandbox.start(); // killed: a stop waits for the model
    expect(await lose(sandbox, ["chat"], ["› ", "hello", `file:${mark}`], { term })).toBe("0");
  });
});
