import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../e2e/papayu.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

const WORKSPACE = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';

function prepare(dir: string, config = WORKSPACE, env = {}): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  return createSandbox(dir, config, env);
}

describe("-w", () => {
  test("takes a name, a path, or nothing: then the first configured or the current folder", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const lines = (...args: string[]) =>
      sandbox.run("history", ...args).then(({ stdout }) => stdout);
    const root = join(dir.path, "notes");
    expect(await lines("-w", "notes")).toContain(`notes (${root})`);
    expect(await lines("-w", "./notes")).toContain(`notes (${root})`);
    expect(await lines()).toContain(`notes (${root})`);

    using other = tempDir();
    mkdirSync(join(other.path, "here"));
    const bare = createSandbox(other.path, "", { HOME: dir.path, PAPAYU_HOME: `${dir.path}/h` });
    expect((await bare.run("history")).stdout).toContain(`(${other.path})`);
    expect((await bare.run("history", "-w", "here")).stdout).toContain(`here (${other.path}/here)`);
    expect((await bare.run("history", "-w", "gone")).exitCode).toBe(2);
  });

  test("without a configuration: says what is wrong with what was named, and how to begin", async () => {
    using dir = tempDir();
    const env = { HOME: dir.path, PAPAYU_HOME: join(dir.path, "own/h") };
    const sandbox = createSandbox(dir.path, "", env);
    const reasons = [
      ["nosuch", 'there is no folder "'],
      ["/", 'workspace "/": it is the root of the disk'],
      [dir.path, "it is your home folder"],
      [join(dir.path, "own"), "it holds the daemon's folder"],
    ] as const;
    for (const [named, reason] of reasons) {
      const { exitCode, stderr } = await sandbox.run("plan", "x", "-w", named);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(named);
      expect(stderr).toContain(reason);
      expect(stderr).toContain("papayu config set workspaces.NAME");
    }
    // What it says to type is all that it takes.
    mkdirSync(join(dir.path, "site"));
    const value = `{ path = "${dir.path}/site" }`;
    expect(await sandbox.run("config", "set", "workspaces.site", value)).toMatchObject({
      exitCode: 0,
    });
    expect((await sandbox.run("history", "-w", "site")).stdout).toContain("site (");
  });

  test("names a configured folder that is not there", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, WORKSPACE);
    const { exitCode, report } = await sandbox.json("plan", "x");
    expect(exitCode).toBe(2);
    expect(report).toMatchObject({
      error_code: "ERR_WORKSPACE_UNKNOWN",
      error: expect.stringContaining(join(dir.path, "notes")),
    });
  });
});

describe("an option that takes one value", () => {
  test.each([
    [["apply", "--patch", "a.diff", "--patch", "b.diff"], "--patch"],
    [["apply", "--goal", "x", "--goal=y", "--yes", "--yes"], "--goal"],
    [["history", "-w", "notes", "--workspace", "other"], "--workspace"],
    [["history", "--config", "config.toml", "--config", "other.toml"], "--config"],
  ])("%j is refused, and neither is taken", async (args, named) => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const { exitCode, report } = await sandbox.json(...args);
    expect({ exitCode, report }).toMatchObject({
      exitCode: 2,
      report: { error_code: "ERR_USAGE" },
    });
    expect(String(report["error"])).toContain(`${named} is given once`);
  });

  test("may be said twice, and flags as well", async () => {
    using dir = tempDir();
    const twice = ["history", "-w", "notes", "--workspace=notes", "--json", "--json"];
    expect((await prepare(dir.path).run(...twice)).exitCode).toBe(0);
  });
});

describe("papayu config check", () => {
  test("prints a warning once", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, `[telegram]\nbot_token = "1:literal"\n${WORKSPACE}`);
    const ran = await sandbox.run("config", "check");
    expect(ran.exitCode).toBe(0);
    expect((ran.stdout + ran.stderr).match(/telegram\.bot_token/g)).toHaveLength(1);
  });
});

describe("papayu config get and set", () => {
  test("read and write one key, as text and as JSON", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, `${WORKSPACE}[telegram]\nbot_token = "1:literal"\n`);
    expect((await sandbox.run("config", "get", "default.language")).stdout).toBe("en\n");
    expect((await sandbox.run("config", "set", "default.language", "ru")).stdout).toStartWith(
      'default.language = "ru"\n',
    );
    expect(await sandbox.json("config", "get", "workspaces.notes.check")).toMatchObject({
      exitCode: 0,
      report: { ok: true, key: "workspaces.notes.check", value: false },
    });
    const all = await sandbox.run("config", "get");
    expect(all.stdout).toContain('default.language = "ru"\n');
    expect(all.stdout).not.toContain("literal");
    expect(await sandbox.json("config", "set", "http.port", "0")).toMatchObject({
      exitCode: 0,
      report: { key: "http.port", value: 0, warnings: [expect.stringContaining("bot_token")] },
    });
  });

  test.each([
    [["get", "default.langage"], "ERR_USAGE"],
    [["get", "a", "b"], "ERR_USAGE"],
    [["set", "default.language"], "ERR_USAGE"],
    [["check", "x"], "ERR_USAGE"],
    [["set", "default.language", "xx"], "ERR_CONFIG_INVALID"],
  ])("refuse %j with %s", async (args, error_code) => {
    using dir = tempDir();
    const ran = await prepare(dir.path).json("config", ...args);
    expect(ran).toMatchObject({ exitCode: 2, report: { ok: false, error_code } });
  });
});

describe("papayu init", () => {
  test("writes a configuration once, for its owner", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const path = join(dir.path, "new/config.toml");
    const report = { ok: true, path };
    const first: unknown = await sandbox.json("init", "new");
    expect(first).toEqual({ exitCode: 0, report });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await sandbox.json("init", "new")).toMatchObject({
      exitCode: 2,
      report: { error_code: "ERR_USAGE" },
    });
  });

  test("says where it is in force when it is no file for everywhere", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const { stdout } = await sandbox.run("init", "new");
    expect(stdout).toContain(`in force for what you start in ${join(dir.path, "new")};`);
    expect(stdout).toContain(`papayu init ${sandbox.home} writes one`);
    expect((await sandbox.run("init", sandbox.home)).stdout).not.toContain("in force");
  });
});

describe("papayu demo", () => {
  test("plays the whole tour, as JSON too, and leaves nothing behind", async () => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "tmp"));
    // What a user has set must not spoil the tour.
    const env = {
      TMPDIR: join(dir.path, "tmp"),
      PAPAYU_PROTOCOL_VERSION: "junk",
      PATH: "/usr/bin:/bin",
    };
    const sandbox = prepare(dir.path, "", env);
    const { exitCode, report } = await sandbox.json("demo");
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({
      ok: true,
      steps: [
        { step: "plan", ok: true },
        { step: "preview", ok: true },
        { step: "apply", status: "committed", check: { ok: true } },
        { step: "plan", ok: true },
        {
          step: "failing apply",
          status: "rolled_back",
          error_code: "AUTO_CHECK_FAILED_ROLLED_BACK",
        },
        { step: "undo", status: "undone" },
      ],
    });
    const { stdout } = await sandbox.run("demo");
    expect(stdout).toEndWith("Next, in a folder of yours: papayu init.\n");
    expect(stdout).toContain("5. Undo");
    expect(readTree(join(dir.path, "tmp"))).toEqual({});
  });
});

describe("papayu ask", () => {
  test("shows nothing that could command a terminal", async () => {
    using dir = tempDir();
    await using model = startModelServer([{ kind: "text", text: "red \x1b[31m\x07 text" }]);
    const provider = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"\n`;
    const { stdout } = await prepare(dir.path, provider + WORKSPACE).run("ask", "hi");
    expect(stdout).toBe("red \\u{1b}[31m\\u{7} text\n");
  });

  test("takes unquoted words as one text", async () => {
    using dir = tempDir();
    await using model = startModelServer([{ kind: "text", text: "yes" }]);
    const provider = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"\n`;
    await prepare(dir.path, provider + WORKSPACE).run("ask", "are", "you", "there");
    expect(model.requests[0]?.body.messages.at(-1)?.content).toBe("are you there");
  });
});

describe("a home folder that exists", () => {
  test("is closed to others, and the database in it is the owner's", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    mkdirSync(sandbox.home, { recursive: true });
    chmodSync(sandbox.home, 0o755);
    await sandbox.run("plan", "add what a newcomer would miss");
    expect(statSync(sandbox.home).mode & 0o777).toBe(0o700);
    expect(statSync(join(sandbox.home, "state.db")).mode & 0o777).toBe(0o600);
  });
});

test.each([
  ["setup", "init"],
  ["Install", "init"],
  ["serve", "start"],
  ["stpo", "stop"],
])("papayu %s is told of %s", async (wrong, right) => {
  using dir = tempDir();
  const { exitCode, stderr } = await prepare(dir.path).run(wrong);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`did you mean "${right}"?`);
});

test.each([
  [["--probe", "--repair"], "--probe and --repair"],
  [["--repair", "--adopt", "--yes"], "--repair and --adopt"],
])("papayu doctor %j does neither", async (flags, both) => {
  using dir = tempDir();
  const { exitCode, stderr } = await prepare(dir.path).run("doctor", ...flags);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`Cannot do ${both} at once`);
});

test("papayu chat --session says when nothing is kept under an id, and only then", async () => {
  using dir = tempDir();
  const sandbox = prepare(dir.path);
  await using _daemon = await sandbox.host();
  const say = (text: string, ...more: string[]) =>
    sandbox.say(`${text}\n`, "chat", "--session", "cli_mine", ...more);
  expect((await say("/ws")).stderr).toBe(
    '(nothing is kept of a conversation "cli_mine": a new one begins)\n',
  );
  await say("plan: add a README");
  expect((await say("/ws")).stderr).toBe("");
  expect((await sandbox.say("/ws\n", "chat")).stderr).toBe("");
});
