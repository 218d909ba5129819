import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../e2e/papayu.ts";
import { MCP_SERVER } from "../support/mcp-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { areGone } from "../support/processes.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const WORKSPACE = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';

/** A server entry; `mark` finds its process. */
function entry(mark: string, more = ""): string {
  const args = JSON.stringify([MCP_SERVER, "", mark]);
  return `[mcp.servers.test]\ncommand = "${process.execPath}"\nargs = ${args}\nread_only_tools = ["echo", "environment"]\n${more}\n`;
}

function prepare(dir: string, config = "", env = {}): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  return createSandbox(dir, `${config}\n${WORKSPACE}`, env);
}

describe("papayu tool", () => {
  test("runs a tool of the workspace and prints its answer", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const ran: unknown = await sandbox.json("tool", "list_files", "{}");
    expect(ran).toEqual({ exitCode: 0, report: { ok: true, content: "a.txt" } });
    expect((await sandbox.run("tool", "read_file", '{"path":"a.txt"}')).stdout).toBe("1|x\n\n");
    expect(await sandbox.json("tool", "read_file", '{"path":"../config.toml"}')).toMatchObject({
      exitCode: 1,
      report: { ok: false, content: "", error_code: "denied", retryable: false },
    });
  });

  test("exits with 2 for an unknown tool and for arguments that do not fit", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const codes = [];
    for (const args of [["nonsense"], ["read_file"], ["read_file", "{"], ["read_file", "[]"]]) {
      const { exitCode, report } = await sandbox.json("tool", ...args);
      codes.push([exitCode, report["error_code"]]);
    }
    expect(codes.map(String)).toEqual([
      "2,not_found",
      "2,invalid_args",
      "2,invalid_args",
      "2,invalid_args",
    ]);
  });

  test("asks about what changes something: on a terminal, else it exits with 3", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const call = ["tool", "run_command", '{"argv":["touch","b.txt"]}'] as const;
    const isThere = () => Bun.file(join(dir.path, "notes/b.txt")).exists();
    expect(await sandbox.json(...call)).toMatchObject({
      exitCode: 3,
      report: { ok: false, error_code: "CONFIRM_REQUIRED" },
    });
    await using no = sandbox.terminal(...call);
    await no.waitFor(
      /run_command needs your approval[\s\S]*touch b\.txt[\s\S]*Run it\? \[y\/N\] /u,
    );
    no.type("n\r");
    expect(await no.exited).toBe(1);
    expect(await isThere()).toBe(false);
    await using yes = sandbox.terminal(...call);
    await yes.waitFor(/Run it\? \[y\/N\] /u);
    yes.type("y\r");
    expect(await yes.exited).toBe(0);
    expect(await isThere()).toBe(true);
    const readonly = prepare(dir.path, '[security]\nautonomy = "readonly"');
    expect(await readonly.json(...call)).toMatchObject({
      exitCode: 1,
      report: { error_code: "denied" },
    });
  });

  test("shows the diff of proposed changes, which asks by itself", async () => {
    using dir = tempDir();
    const proposed = await prepare(dir.path).run(
      "tool",
      "propose_changes",
      '{"goal":"add a README"}',
    );
    expect(proposed.exitCode).toBe(0);
    expect(proposed.stdout).toMatch(/README\.md[\s\S]*next: papayu apply /u);
    expect(await Bun.file(join(dir.path, "notes/README.md")).exists()).toBe(false);
  });

  test("runs a tool of an MCP server, whose process sees no secrets of ours and is gone after it", async () => {
    using dir = tempDir();
    const mark = `mcp-test-${crypto.randomUUID()}`;
    const config = entry(mark, 'env = { LEVEL = "debug", API_TOKEN = "env:THE_TOKEN" }');
    const sandbox = prepare(dir.path, config, { THE_TOKEN: "abcdef123", OTHER_TOKEN: "ghijkl" });
    const { exitCode, report } = await sandbox.json("tool", "mcp__test__environment", "{}");
    expect(exitCode).toBe(0);
    const { env, cwd } = JSON.parse(report["content"] ?? "");
    expect(env).toMatchObject({ LEVEL: "debug", API_TOKEN: "[secret]", PATH: expect.any(String) });
    expect(env).not.toHaveProperty("OTHER_TOKEN");
    expect(env).not.toHaveProperty("THE_TOKEN");
    expect(cwd).toBe(dir.path);
    expect(await areGone(mark)).toBe(true);
    expect(await sandbox.json("tool", "mcp__test__broken", "{}")).toMatchObject({
      exitCode: 3,
      report: { error_code: "CONFIRM_REQUIRED" },
    });
  });

  test("takes no server from files of a workspace", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const servers = { mcpServers: { evil: { command: "touch", args: [join(dir.path, "evil")] } } };
    writeTree(join(dir.path, "notes"), {
      "config.toml": '[mcp.servers.evil]\ncommand = "touch"\nargs = ["evil"]\n',
      ".mcp.json": JSON.stringify(servers),
      ".papa-yu/project.json": JSON.stringify({ ...servers, mcp: { servers } }),
      ".vscode/mcp.json": JSON.stringify({ servers: servers.mcpServers }),
    });
    const { report } = await sandbox.json("tools", "-w", "notes");
    expect(JSON.stringify(report)).not.toContain("evil");
    expect(await Bun.file(join(dir.path, "evil")).exists()).toBe(false);
  });
});

describe("papayu tools", () => {
  test("starts no server of a config.toml that it came across in the current folder", async () => {
    using dir = tempDir();
    const config = '[mcp.servers.evil]\ncommand = "touch"\nargs = ["evil"]';
    const sandbox = prepare(dir.path, config, { PAPAYU_CONFIG: "" });
    const isStarted = () => Bun.file(join(dir.path, "evil")).exists();
    for (const command of ["tools", "doctor"]) {
      const { stdout, stderr } = await sandbox.run(command);
      expect(stdout + stderr).toContain(
        "not taken from a file that is not trusted: mcp.servers.evil",
      );
    }
    expect(await isStarted()).toBe(false);
    await sandbox.run("tools", "--config", "config.toml");
    expect(await isStarted()).toBe(true);
  });

  test("lists tools with their schemas, those of MCP servers too", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, entry("x", 'allowed_tools = ["echo"]'));
    const { exitCode, report } = await sandbox.json("tools");
    expect(exitCode).toBe(0);
    const listed: unknown = report["tools"];
    expect(listed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "read_file", rare: false, outside: false }),
        {
          name: "mcp__test__echo",
          description: "Says it again",
          parameters: expect.objectContaining({ type: "object", required: ["text"] }),
          rare: true,
          outside: true,
          server: "test",
          tools_sha256: expect.stringMatching(/^[0-9a-f]{64}$/u),
        },
      ]),
    );
    const { stdout } = await sandbox.run("tools");
    expect(stdout).toContain("mcp__test__echo text [choice] [many]\n");
    expect(stdout).toMatch(/^mcp\.servers\.test\.tools_sha256 = "[0-9a-f]{64}"$/mu);
  });
});

describe("a command waits for MCP servers, having no later turn", () => {
  test("and says so while it does: ask has the tools of one that starts slowly", async () => {
    using dir = tempDir();
    await using model = startModelServer(({ body }) => {
      const offered = JSON.stringify(body.tools ?? []).includes("mcp__slow__echo");
      return { kind: "text", text: offered ? "It is there." : "It is not there." };
    });
    const sign = join(dir.path, "sign");
    const config = `[default]
provider = "m"
[providers.m]
base_url = "${model.url}"
model = "x"
[mcp.servers.slow]
command = "${process.execPath}"
args = ${JSON.stringify([MCP_SERVER, `after:${sign}`])}`;
    const { env } = prepare(dir.path, config);
    const command = [process.execPath, papayuProgram(), "ask", "hello", "-w", "notes"];
    const child = Bun.spawn(command, { cwd: dir.path, env, stdout: "pipe", stderr: "pipe" });
    let said = "";
    const decoder = new TextDecoder();
    for await (const piece of child.stderr) {
      said += decoder.decode(piece, { stream: true });
      if (said.includes('papayu: waiting for MCP server "slow"\n')) writeFileSync(sign, "");
    }
    expect(await new Response(child.stdout).text()).toBe("It is there.\n");
    expect(await child.exited).toBe(0);
  });

  test.each([
    { args: ["ask", "hello"] },
    { args: ["tools"] },
    { args: ["tool", "mcp__gone__echo", "{}"] },
  ])("$args says on stderr which are missing and why", async ({ args }) => {
    using dir = tempDir();
    const gone = '[mcp.servers.gone]\ncommand = "papayu-test-no-such-program"';
    const sandbox = prepare(dir.path, gone);
    const { stdout, stderr } = await sandbox.run(...args, "--json");
    expect(stderr).toMatch(
      /papayu: The tools of MCP server "gone" are missing: `.*papayu-test-no-such-program.*`/u,
    );
    expect(JSON.parse(stdout)).toHaveProperty("ok");
  });

  test("but not for a tool of papa-yu's own", async () => {
    using dir = tempDir();
    const mute = `[mcp.servers.mute]\ncommand = "${process.execPath}"\nargs = ${JSON.stringify([MCP_SERVER, "mute"])}`;
    const { stderr } = await prepare(dir.path, mute).run("tool", "list_files", "{}");
    expect(stderr).not.toContain("waiting");
  });
});

describe("papayu doctor", () => {
  test("names MCP servers that do not start, and tools they do not have", async () => {
    using dir = tempDir();
    const config = `${entry("x", 'allowed_tools = ["echo", "gone"]')}
[mcp.servers.broken]
command = "${process.execPath}"
args = ["${MCP_SERVER}", "fail"]
[mcp.servers.keyless]
url = "http://127.0.0.1:1/mcp"
bearer_token = "env:NOT_SET"
[mcp.servers.off]
command = "no-such-program"
enabled = false`;
    const { report } = await prepare(dir.path, config).json("doctor");
    const findings: readonly { name: string }[] = report["findings"] ?? [];
    expect(findings.filter(({ name }) => name.startsWith("MCP"))).toMatchObject([
      { name: "MCP server test", state: "warning", mend: expect.stringContaining("no gone") },
      {
        name: "MCP server broken",
        state: "failed",
        found: expect.stringContaining("the token is missing"),
      },
      {
        name: "MCP server keyless",
        state: "failed",
        found: expect.stringContaining('"env:NOT_SET"'),
      },
    ]);
  });
});
