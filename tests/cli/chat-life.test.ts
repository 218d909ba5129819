import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../e2e/papayu.ts";
import { startModelServer } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const GOAL = "plan: add what a newcomer would miss";
const [CTRL_C, CTRL_D] = ["\x03", "\x04"];
const TURN = /› /;

function prepare(dir: string, more = ""): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  return createSandbox(
    dir,
    `${more}[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n`,
  );
}

function withModel(url: string): string {
  return `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${url}"\nmodel = "x"\n`;
}

describe("papayu chat over a restart of the daemon", () => {
  test("says so, sends nothing meanwhile, comes back by itself, and knows the session", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const first = await sandbox.start();
    await using terminal = sandbox.terminal("chat", "--session", "mine");
    await terminal.waitFor(TURN);
    terminal.type(`${GOAL}\r`);
    await terminal.waitFor(/README[\s\S]*› /);
    terminal.type("ok\r");
    await terminal.waitFor(/Apply\? \[y\/N\] /);
    first.kill("SIGKILL");
    await first.exited;
    await terminal.waitFor(/the daemon is gone/);
    terminal.typeAhead("y\r");
    await terminal.waitFor(/not sent: there is no daemon/);
    await using _second = await sandbox.start();
    await terminal.waitFor(/the daemon is back[\s\S]*› /);
    terminal.type("ok\r"); // the session still has its plan; the question ended with the connection
    await terminal.waitFor(/Apply\? \[y\/N\] /);
    terminal.type("n\r");
    await terminal.waitFor(/Nothing was changed[\s\S]*› /);
    terminal.type(CTRL_D);
    await terminal.waitFor(/papayu chat --session mine/);
    expect(await terminal.exited).toBe(0);
  });

  test("exits 4 when the person leaves while there is no daemon, 0 once there is one", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const daemon = await sandbox.start();
    await using terminal = sandbox.terminal("chat");
    await terminal.waitFor(TURN);
    daemon.kill("SIGTERM");
    await terminal.waitFor(/the daemon is gone[\s\S]*› /);
    terminal.type(CTRL_C);
    await terminal.waitFor(/ERR_DAEMON_NOT_RUNNING/);
    expect(await terminal.exited).toBe(4);
  });

  test("is an end for a pipe, with exit code 4", async () => {
    using dir = tempDir();
    await using model = startModelServer([{ kind: "hang" }]);
    const sandbox = prepare(dir.path, withModel(model.url));
    const daemon = await sandbox.start();
    const chat = sandbox.pipe("hello\nnever sent\n", "chat");
    await until(() => model.requests.length > 0);
    daemon.kill("SIGKILL");
    await daemon.exited;
    expect((await chat).exitCode).toBe(4);
  });
});

describe("papayu chat, the line", () => {
  test("takes a paste of several lines as one message that Enter sends", async () => {
    using dir = tempDir();
    await using model = startModelServer(() => ({ kind: "text", text: "understood" }));
    const sandbox = prepare(dir.path, withModel(model.url));
    await using _daemon = await sandbox.host();
    await using terminal = sandbox.terminal("chat");
    expect(await terminal.waitFor(TURN)).toContain("\x1b[?2004h");
    terminal.type("look:\x1b[200~one\r\ttwo 世界\r\x1b[201~");
    await terminal.waitFor(/look:one⏎⇥two 世界/);
    expect(model.requests).toHaveLength(0);
    terminal.typeAhead("\r");
    await terminal.waitFor(/understood[\s\S]*› /);
    expect(model.requests[0]?.body.messages.at(-1)?.content).toContain("look:one\n\ttwo 世界");
    terminal.type(CTRL_D);
    expect(await terminal.exited).toBe(0);
    await terminal.waitFor(/\[\?2004l/);
  });

  test("remembers lines over chats, but no answer and no key", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using _daemon = await sandbox.host();
    await using first = sandbox.terminal("chat");
    await first.waitFor(TURN);
    first.type(`${GOAL}\r`);
    await first.waitFor(/README[\s\S]*› /);
    first.type("ok\r");
    await first.waitFor(/Apply\? \[y\/N\] /);
    first.type("n\r");
    await first.waitFor(/Nothing was changed[\s\S]*› /);
    first.type("plan: use sk-0123456789abcdefghijkl\r");
    await first.waitFor(/\r\n[\s\S]*› /);
    first.type(CTRL_D);
    await first.exited;
    expect(readFileSync(join(sandbox.home, "history"), "utf8")).toBe(`${GOAL}\nok\n`);

    await using second = sandbox.terminal("chat");
    await second.waitFor(TURN);
    second.type("\x1b[A\x1b[A");
    await second.waitFor(/› plan: add what a newcomer would miss/);
    second.type(CTRL_C); // drops the line
    await second.waitFor(/Ctrl-C again leaves[\s\S]*› /);
    second.type(CTRL_C);
    expect(await second.exited).toBe(0);
  });

  test("leaves at one Ctrl-C on an empty line", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using _daemon = await sandbox.host();
    await using terminal = sandbox.terminal("chat");
    await terminal.waitFor(TURN);
    terminal.type(CTRL_C);
    expect(await terminal.exited).toBe(0);
  });

  test("shows that work goes on, on one line that goes with it", async () => {
    using dir = tempDir();
    await using model = startModelServer([{ kind: "hang" }]);
    const sandbox = prepare(dir.path, withModel(model.url));
    await using _daemon = await sandbox.host();
    await using terminal = sandbox.terminal("chat");
    await terminal.waitFor(TURN);
    terminal.type("think\r");
    await terminal.waitFor(/… \d+ s, Ctrl-C cancels/);
    terminal.type(CTRL_C);
    expect(await terminal.waitFor(/ERR_CANCELLED[\s\S]*› /)).toContain(
      "\r\x1b[Jerror: ERR_CANCELLED",
    );
  });

  test("writes nothing but text to a dumb terminal", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using daemon = await sandbox.host();
    const dumb = createSandbox(dir.path, await Bun.file(join(dir.path, "config.toml")).text(), {
      TERM: "dumb",
    });
    await using terminal = dumb.terminal("chat");
    await terminal.waitFor(TURN);
    terminal.type(`${GOAL}\r`);
    await terminal.waitFor(/README[\s\S]*› /);
    terminal.type("ok\r");
    await terminal.waitFor(/\+# notes[\s\S]*Apply\? \[y\/N\] /);
    terminal.type("half a line");
    await terminal.waitFor(/half a line/);
    await daemon[Symbol.asyncDispose](); // told while that is being typed
    await terminal.waitFor(/daemon is gone[^\n]*\n› half a line/);
    terminal.type(`${CTRL_C}${CTRL_C}`);
    expect(await terminal.exited).toBe(4);
    expect(terminal.screen()).not.toContain("\x1b");
  });
});

describe("papayu chat by pipe", () => {
  test("exits 1 when an answer was an error", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using _daemon = await sandbox.host();
    const ran = await sandbox.say("/ws nowhere\n/ws\n", "chat");
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toMatch(/error: ERR_WORKSPACE_UNKNOWN[\s\S]*▸ notes/);
  });
});

test("two terminals have a session each; one that closes takes back its own question only", async () => {
  using dir = tempDir();
  const sandbox = prepare(dir.path);
  await using _daemon = await sandbox.host();
  await using one = sandbox.terminal("chat");
  await using two = sandbox.terminal("chat");
  for (const terminal of [one, two]) {
    await terminal.waitFor(TURN);
    terminal.type(`${GOAL}\r`);
    await terminal.waitFor(/README[\s\S]*› /);
    terminal.type("ok\r");
    await terminal.waitFor(/Apply\? \[y\/N\] /);
  }
  expect((await sandbox.json("status")).report).toMatchObject({ pending_approvals: 2 });
  one.hangUp();
  await one.exited;
  const waiting = async () => (await sandbox.run("status")).stdout;
  while ((await waiting()).includes("approvals waiting: 2")) await Bun.sleep(10);
  two.type("y\r");
  await two.waitFor(/Applied in notes/);
});
