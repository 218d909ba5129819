import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectDaemon } from "../../src/cli/daemon-client.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

const CONFIG = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';

function prepare(dir: string, more = "") {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  return createSandbox(dir, CONFIG + more);
}

describe("papayu start", () => {
  test("speaks of a missing token of a bot only where something else says that one is intended", async () => {
    for (const [more, isIntended] of [
      ["", false],
      ["[telegram]\nallowed_user_ids = [5]\n", true],
      ['[telegram]\nbot_token = "env:NO_SUCH_TOKEN"\n', true],
    ] as const) {
      using dir = tempDir();
      await using daemon = await prepare(dir.path, more).host();
      expect(daemon.log().includes("TELEGRAM_OFF")).toBe(isIntended);
    }
  });

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
    const { stdout } = await sandbox.run("status");
    expect(stdout).toMatch(
      /^papa-yu \S+ has been running for \d+ s \(pid \d+, \d+ MB\)\nterminal: listening/,
    );

    const stopped: unknown = await sandbox.json("stop");
    expect(stopped).toEqual({ exitCode: 0, report: { ok: true, pid: daemon.pid } });
    expect(await daemon.exited).toBe(0);
    expect(await sandbox.json("status")).toMatchObject({
      exitCode: 4,
      report: { ok: false, running: false, error_code: "ERR_DAEMON_NOT_RUNNING" },
    });
  });

  test("says in status and doctor that its database was deleted", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using _daemon = await sandbox.host();
    expect((await sandbox.json("status")).report).not.toHaveProperty("state_gone");
    rmSync(join(sandbox.home, "state.db"));
    expect((await sandbox.json("status")).report).toMatchObject({ state_gone: true });
    expect((await sandbox.run("status")).stdout).toStartWith("state.db was deleted or replaced");
    const doctor = await sandbox.run("doctor");
    expect(doctor.stdout).toMatch(/failed {3}state\.db: it was deleted or replaced/);
  });

  test("runs the routines of a home and its copy once, and says so of the other", async () => {
    using dir = tempDir();
    const [own, copied] = ["own", "copied"].map((name) => join(dir.path, name));
    const job = `[[routines.jobs]]\nname = "tidy"\nschedule = "0 8 * * *"\nmode = "ask"\ntask = "x"\n`;
    const sandbox = prepare(own ?? "", job);
    await (await sandbox.host()).stop();
    cpSync(own ?? "", copied ?? "", { recursive: true });
    const copy = prepare(copied ?? "", job);
    await using first = await sandbox.host();
    await using second = await copy.host();
    expect((await sandbox.json("status")).report).not.toHaveProperty("routines_held");
    const held = { pid: process.pid, home: sandbox.home };
    expect((await copy.json("status")).report).toMatchObject({ routines_held: held });
    expect((await copy.run("status")).stdout).toContain(
      "Routines do not run here: the daemon of a copy",
    );
    expect((await copy.run("doctor")).stdout).toMatch(/warning {2}routines: they do not run here/);
    expect([first.log(), second.log()].map((log) => log.includes("ROUTINES_HELD"))).toEqual([
      false,
      true,
    ]);
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

  test("lives exactly once when many are started at the same moment", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const starts = Array.from({ length: 6 }, () => sandbox.json("start", "--detach"));
    const ended = await Promise.all(starts);
    const winners = ended.filter(({ exitCode }) => exitCode === 0);
    const { report: status } = await sandbox.json("status");
    await sandbox.run("stop");
    expect(winners.map(({ report }) => report["pid"])).toEqual([status["pid"]]);
    const losers = ended.filter(({ exitCode }) => exitCode !== 0);
    expect(losers.map(({ report }) => report["error_code"])).toEqual(
      Array(5).fill("ERR_DAEMON_RUNNING"),
    );
  });

  test("keeps its folder to its owner", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using _daemon = await sandbox.host();
    const modeOf = (name: string) => statSync(join(sandbox.home, name)).mode & 0o777;
    expect(modeOf(".")).toBe(0o700);
    for (const name of ["state.db", "state.db-wal", "daemon.lock", "daemon.sock"]) {
      expect([name, modeOf(name)]).toEqual([name, 0o600]);
    }
  });

  test("says in one JSON document that it is ready, and nothing else on stdout", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const command = [process.execPath, papayuProgram(), "start"];
    const child = Bun.spawn([...command, "--json"], {
      cwd: dir.path,
      env: sandbox.env,
      stdin: Buffer.from("/help\n"),
      stdout: "pipe",
      stderr: "ignore",
    });
    await until(async () => (await sandbox.run("status")).exitCode === 0);
    child.kill("SIGTERM");
    const report = JSON.parse(await new Response(child.stdout).text());
    expect(report).toMatchObject({ ok: true, pid: child.pid, home: sandbox.home });
    expect(await child.exited).toBe(0);
  });

  test("works with stdin and stdout closed", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const main = papayuProgram();
    const child = Bun.spawn(["sh", "-c", 'exec "$0" "$1" start <&- >&-', process.execPath, main], {
      cwd: dir.path,
      env: sandbox.env,
      stdio: ["ignore", "ignore", "ignore"],
    });
    await until(async () => (await sandbox.run("status")).exitCode === 0);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });

  test("runs a routine of config.toml and keeps its log", async () => {
    using dir = tempDir();
    const job = `
[[routines.jobs]]
name = "tidy"
schedule = "0 8 29 2 *"
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

  test("notices at once what a concurrent command adds, switches and removes", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using daemon = await sandbox.host();
    const add = ["--name", "hello", "--schedule", "每天下午3点", "--task", "say hello", "--json"];
    expect((await sandbox.json("routine", "add", ...add)).report).toMatchObject({
      ok: true,
      source: "dynamic",
      schedule: "0 15 * * *",
      next_at: { length: 3 },
    });
    await daemon.waitForLog(/ROUTINES_READ routines=1 active=1/);
    await sandbox.run("routine", "disable", "hello");
    await daemon.waitForLog(/ROUTINES_READ routines=1 active=0/);
    const { report } = await sandbox.json("status");
    expect(report["routines"]).toMatchObject([{ name: "hello", next_at: null, state: "disabled" }]);
    const again = await sandbox.json("routine", "add", ...add);
    expect(again).toMatchObject({ exitCode: 2, report: { error_code: "ERR_ROUTINE_INVALID" } });
    expect((await sandbox.run("routine", "remove", "hello")).exitCode).toBe(0);
    await daemon.waitForLog(/ROUTINES_READ routines=0/);
  });
});

describe("papayu start --detach", () => {
  test("waits until the daemon answers; stop ends it", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const started = await sandbox.run("start", "--detach");
    expect(started.stdout).toMatch(/^started \(pid \d+\), log: .*papayu\.log\n$/);
    expect((await sandbox.json("status")).exitCode).toBe(0);
    const again = await sandbox.run("start", "--detach");
    expect(again).toMatchObject({ exitCode: 1, stdout: "" });
    expect(again.stderr).toContain("ERR_DAEMON_RUNNING: Cannot start: a daemon runs already");
    expect((await sandbox.run("stop")).stdout).toMatch(/^stopped/);
    const log = await Bun.file(join(sandbox.home, "logs/papayu.log")).text();
    expect(log).toContain("DAEMON_STOPPED");
  });

  test("says why the daemon cannot start, with the daemon's own code", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    mkdirSync(sandbox.home, { recursive: true });
    writeFileSync(join(sandbox.home, "state.db"), "no database, and long enough to be seen as one");
    const { exitCode, report } = await sandbox.json("start", "--detach");
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({ ok: false, error_code: "ERR_STORE_DAMAGED" });
    writeFileSync(join(dir.path, "config.toml"), "[default]\nprovider = 3\n");
    const broken = await sandbox.json("start", "--detach");
    expect(broken).toMatchObject({ exitCode: 2, report: { error_code: "ERR_CONFIG_INVALID" } });
  });
});

describe("the local socket", () => {
  test("plans, asks, applies after a yes, and undoes", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const folder = join(dir.path, "notes");
    const original = readTree(folder);
    await using _daemon = await sandbox.host();
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
    await using _daemon = await sandbox.host();
    using client = await connect(sandbox.env["PAPAYU_HOME"] ?? "");
    await client.say("plan: add what a newcomer would miss");
    await client.say("ok");
    expect(await client.answer(false)).toContain("Nothing was changed");
    expect(await client.answer(true)).toContain("APPROVAL_INVALID");
    expect(readTree(folder)).toEqual(original);
  });

  test("answers a malformed line and keeps the connection", async () => {
    using dir = tempDir();
    await using _daemon = await prepare(dir.path).host();
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
