import { expect, test } from "bun:test";
import { join } from "node:path";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { startModelServer } from "../support/model-server.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { until } from "../support/patience.ts";
import { areGone, findProcesses } from "../support/processes.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

/** A model that runs a command which sleeps, and is known by how long. */
function prepare(sandbox: "none" | "bwrap") {
  const dir = tempDir();
  writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
  const seconds = `610.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  const call = { name: "run_command", arguments: { argv: ["sleep", seconds] } };
  const model = startModelServer(({ body }) =>
    body.messages.at(-1)?.role === "user"
      ? { kind: "tools", calls: [call] }
      : { kind: "text", text: "over" },
  );
  const config = `
[default]
provider = "m"
[providers.m]
base_url = "${model.url}"
model = "x"
[security]
autonomy = "full"
sandbox = "${sandbox}"
allowed_commands = ["sleep"]
[[workspaces]]
name = "notes"
path = "./notes"
check = false
`;
  const papayu = createSandbox(dir.path, config);
  return {
    papayu,
    seconds,
    async sleeps() {
      // Of a sandbox: two processes of its own around the command; it dies with its parent by then.
      const count = sandbox === "bwrap" ? 3 : 1;
      await until(() => findProcesses(seconds).length >= count);
    },
    /** `papayu ask` in a process of its own. */
    ask: () =>
      Bun.spawn([process.execPath, papayuProgram(), "ask", "do"], {
        cwd: dir.path,
        env: papayu.env,
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore",
      }),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

test("a second SIGTERM ends the daemon at once, and with it the command that it runs", async () => {
  await using scene = prepare("none");
  await using daemon = await scene.papayu.start();
  const chat = scene.papayu.say("do\n", "chat");
  await scene.sleeps();
  daemon.kill("SIGTERM");
  await daemon.waitForLog(/DAEMON_STOPPING/);
  daemon.kill("SIGTERM");
  await daemon.exited;
  expect(await areGone(scene.seconds)).toBe(true);
  await chat;
});

test("a start ends the commands of a daemon and of an ask that were killed, not of one that runs", async () => {
  await using killed = prepare("none");
  const first = await killed.papayu.start();
  const chat = killed.papayu.say("do\n", "chat");
  await killed.sleeps();
  first.kill("SIGKILL");
  await first.exited;
  await chat;
  const running = killed.ask();
  await until(() => findProcesses(killed.seconds).length >= 2);
  {
    await using _second = await killed.papayu.start();
    await until(() => findProcesses(killed.seconds).length === 1);
  }
  running.kill("SIGKILL");
  await running.exited;
  expect(findProcesses(killed.seconds)).toHaveLength(1);
  await using _third = await killed.papayu.start();
  expect(await areGone(killed.seconds)).toBe(true);
});

test.if(hasBubblewrap)("a sandboxed command ends with the ask that is killed", async () => {
  await using scene = prepare("bwrap");
  const ask = scene.ask();
  await scene.sleeps();
  ask.kill("SIGKILL");
  await ask.exited;
  expect(await areGone(scene.seconds)).toBe(true);
});
