import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { connectDaemon } from "../../src/cli/daemon-client.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

const CONFIG = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';

function prepare(dir: string, more = "") {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  return createSandbox(dir, CONFIG + more);
}

describe("papayu start", () => {
  test("refuses a second daemon, answers status, stops by papayu stop with exit 0", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using daemon = await sandbox.start();
    expect(daemon.log()).toMatch(/DAEMON_READY startup_ms=\d+/);

    const second = await sandbox.run("start");
    expect(second.exitCode).toBe(1);
    expect(second.stderr).toContain(
      `ERR_DAEMON_RUNNING: Cannot start: a daemon runs already (pid ${daemon.pid})`,
    );

    const { exitCode, report } = await sandbox.json("status");
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({
      running: true,
      pid: daemon.pid,
      channels: { terminal: { state: "listening" } },
      pending_approvals: 0,
    });

    expect((await sandbox.run("stop")).exitCode).toBe(0);
    expect(await daemon.exited).toBe(0);
    expect((await sandbox.run("status")).exitCode).toBe(4);
  });

  test("starts again at once after a SIGKILL, over the stale socket", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const first = await sandbox.start();
    first.kill("SIGKILL");
    await first.exited;
    await using second = await sandbox.start();
    expect((await sandbox.json("status")).report).toMatchObject({ pid: second.pid });
  });

  test("--detach waits until the daemon answers; stop ends it", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const started = await sandbox.run("start", "--detach");
    expect(started.stdout).toMatch(/^started \(pid \d+\)/);
    expect((await sandbox.run("start", "--detach")).exitCode).toBe(1);
    expect((await sandbox.json("status")).exitCode).toBe(0);
    expect((await sandbox.run("stop")).stdout).toMatch(/^stopped/);
  });

  test("runs a routine of config.toml on time and keeps its log", async () => {
    using dir = tempDir();
    const job = `
[[routines.jobs]]
name = "tidy"
schedule = "* * * * *"
workspace = "notes"
mode = "plan"
task = "add what a newcomer would miss"
channel = "terminal"
`;
    const sandbox = prepare(dir.path, job);
    const { report: list } = await sandbox.json("routine", "list");
    expect(list[0]).toMatchObject({
      name: "tidy",
      source: "config",
      enabled: true,
      next_at: { length: 3 },
    });
    expect((await sandbox.run("routine", "run", "tidy")).exitCode).toBe(0);
    const { report: logs } = await sandbox.json("routine", "logs", "tidy");
    expect(logs[0]).toMatchObject({ state: "ok", output: expect.stringContaining("README") });
    expect((await sandbox.run("routine", "run", "nope")).exitCode).toBe(2);
  });
});

describe("the local socket", () => {
  test("plans, asks, applies after a yes, and undoes", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const folder = join(dir.path, "notes");
    const original = readTree(folder);
    await using _daemon = await sandbox.start();
    using client = await connect(sandbox.env["PAPAYU_HOME"] ?? "");
    expect(await client.say("plan: add what a newcomer would miss")).toContain("README");
    expect(await client.say("ok")).toContain("+++ b/README.md");
    expect(readTree(folder)).toEqual(original);
    expect(await client.answer(true)).toContain("Applied in notes");
    expect(readTree(folder)).not.toEqual(original);
    expect(await client.say("/undo")).toContain("Undone in notes");
    expect(readTree(folder)).toEqual(original);
  });

  test("changes nothing after a no, and tells the truth about an answer given twice", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const folder = join(dir.path, "notes");
    const original = readTree(folder);
    await using _daemon = await sandbox.start();
    using client = await connect(sandbox.env["PAPAYU_HOME"] ?? "");
    await client.say("plan: add what a newcomer would miss");
    await client.say("ok");
    expect(await client.answer(false)).toContain("Nothing was changed");
    expect(await client.answer(true)).toContain("APPROVAL_INVALID");
    expect(readTree(folder)).toEqual(original);
  });

  test("answers a malformed line and keeps the connection", async () => {
    using dir = tempDir();
    await using _daemon = await prepare(dir.path).start();
    using client = await connect(join(dir.path, "home/.papa-yu"));
    expect(await client.say(["not a text"])).toContain("Cannot understand the line");
    expect(await client.say("/ws")).toContain("notes");
    expect(await client.say("/ws /etc")).toContain("ERR_WORKSPACE_UNKNOWN");
  });
});

/** A terminal for tests: every call waits for the end of its reply and gives its text. */
async function connect(home: string) {
  const client = await connectDaemon(join(home, "daemon.sock"));
  if (!client) throw new Error("no daemon answers");
  const lines = client.lines[Symbol.asyncIterator]();
  let asked = "";
  const reply = async () => {
    let text = "";
    while (true) {
      const { value: line, done } = await lines.next();
      if (done) throw new Error(`the connection closed after: ${text}`);
      if (line.type === "token") text += line.content;
      if (line.type === "confirm") asked = line.request_id;
      if (line.type === "error") return text + line.message;
      if (line.type === "done") return text;
    }
  };
  client.send({ type: "hello", version: 1 });
  return {
    /** Whatever `content` is goes out as it is: a malformed line must not close the connection. */
    say(content: unknown) {
      const line = { type: "message", session_id: "t", content };
      client.send(JSON.parse(JSON.stringify(line)));
      return reply();
    },
    answer(approved: boolean) {
      client.send({ type: "confirm_response", request_id: asked, approved });
      return reply();
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
}
