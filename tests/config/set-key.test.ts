import { describe, expect, test } from "bun:test";
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setKey } from "../../src/config/edit/edit.ts";
import { parseKey, WHOLE_CONFIG } from "../../src/config/keys/key.ts";
import { readKey, renderKeys } from "../../src/config/keys/show-key.ts";
import { loadConfig } from "../../src/config/load/load.ts";
import { CONFIG_SCHEMA, type SchemaNode } from "../../src/config/schema/schema.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { failureOf, loadFrom } from "./support.ts";

const TEXT = `# mine
[security]
autonomy = "supervised" # ask me

[[workspaces]]
name = "my.site"
path = "."

[[routines.jobs]]
name = "tidy"
schedule = "0 8 * * *"
mode = "ask"
task = "Tidy"
`;

/** Sets one key of a file with this text; gives what the file holds then, or the failure. */
async function set(name: string, value: string, text = TEXT, env: Record<string, string> = {}) {
  using dir = tempDir();
  writeTree(dir.path, { "config.toml": text });
  const path = join(dir.path, "config.toml");
  const options = { path, cwd: dir.path, home: dir.path, env };
  const file = () => readFileSync(join(dir.path, "config.toml"), "utf8");
  try {
    const { warnings } = await setKey(options, name, value);
    return { text: file(), warnings, error: "" };
  } catch (error) {
    expect(file()).toBe(text);
    expect(readdirSync(dir.path)).toEqual(["config.toml"]);
    return { text: file(), warnings: [], error: String(error) };
  }
}

describe("setKey() writes", () => {
  test.each([
    ["security.autonomy", "full", 'autonomy = "supervised" # ask me', 'autonomy = "full" # ask me'],
    ["routines.jobs.tidy.enabled", "false", 'task = "Tidy"', 'task = "Tidy"\nenabled = false'],
    ["routines.jobs[0].task", '"A" 1', 'task = "Tidy"', 'task = "\\"A\\" 1"'],
    ['workspaces."my.site".check', "false", 'path = "."', 'path = "."\ncheck = false'],
    [
      'workspaces."my.site".check',
      '[["bun", "test"]]',
      'path = "."',
      'path = "."\ncheck = [["bun", "test"]]',
    ],
    [
      "agent.turn_timeout_s",
      "60",
      'task = "Tidy"\n',
      'task = "Tidy"\n\n[agent]\nturn_timeout_s = 60\n',
    ],
    [
      "providers.local",
      '{"base_url": "http://127.0.0.1:1/v1", "model": "m"}',
      'task = "Tidy"\n',
      'task = "Tidy"\n\n[providers.local]\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n',
    ],
    [
      "workspaces.notes",
      '{ path = "./notes" }',
      'task = "Tidy"\n',
      'task = "Tidy"\n\n[[workspaces]]\nname = "notes"\npath = "./notes"\n',
    ],
  ])("%s %s", async (name, value, before, after) => {
    const done = await set(name, value);
    expect(done.error).toBe("");
    expect(done.text).toBe(TEXT.replace(before, () => after));
  });

  test("the first entry of all", async () => {
    const { text } = await set("workspaces.a", '{ path = "~/a", name = "b" }', "# none\n");
    expect(text).toBe('# none\n\n[[workspaces]]\nname = "a"\npath = "~/a"\n');
    expect((await set("workspaces.a.path", "x", "")).error).toContain("no entry of that name");
  });

  test("a file that was wrong in this key, and so fixes it", async () => {
    expect((await set("http.port", "80", "[http]\nport = -1\n")).text).toBe("[http]\nport = 80\n");
  });

  test("nothing when the value is there already, and says so of the environment", async () => {
    expect((await set("security.autonomy", "supervised")).text).toBe(TEXT);
    const { warnings } = await set("protocol.version", "2", TEXT, { PAPAYU_PROTOCOL_VERSION: "3" });
    expect(warnings).toEqual(["protocol.version: the environment says otherwise, and wins"]);
  });
});

describe("setKey() leaves the file alone for", () => {
  test.each([
    ["agent.max_tool_iteration", "3", 'did you mean "max_tool_iterations"'],
    ["nonsense.key", "3", "it is unknown"],
    ["agent..x", "3", "no dotted name"],
    ["", "3", "no dotted name"],
    ["__proto__.x", "3", "no dotted name"],
    ["providers.constructor.prototype", "3", "it is unknown"],
    ["agent.turn_timeout_s", "0", "found 0, allowed: an integer from 1 to 86400"],
    ["agent.turn_timeout_s", "ten", 'found "ten"'],
    ['workspaces."my.site".keep', '["a", null]', "found"],
    ["agent.turn_timeout_s", "60\nother = 1", "found"],
    ["agent.turn_timeout_s", '60\n[security]\nautonomy = "full"', "found"],
    ["agent.turn_timeout_s", "2026-01-01", "allowed: an integer"],
    ["security.autonomy", "maximum", "config.toml:3: security.autonomy"],
    ["security", "{}", "one by one"],
    ["providers.local.model", "m", "base_url: missing"],
    ["default.provider", "nowhere", 'found "nowhere"'],
    ["routines.jobs.tidy.schedule", "often", "instead of 5 or 6"],
    ["routines.jobs.none.enabled", "true", "no entry of that name"],
    ["routines.jobs.none", "true", "no entry of that name"],
    ["workspaces", "[]", "by their name"],
    ['workspaces."my.site"', "{}", "one by one"],
    ["workspaces.x", '{"name": "my.site"}', "path: missing"],
    [
      "workspaces.x",
      '{ path = "~" }',
      'config.toml: workspaces[1].path: found "~", which is your home',
    ],
    ["workspaces.x", '{ path = "/" }', "is the root of the disk"],
    ["workspaces.x", '{ path = "~/.papa-yu" }', "holds the daemon's folder"],
    ['workspaces."my.site".path', "~/.papa-yu/x", "config.toml:7: workspaces[0].path: found"],
    ["security.http_strip_threshold_kb", "-1", "config.toml:2: security.http_strip"],
    ["agent.turn_timeout_s", "nan", "config.toml: agent.turn_timeout_s: found nan"],
    ["agent.max_cost_per_day", "inf", "found inf, allowed: a number"],
    ["agent.turn_timeout_s", "[2026-01-01]", 'found ["2026-01-01'],
    ['workspaces."my.site".check', "[[]]", "found [[]], allowed"],
    ['workspaces."my.site".check', "[{}]", "found an array of tables, allowed"],
  ])("%s = %j", async (name, value, reason) => {
    expect((await set(name, value)).error).toContain(reason);
  });

  test("a text that is no TOML, or is not UTF-8", async () => {
    expect((await set("http.port", "80", '[http\nkey = "sk-secret"')).error).toContain(
      "config.toml:1",
    );
    using dir = tempDir();
    const options = { cwd: dir.path, home: dir.path, env: {} };
    writeTree(dir.path, { "config.toml": new Uint8Array([0xff, 0xfe, 0x41]) });
    const named = { ...options, path: "config.toml" };
    expect((await failureOf(setKey(named, "http.port", "80"))).code).toBe("ERR_CONFIG_PARSE");
    expect([...readFileSync(join(dir.path, "config.toml"))]).toEqual([0xff, 0xfe, 0x41]);
  });
});

test("setKey() begins the file of the daemon's folder where no file is, and only for what is right", async () => {
  using dir = tempDir();
  const options = { cwd: dir.path, home: dir.path, env: {} };
  const wrong = await failureOf(setKey(options, "workspaces.site", "{ path = 1 }"));
  expect(wrong.code).toBe("ERR_CONFIG_INVALID");
  expect(readTree(dir.path)).toEqual({});
  writeTree(dir.path, { "site/a.txt": "x\n" });
  const { path } = await setKey(options, "workspaces.site", '{ path = "~/site" }');
  expect(path).toBe(join(dir.path, ".papa-yu/config.toml"));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  // In force wherever one is.
  const { config } = await loadConfig({ ...options, cwd: join(dir.path, "site") });
  expect(config.workspaces.map(({ name }) => name)).toEqual(["site"]);
});

test("setKey() warns of a folder that is not there, which may come", async () => {
  const { error, warnings } = await set("workspaces.x", '{ path = "nowhere" }');
  expect(error).toBe("");
  expect(warnings).toEqual([
    expect.stringMatching(/^workspaces\[1\]\.path: there is no folder ".*nowhere"$/u),
  ]);
});

test("setKey() writes behind a link and keeps mode, byte-order mark and line ends", async () => {
  using dir = tempDir();
  writeTree(dir.path, { "real/c.toml": "\uFEFF[http]\r\nport = 1\r\n" });
  chmodSync(join(dir.path, "real/c.toml"), 0o640);
  symlinkSync("real/c.toml", join(dir.path, "config.toml"));
  const path = join(dir.path, "config.toml");
  await setKey({ path, cwd: dir.path, home: dir.path, env: {} }, "http.port", "2");
  const bytes = readFileSync(join(dir.path, "real/c.toml"));
  expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)).toBe(
    "\uFEFF[http]\r\nport = 2\r\n",
  );
  expect(statSync(join(dir.path, "real/c.toml")).mode & 0o777).toBe(0o640);
  expect(lstatSync(join(dir.path, "config.toml")).isSymbolicLink()).toBe(true);
  expect(readdirSync(join(dir.path, "real"))).toEqual(["c.toml"]);
});

test("setKey() loses no key when several are set at once: a late one is refused", async () => {
  using dir = tempDir();
  writeTree(dir.path, { "config.toml": "# mine\n" });
  const path = join(dir.path, "config.toml");
  const options = { path, cwd: dir.path, home: dir.path, env: {} };
  const keys = ["http.port", "agent.turn_timeout_s", "context.max_files", "retention.history_days"];
  const outcomes = await Promise.allSettled(keys.map((key) => setKey(options, key, "7")));
  const { config } = await loadConfig(options);
  const seven = [
    config.http.port,
    config.agent.turn_timeout_s,
    config.context.max_files,
    config.retention.history_days,
  ].map((value) => value === 7);
  expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual(seven);
  expect(seven).toContain(true);
});

test("readKey() masks secrets, and addresses that hold them, but no reference", async () => {
  const { config } = await loadFrom(`
[telegram]
bot_token = "12345:literal-token"
api_root = "https://me:pass@bot.example/x?key=abc#y"
[providers.p]
base_url = "https://p.example/v1"
api_key = "env:P_KEY"
model = "m"
`);
  const all = renderKeys(readKey(config, WHOLE_CONFIG));
  expect(all).toContain('telegram.bot_token = "[secret]"');
  expect(all).toContain('telegram.api_root = "https://[secret]@bot.example/x?[secret]"');
  expect(all).toContain('providers.p.api_key = "env:P_KEY"');
  expect(all.join("\n")).not.toMatch(/literal-token|pass@|abc/);
});

test("readKey() finds every key of a full configuration, and setKey() takes it back", async () => {
  using dir = tempDir();
  writeTree(dir.path, { "config.toml": TEXT });
  const path = join(dir.path, "config.toml");
  const options = { path, cwd: dir.path, home: dir.path, env: {} };
  const before = await loadConfig(options);
  for (const line of renderKeys(readKey(before.config, WHOLE_CONFIG))) {
    const [name = "", ...rest] = line.split(" = ");
    const key = parseKey(name);
    if (!key.ok) throw new Error(key.message);
    const value = readKey(before.config, key);
    if (isEmptyTableList(key.node)) continue;
    await setKey(options, name, typeof value === "string" ? value : rest.join(" = "));
  }
  expect((await loadConfig(options)).config).toEqual(before.config);
  expect(readFileSync(join(dir.path, "config.toml"), "utf8")).toContain("# ask me");
});

function isEmptyTableList({ items }: SchemaNode): boolean {
  return items?.type === "object";
}

test("every table of the schema can be named by parseKey()", () => {
  for (const name of Object.keys(CONFIG_SCHEMA.properties ?? {})) {
    expect(parseKey(name)).toMatchObject({ ok: true, steps: [name] });
  }
});
