import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nameProcess } from "../../src/system/processes/process-name.ts";
import { startBotApi } from "../support/bot-api-server.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

const NOTES = '[[workspaces]]\nname = "notes"\npath = "./notes"\n';
const NAMES = join(import.meta.dir, "../../src/system/processes/process-name.ts");
const GOAL = "plan: add what a newcomer would miss";

function prepare(dir: string, check = "false", more = "") {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  return createSandbox(dir, `${more}${NOTES}check = ${check}\ncheck_when = "after"\n`);
}

describe("papayu restart", () => {
  test("keeps the --config and the folder of the daemon that ran", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    writeTree(join(dir.path, "other"), {
      "c.toml": NOTES.replace('"notes"', '"other"'),
      "notes/b.txt": "y\n",
    });
    expect(await sandbox.json("start", "--detach", "--config", "other/c.toml")).toMatchObject({
      exitCode: 0,
    });
    const { report: before } = await sandbox.json("status");
    const restarted = await sandbox.run("restart");
    try {
      expect(restarted.stdout).toMatch(
        new RegExp(`^stopped \\(pid ${before["pid"]}\\)\\nstarted \\(pid \\d+\\), log: `),
      );
      const chat = await sandbox.say("/ws\n", "chat");
      expect(chat.stdout).toContain("▸ other");
      const log = readFileSync(join(sandbox.home, "logs/papayu.log"), "utf8");
      expect(log.match(/DAEMON_READY/g)).toHaveLength(2);
      expect(log).not.toContain("NOTICE"); // short and in order: nobody's business
    } finally {
      await sandbox.run("stop");
    }
  });

  test("starts one where none runs", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const { exitCode, report } = await sandbox.json("restart");
    expect({ exitCode, report }).toMatchObject({ exitCode: 0, report: { ok: true } });
    expect((await sandbox.json("stop")).report["pid"]).toBe(report["pid"]);
  });

  test("ends well however many are at it at once, concurrently with a start as well", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, "false", "[http]\nenabled = false\n");
    const restarts = Promise.all([1, 2].map(() => sandbox.json("restart")));
    const [ran] = await Promise.all([restarts, sandbox.json("start", "--detach")]);
    const { report: status } = await sandbox.json("status");
    expect(ran.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(ran.map(({ report }) => report["pid"])).toContain(status["pid"]);
    expect((await sandbox.run("stop")).exitCode).toBe(0);
    expect((await sandbox.run("stop")).exitCode).toBe(4);
  });

  test("leaves the daemon alone when the configuration is broken; stop and status work", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using daemon = await sandbox.start();
    writeFileSync(join(dir.path, "config.toml"), "[default]\nprovider = 3\n");
    const { exitCode, report } = await sandbox.json("restart");
    expect(exitCode).toBe(2);
    expect(report).toMatchObject({
      error_code: "ERR_CONFIG_INVALID",
      error: expect.stringContaining("the daemon was left as it is"),
    });
    expect((await sandbox.json("status")).report).toMatchObject({ pid: daemon.pid });
    expect((await sandbox.run("stop")).exitCode).toBe(0);
  });
});

describe("an error that nobody caught", () => {
  function startDefective(sandbox: ReturnType<typeof prepare>, env: Record<string, string> = {}) {
    const preload = Bun.fileURLToPath(import.meta.resolve("./defect-preload.ts"));
    return Bun.spawn([process.execPath, "--preload", preload, papayuProgram(), "start"], {
      cwd: sandbox.dir,
      env: { ...sandbox.env, ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
  }

  test("is logged with its code and reported, and the daemon goes on", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const child = startDefective(sandbox);
    const log = () => readFileSync(join(sandbox.home, "logs/papayu.log"), "utf8");
    await until(async () => (await sandbox.run("status")).exitCode === 0);
    // Which of the two comes first is up to the machine.
    for (const said of [
      /INTERNAL_ERROR code=ERR_INTERNAL message="nobody awaits this" stack=/,
      /INTERNAL_ERROR code=ERR_INTERNAL message="nobody catches this" stack=/,
      /NOTICE text=.*ERR_INTERNAL: nobody catches this/,
    ]) {
      await until(() => said.test(log()), log);
    }
    expect((await sandbox.say("/ws\n", "chat")).stdout).toContain("▸ notes");
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });

  test("in a flood ends the daemon in order, with exit code 1", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const child = startDefective(sandbox, { FLOOD: "1" });
    expect(await child.exited).toBe(1);
    const log = readFileSync(join(sandbox.home, "logs/papayu.log"), "utf8");
    expect(log).toMatch(/keeps failing and stops/);
    expect(log).toContain("DAEMON_STOPPED");
  });
});

test("papayu restart leaves a service to what supervises it", async () => {
  using dir = tempDir();
  const sandbox = prepare(dir.path);
  const command = `SYSTEMD_EXEC_PID=$$ exec "${process.execPath}" "${papayuProgram()}" start`;
  const child = Bun.spawn(["sh", "-c", command], {
    cwd: dir.path,
    env: sandbox.env,
    stdio: ["ignore", "ignore", "ignore"],
  });
  await until(async () => (await sandbox.run("status")).exitCode === 0);
  const { exitCode, stderr } = await sandbox.run("restart");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("systemctl --user restart papayu");
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});

describe("a start after kill -9", () => {
  test("tells the owner once what it found", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, '[["sh", "-c", "touch .papa-yu/cache/begun; sleep 600"]]');
    const original = readTree(join(dir.path, "notes"));
    const first = await sandbox.start();
    const chat = sandbox.say(`${GOAL}\nok\ny\n`, "chat");
    while (!(await Bun.file(join(dir.path, "notes/.papa-yu/cache/begun")).exists())) {
      await Bun.sleep(10);
    }
    first.kill("SIGKILL");
    await first.exited;
    await chat;

    const second = await sandbox.host();
    const [notice = "", ...others] = second.log().match(/NOTICE text=.*/g) ?? [];
    expect(others).toEqual([]);
    expect(notice).toContain("It ended unexpectedly and was down from about");
    expect(notice).toContain("It was cut off in the middle of a change. What became of it:");
    expect(notice).toMatch(/• notes: .*every file of it was put back/);
    expect(readTree(join(dir.path, "notes"))).toEqual(original);

    expect((await sandbox.say("/ws\n", "chat")).stdout).not.toContain("It ended unexpectedly");
    await using terminal = sandbox.terminal("chat");
    await terminal.waitFor(/It ended unexpectedly/);

    await second.stop();
    expect((await sandbox.run("doctor")).stdout).toMatch(
      /^warning {2}last end: a daemon ended unexpectedly after \d{4}-/m,
    );
    await using third = await sandbox.host();
    expect(third.log()).not.toContain("NOTICE");
  });

  test("takes back what a terminal was asked: its connection is gone", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const first = await sandbox.start();
    await using terminal = sandbox.terminal("chat");
    await terminal.waitFor(/› /);
    terminal.type(`${GOAL}\r`);
    await terminal.waitFor(/README[\s\S]*› /);
    terminal.type("ok\r");
    await terminal.waitFor(/Apply\? \[y\/N\] /);
    expect((await sandbox.json("status")).report).toMatchObject({ pending_approvals: 1 });
    first.kill("SIGKILL");
    await first.exited;
    await using _second = await sandbox.host();
    expect((await sandbox.json("status")).report).toMatchObject({ pending_approvals: 0 });
  });
});

describe("a channel that cannot start", () => {
  test("is named by status and doctor, and the others work", async () => {
    using dir = tempDir();
    using taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const sandbox = prepare(dir.path, "false", `[http]\nport = ${taken.port}\n`);
    await using _daemon = await sandbox.host();
    const { report } = await sandbox.json("status");
    expect(report["channels"]).toMatchObject({
      terminal: { state: "listening" },
      http: { state: "failed", reason: expect.stringContaining(`${taken.port}`) },
    });
    expect((await sandbox.say("/ws\n", "chat")).stdout).toContain("▸ notes");
    const doctor = await sandbox.run("doctor");
    expect(doctor.stdout).toMatch(/^warning {2}channel http: failed/m);
  });

  test("is a Telegram with a wrong token, too", async () => {
    using dir = tempDir();
    await using bot = await startBotApi();
    writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
    const telegram = `[telegram]\napi_root = "${bot.url}"\nallowed_user_ids = [7]\n`;
    const sandbox = createSandbox(dir.path, `${telegram}${NOTES}`, {
      TELEGRAM_BOT_TOKEN: "4242:another-token",
    });
    await using daemon = await sandbox.host();
    await daemon.waitForLog(/ERR_TELEGRAM_TOKEN/);
    expect((await sandbox.json("status")).report["channels"]).toMatchObject({
      terminal: { state: "listening" },
      telegram: { state: "failed: token" },
    });
    expect((await sandbox.say("/ws\n", "chat")).stdout).toContain("▸ notes");
    const doctor = await sandbox.run("doctor");
    expect(doctor.stdout).toMatch(/channel telegram: failed: token\n.*check telegram\.bot_token/);
  });
});

test("a start removes the views of a papa-yu that was killed, and leaves those of one that runs", async () => {
  using dir = tempDir();
  const sandbox = prepare(dir.path);
  const naming = `import { nameProcess } from ${JSON.stringify(NAMES)}; console.log(nameProcess())`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", naming]);
  mkdirSync(sandbox.home, { mode: 0o700 });
  const dead = join(sandbox.home, "views", `${stdout.toString().trim()}.0123456789ab`);
  const living = join(sandbox.home, "views", `${nameProcess()}.0123456789ab`);
  for (const folder of [dead, living]) writeTree(folder, { "upper/src/a.ts": "half\n" });
  await using _daemon = await sandbox.host();
  await until(() => !existsSync(dead));
  expect(existsSync(living)).toBe(true);
});
