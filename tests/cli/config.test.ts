import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../e2e/papayu.ts";
import { startModelServer } from "../support/model-server.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const NOTES = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';

/** A folder whose config.toml nobody named. */
function comeAcross(dir: string, config: string, env: Record<string, string> = {}): Sandbox {
  writeTree(dir, { "notes/a.txt": "x\n" });
  return createSandbox(dir, config + NOTES, { PAPAYU_CONFIG: "", ...env });
}

function withModel(url: string): string {
  return `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${url}"\napi_key = "env:OWN_KEY"\nmodel = "x"\n`;
}

describe.concurrent("papayu config trust", () => {
  test("is what it takes until a key goes to the endpoint of a file that was only found", async () => {
    using dir = tempDir();
    await using model = startModelServer([{ kind: "text", text: "hello" }]);
    const sandbox = comeAcross(dir.path, withModel(model.url), { OWN_KEY: "sk-owner" });
    const warned = await sandbox.run("ask", "hi");
    expect(warned.stderr.match(/a file that is not trusted/g)).toHaveLength(1);
    expect(warned.stderr).toContain(
      "default.provider, providers.m, workspaces.notes.check; papayu config trust",
    );
    expect(model.requests).toHaveLength(0);

    const asked = await sandbox.run("config", "trust");
    expect(asked.exitCode).toBe(3);
    expect(asked.stderr).toContain(`providers.m.base_url = "${model.url}"`);
    expect(await sandbox.json("config", "trust", "--yes")).toMatchObject({
      exitCode: 0,
      report: { ok: true, keys: expect.arrayContaining(["default.provider", "providers.m.model"]) },
    });
    const trusted = await sandbox.run("ask", "hi");
    expect(trusted.stderr).not.toContain("trust");
    expect(trusted.stdout).toContain("hello");
    expect(model.requests).toHaveLength(1);
  });

  test("asks on a terminal, spells hidden characters out, and takes a no", async () => {
    using dir = tempDir();
    const sandbox = comeAcross(dir.path, '[security]\nallowed_commands = ["a\\u202eb"]\n');
    await using terminal = sandbox.terminal("config", "trust");
    const shown = await terminal.waitFor(/Trust this file\? \[y\/N\] /);
    expect(shown).toContain("security.allowed_commands");
    expect(shown).not.toContain("\u202e");
    terminal.type("n\r");
    expect(await terminal.exited).toBe(1);
    expect((await sandbox.run("config", "check")).stdout).toContain("not trusted");
  });

  test("is not asked of what papayu init wrote, nor after config set", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "", { PAPAYU_CONFIG: "" });
    await sandbox.run("init", "mine");
    const inMine = { ...sandbox.env, PWD: join(dir.path, "mine") };
    const run = (...args: string[]) => {
      const main = papayuProgram();
      const options = { cwd: join(dir.path, "mine"), env: inMine };
      return Bun.spawnSync([process.execPath, main, ...args], options);
    };
    expect(run("config", "set", "default.provider", "openai").exitCode).toBe(0);
    expect(run("config", "check").stdout.toString()).not.toContain("warning");
    expect(run("config", "get", "default.provider").stdout.toString()).toBe("openai\n");
  });
});

describe.concurrent("papayu config set", () => {
  test.each([
    ["security.autonomy", "full"],
    ["telegram.allowed_user_ids", "[]"],
    ["telegram.bot_token", "env:OTHER"],
    ["http.token", "env:OTHER"],
    ["http.host", "0.0.0.0"],
    ["telegram", "{ allowed_user_ids = [1] }"],
  ])("asks before %s = %s, or takes --yes", async (key, value) => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "# mine\n");
    const path = join(dir.path, "config.toml");
    expect(await sandbox.json("config", "set", key, value)).toMatchObject({
      exitCode: 3,
      report: { ok: false, error_code: "CONFIRM_REQUIRED" },
    });
    expect(readFileSync(path, "utf8")).toBe("# mine\n");
    expect((await sandbox.json("config", "set", key, value, "--yes")).exitCode).toBe(0);
    expect(readFileSync(path, "utf8")).not.toBe("# mine\n");
  });

  test("asks on a terminal, where anything but a yes changes nothing", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "# mine\n");
    await using terminal = sandbox.terminal("config", "set", "security.autonomy", "full");
    await terminal.waitFor(/Really set "security\.autonomy"\? \[y\/N\] /);
    terminal.type("\r");
    expect(await terminal.exited).toBe(1);
    expect(readFileSync(join(dir.path, "config.toml"), "utf8")).toBe("# mine\n");
    expect((await sandbox.run("config", "set", "security.autonomy", "readonly")).exitCode).toBe(0);
  });

  test("leaves the old file or the new one when it is killed, whenever that is", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "");
    const path = join(dir.path, "config.toml");
    const padding = "# padding\n".repeat(5000);
    const [before, after] = [5, 6].map(
      (n) => `${padding}[retention]\nhistory_days = ${n} # days\n`,
    );
    writeFileSync(path, before ?? "");
    const main = papayuProgram();
    const args = [process.execPath, main, "config", "set", "retention.history_days", "6"];
    const startedAt = performance.now();
    await Bun.spawn(args, { env: sandbox.env, stdout: "ignore" }).exited;
    const wholeMs = performance.now() - startedAt;
    for (let part = 1; part <= 5; part++) {
      writeFileSync(path, before ?? "");
      const child = Bun.spawn(args, { env: sandbox.env, stdout: "ignore" });
      await Bun.sleep(wholeMs * (0.5 + part / 10));
      child.kill("SIGKILL");
      await child.exited;
      expect([before, after]).toContain(readFileSync(path, "utf8"));
    }
  });
});

describe.concurrent("papayu config unset", () => {
  test("takes a key out, shows what holds then, and is quiet about one that is not there", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "[agent] # limits\nturn_timeout_s = 5 # short\n");
    const ran = await sandbox.run("config", "unset", "agent.turn_timeout_s");
    expect(ran).toMatchObject({ exitCode: 0, stdout: "agent.turn_timeout_s = 600\n" });
    const text = "[agent] # limits\n# short\n";
    expect(readFileSync(join(dir.path, "config.toml"), "utf8")).toBe(text);
    expect((await sandbox.run("config", "unset", "http.port")).exitCode).toBe(0);
    expect(readFileSync(join(dir.path, "config.toml"), "utf8")).toBe(text);
  });

  test("says what to do about an entry of an array of tables", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, `# mine\n${NOTES}`);
    const ran = await sandbox.run("config", "unset", "workspaces.notes");
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toContain('take the block out by hand, "config.toml" line 2');
    expect((await sandbox.run("config", "unset", "workspaces.notes.check")).exitCode).toBe(0);
  });
});
