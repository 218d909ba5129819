import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "../../src/security/redact/redact.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { createConfigTool } from "../../src/tools/config.ts";
import type { ToolArguments } from "../../src/tools/tool.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const TEXT = `# mine
[default]
language = "en" # for now
[telegram]
bot_token = "1234567:literal-token"
[[workspaces]]
name = "notes"
path = "."
`;

function open(text = TEXT) {
  const dir = tempDir();
  writeTree(dir.path, { "config.toml": text });
  const path = join(dir.path, "config.toml");
  const options = { path, cwd: dir.path, home: dir.path, env: {} };
  const { redact } = createRedactor();
  const tool = createConfigTool({ options, redact, texts: textsIn("en").config });
  return {
    tool,
    async run(args: ToolArguments) {
      const result = await tool.run(args, new AbortController().signal, "call_1");
      return result.ok ? result.content : `${result.errorCode}: ${result.error}`;
    },
    file: () => readFileSync(join(dir.path, "config.toml"), "utf8"),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

describe("config", () => {
  test("lists, gets and sets, and shows no secret", async () => {
    using scene = open();
    const all = await scene.run({ action: "list" });
    expect(all).toContain('default.language = "en"');
    expect(all).toContain('workspaces.notes.path = "."');
    expect(all).not.toContain("literal-token");
    expect(await scene.run({ action: "get", key: "telegram.bot_token" })).toBe(
      'telegram.bot_token = "[secret]"',
    );
    expect(await scene.run({ action: "get", key: "telegram" })).not.toContain("literal-token");
    expect(await scene.run({ action: "set", key: "default.language", value: "ru" })).toBe(
      'Written; it takes effect within a second:\ndefault.language = "ru"',
    );
    expect(scene.file()).toBe(TEXT.replace('"en"', '"ru"'));
    expect(await scene.run({ action: "get", key: "default.language" })).toBe(
      'default.language = "ru"',
    );
  });

  test.each([
    [{ action: "write" }, "invalid_args"],
    [{ action: "set", key: "default.language" }, "invalid_args"],
    [{ action: "set", value: "x" }, "invalid_args"],
    [{ action: "get", key: "default.langage" }, 'did you mean "language"'],
    [{ action: "set", key: "default.language", value: "xx" }, "invalid_args"],
    [{ action: "set", key: "telegram.bot_token", value: "1234567:abc" }, "denied"],
    [
      {
        action: "set",
        key: "providers.p",
        value: '{"base_url": "https://p.example/v1", "model": "m", "api_key": "plain"}',
      },
      "denied",
    ],
    [{ action: "set", key: "telegram.api_root", value: "https://me:pass@x.example" }, "denied"],
    [{ action: "set", key: "default.provider", value: "sk-abcdefghijklmnop1234" }, "denied"],
  ])("answers %j with %s", async (args, answer) => {
    using scene = open();
    const said = await scene.run(args);
    expect(said).toContain(answer);
    expect(said).not.toMatch(/plain|pass@|sk-abc/);
    expect(scene.file()).toBe(TEXT);
  });

  const PIN = new Bun.CryptoHasher("sha256").update("list").digest("hex");
  test.each([
    ["mcp.servers.own.tools_sha256", PIN],
    ["mcp.servers.own", `{ command = "c", tools_sha256 = "${PIN}" }`],
    ["mcp.servers", `{ own = { command = "c", tools_sha256 = "${PIN}" } }`],
    ["mcp", `{ servers = { own = { command = "c", tools_sha256 = "${PIN}" } } }`],
  ])("never takes the list of a server for the owner's word: %s", async (key, value) => {
    const text = `${TEXT}[mcp.servers.own]\ncommand = "c"\n`;
    using scene = open(text);
    expect(await scene.run({ action: "set", key, value })).toContain(
      'denied: Cannot set "mcp.servers.own.tools_sha256" from a chat',
    );
    expect(scene.file()).toBe(text);
  });

  test("leaves a broken file alone and quotes nothing of it", async () => {
    const broken = '[telegram\nbot_token = "1234567:literal-token"\n';
    using scene = open(broken);
    const said = await scene.run({ action: "set", key: "default.language", value: "ru" });
    expect(said).toStartWith("invalid_args: config.toml:1");
    expect(said).not.toContain("literal-token");
    expect(scene.file()).toBe(broken);
  });
});

describe("the effect of config", () => {
  using scene = open();
  const { tool } = scene;

  test.each(["list", "get", "SET", "", undefined])("is none for the action %p", (action) => {
    expect(tool.effect({ action, key: "security.autonomy", value: "full" })).toBe("none");
  });

  test.each([
    "default.language",
    "default.temperature",
    "context.max_files",
    "routines.jobs.tidy.enabled",
    "trace.enabled",
  ])("is a change for %p", (key) => {
    expect(tool.effect({ action: "set", key, value: "x" })).toBe("rule");
  });

  test.each([
    "security.autonomy",
    ' "security".autonomy ',
    "security",
    "telegram.allowed_user_ids",
    "providers.openai.base_url",
    "providers",
    "default.provider",
    "default",
    "agent.max_cost_per_day",
    "agent",
    "http.token",
    "workspaces.notes.check",
    "workspaces[0].path",
    "online_research.api_key",
    "online_research",
    "retention.history_days",
    "sandbox.max_memory_mb",
    "sandbox",
    "mcp.files.command",
    "security .autonomy",
    "__proto__.x",
    "",
    undefined,
  ])("is a person's decision for %p", (key) => {
    expect(tool.effect({ action: "set", key, value: "x" })).toBe("person");
  });

  test("is described in full", () => {
    const args = { action: "set", key: "security.autonomy", value: 'full"\n' };
    expect(tool.describe?.(args)).toBe(
      'Set "security.autonomy" in papa-yu\'s configuration to "full\\"\\n"',
    );
  });
});
