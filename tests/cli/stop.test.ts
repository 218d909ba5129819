import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stopDaemon } from "../../src/cli/daemon/stop.ts";
import { failureOf } from "../config/support.ts";
import { createSandbox, type RunningDaemon, type Sandbox } from "../e2e/papayu.ts";
import { startModelServer } from "../support/model-server.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { until } from "../support/patience.ts";
import { areGone } from "../support/processes.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

const GOAL = "plan: add what a newcomer would miss";
/** A check may write there in its sandbox, and it is no part of the workspace's tree. */
const BEGUN = ".papa-yu/cache/begun";
const GO_ON = ".papa-yu/cache/go-on";
const ORIGINAL = { "a.txt": "x\n" };

function prepare(dir: string, more = "", check = "false", env = {}): Sandbox {
  writeTree(join(dir, "notes"), ORIGINAL);
  const workspace = `[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = ${check}\ncheck_when = "after"\n`;
  return createSandbox(dir, more + workspace, env);
}

/** A check that leaves a file behind when it has begun and then sleeps for a minute. */
const SLOW_CHECK = `[["sh", "-c", "touch ${BEGUN}; sleep 600"]]`;

/** Applies from a chat; resolves when the check sleeps. The chat's output comes with its end. */
async function applySlowly(sandbox: Sandbox) {
  const chat = sandbox.say(`${GOAL}\nok\ny\n`, "chat");
  await until(() => Bun.file(join(sandbox.dir, "notes", BEGUN)).exists());
  expect(Object.keys(files(sandbox))).toContain("README.md");
  return { chat };
}

function files({ dir }: Sandbox): Readonly<Record<string, unknown>> {
  return readTree(join(dir, "notes"));
}

async function stop(daemon: RunningDaemon): Promise<number> {
  daemon.kill("SIGTERM");
  return daemon.exited;
}

describe.concurrent("SIGTERM", () => {
  test("rolls back what a sleeping check holds up, tells it, and exits 0 in time", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, "", SLOW_CHECK);
    const original = files(sandbox);
    await using daemon = await sandbox.start();
    const { chat } = await applySlowly(sandbox);
    expect(await stop(daemon)).toBe(0);
    expect(files(sandbox)).toEqual(original);
    expect(await chat).toMatchObject({ stdout: expect.stringContaining("Rolled back in notes") });
    const { report } = await sandbox.json("history");
    expect(report["entries"]).toMatchObject([{ kind: "apply", status: "rolled_back" }]);
  });

  test("does not wait for a model that hangs", async () => {
    using dir = tempDir();
    await using model = startModelServer([{ kind: "hang" }]);
    const provider = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"\n`;
    const sandbox = prepare(dir.path, provider);
    await using daemon = await sandbox.start();
    const chat = sandbox.say("hello\n", "chat");
    await until(() => model.requests.length > 0);
    expect(await stop(daemon)).toBe(0);
    expect((await chat).stdout).toContain("no plan was applied");
  });

  test("does not wait for a Telegram that cannot be reached, or is silent", async () => {
    using silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    for (const port of [1, silent.port]) {
      using dir = tempDir();
      const telegram = `[telegram]\napi_root = "http://127.0.0.1:${port}"\nallowed_user_ids = [7]\n`;
      const sandbox = prepare(dir.path, telegram, "false", { TELEGRAM_BOT_TOKEN: "1:x" });
      await using daemon = await sandbox.start();
      expect(await stop(daemon)).toBe(0);
    }
  });

  test("twice ends at once, and the next start rolls back", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, "", SLOW_CHECK);
    const original = files(sandbox);
    await using daemon = await sandbox.start();
    const { chat } = await applySlowly(sandbox);
    daemon.kill("SIGTERM");
    await daemon.waitForLog(/DAEMON_STOPPING/);
    await stop(daemon); // a stop that waited would have rolled back
    expect((await chat).exitCode).toBe(4);
    expect(files(sandbox)).not.toEqual(original);
    await using _next = await sandbox.host();
    expect(files(sandbox)).toEqual(original);
  });

  test("keeps an approved change whose check ends soon", async () => {
    using dir = tempDir();
    const check = `[["sh", "-c", "touch ${BEGUN}; until test -e ${GO_ON}; do sleep 0.02; done"]]`;
    const sandbox = prepare(dir.path, "", check);
    await using daemon = await sandbox.start();
    const { chat } = await applySlowly(sandbox);
    const stopped = stop(daemon);
    await daemon.waitForLog(/DAEMON_STOPPING/);
    writeFileSync(join(dir.path, "notes", GO_ON), "");
    expect(await stopped).toBe(0);
    expect((await chat).stdout).toContain("Applied in notes");
    expect(Object.keys(files(sandbox))).toContain("README.md");
  });
});

describe("papayu stop", () => {
  test("exits 4 when nothing runs", async () => {
    using dir = tempDir();
    expect(await prepare(dir.path).json("stop")).toMatchObject({
      exitCode: 4,
      report: { ok: false, error_code: "ERR_DAEMON_NOT_RUNNING" },
    });
  });
});

describe("a signal to a one-shot command that applies", () => {
  const GOAL_ARGS = ["apply", "--goal", "add what a newcomer would miss", "--yes", "--json"];
  const runApply = ({ dir, env }: Sandbox, ...before: string[]) =>
    Bun.spawn([...before, process.execPath, papayuProgram(), ...GOAL_ARGS], {
      cwd: dir,
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
  const isChecked = ({ dir }: Sandbox) => until(() => Bun.file(join(dir, "notes", BEGUN)).exists());

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "%s rolls back, ends the check, and exits 1 with its one document",
    async (signal) => {
      using dir = tempDir();
      const seconds = `611.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
      const check = `[["sh", "-c", "touch ${BEGUN}; sleep ${seconds}"]]`;
      const sandbox = prepare(dir.path, '[security]\nsandbox = "none"\n', check);
      const original = files(sandbox);
      const child = runApply(sandbox);
      await isChecked(sandbox);
      child.kill(signal);
      const report = JSON.parse(await new Response(child.stdout).text());
      const cancelled = { ok: false, status: "rolled_back", error_code: "ERR_CANCELLED" };
      expect(report).toMatchObject(cancelled);
      expect(await child.exited).toBe(1);
      expect(files(sandbox)).toEqual(original);
      expect(await areGone(seconds)).toBe(true);
    },
  );

  test("SIGHUP by the kernel and by the shell, however often, is one", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, "", SLOW_CHECK);
    const original = files(sandbox);
    const child = runApply(sandbox);
    await isChecked(sandbox);
    await until(() => {
      child.kill("SIGHUP");
      return child.exitCode !== null || child.signalCode !== null;
    });
    expect(child.exitCode).toBe(1);
    expect(files(sandbox)).toEqual(original);
  });

  test("SIGHUP is none to what was started with nohup", async () => {
    using dir = tempDir();
    const check = `[["sh", "-c", "touch ${BEGUN}; until [ -e ${GO_ON} ]; do sleep 0.02; done"]]`;
    const sandbox = prepare(dir.path, "", check);
    const child = runApply(sandbox, "nohup");
    await isChecked(sandbox);
    child.kill("SIGHUP");
    writeFileSync(join(dir.path, "notes", GO_ON), "");
    expect(await child.exited).toBe(0);
    expect(Object.keys(files(sandbox))).toContain("README.md");
  });
});

test("stopDaemon() says what to do about one that does not stop in time", async () => {
  using dir = tempDir();
  const lock = join(import.meta.dir, "../../src/system/locks/kernel-lock.ts");
  const code = `
    process.on("SIGTERM", () => {});
    const { takeLock } = await import(${JSON.stringify(lock)});
    globalThis.held = takeLock(${JSON.stringify(join(dir.path, "daemon.lock"))}, "deaf");
    console.log(held.ok);
    setInterval(() => {}, 1000);`;
  const deaf = Bun.spawn([process.execPath, "-e", code], {
    stdout: "pipe",
  });
  try {
    await deaf.stdout.getReader().read();
    const late = {
      code: "ERR_DAEMON_RUNNING",
      message: expect.stringContaining(`kill -9 ${deaf.pid} ends it, and papayu start --detach`),
    };
    const { signal } = new AbortController();
    expect(await failureOf(stopDaemon(dir.path, signal, 200))).toMatchObject(late);
    // Where no time is left nothing is waited for, or it would be told that it was stopped.
    expect(await failureOf(stopDaemon(dir.path, AbortSignal.abort(), 0))).toMatchObject(late);
  } finally {
    deaf.kill("SIGKILL");
    await deaf.exited;
  }
});
