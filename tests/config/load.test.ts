import { expect, test } from "bun:test";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config/load/load.ts";
import { needs } from "../support/needs.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { failureOf, loadFrom, problemsOf } from "./support.ts";

const PROVIDER = '[providers.x]\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n';

/** Linux calls it a file of 0 bytes; it goes on for ever. */
const ENDLESS = "/proc/self/pagemap";

test("loadConfig() without a file gives the built-in defaults", async () => {
  using dir = tempDir();
  const loaded = await loadConfig({ cwd: dir.path, home: dir.path, env: {} });
  expect(loaded.source.path).toBeUndefined();
  expect(loaded.baseDir).toBe(dir.path);
  expect(loaded.home).toBe(join(dir.path, ".papa-yu"));
  expect(loaded.warnings).toEqual([]);
  expect(loaded.config.default).toEqual({ provider: "offline", temperature: 0.2, language: "en" });
  expect(loaded.config.providers).toEqual({});
  expect(loaded.config.workspaces).toEqual([]);
  expect(loaded.config.routines.jobs).toEqual([]);
  expect(loaded.config.context.max_files).toBe(0);
  expect(loaded.config.security.allowed_commands).toContain("git");
});

test("loadConfig() gives every load its own defaults", async () => {
  using dir = tempDir();
  const options = { cwd: dir.path, home: dir.path, env: {} };
  const first = await loadConfig(options);
  first.config.security.allowed_commands.push("rm");
  expect((await loadConfig(options)).config.security.allowed_commands).not.toContain("rm");
});

test("loadConfig() fills in the defaults of workspaces, routines and providers", async () => {
  const { config } = await loadFrom(
    `${PROVIDER}[[workspaces]]\nname = "a"\npath = "a"\n` +
      '[[routines.jobs]]\nname = "j"\nschedule = "*/5 * * * *"\nworkspace = "a"\ntask = "t"\n',
  );
  expect(config.providers["x"]).toEqual({
    base_url: "http://127.0.0.1:1/v1",
    api_key: "",
    model: "m",
    extract_model: "",
    strict_json: true,
  });
  expect(config.workspaces[0]).toMatchObject({ check: [], check_timeout_s: 120, max_actions: 0 });
  expect(config.routines.jobs[0]).toMatchObject({ mode: "plan", misfire: "once", enabled: true });
});

test("loadConfig() looks in --config, $PAPAYU_CONFIG, the current and the daemon's folder", async () => {
  using dir = tempDir();
  writeTree(dir.path, {
    "cli.toml": language("ru"),
    "env.toml": language("zh"),
    "work/config.toml": language("ru"),
    "home/.papa-yu/config.toml": language("zh"),
    "other/config.toml": language("ru"),
    "empty/readme": "",
  });
  const at = (...parts: string[]) => join(dir.path, ...parts);
  const home = at("home");
  const pathOf = async (options: { path?: string; cwd: string; env?: Record<string, string> }) => {
    const {
      source: { path, found },
    } = await loadConfig({ home, env: {}, ...options });
    return found ? `${path} ${found.path}` : path;
  };
  const env = { PAPAYU_CONFIG: "../env.toml" };
  expect(await pathOf({ cwd: at("work"), env, path: "../cli.toml" })).toBe(at("cli.toml"));
  expect(await pathOf({ cwd: at("work"), env })).toBe(at("env.toml"));
  expect(await pathOf({ cwd: at("work") })).toBe(
    `${at("home/.papa-yu/config.toml")} ${at("work/config.toml")}`,
  );
  expect(await pathOf({ cwd: at("empty") })).toBe(at("home/.papa-yu/config.toml"));
  const daemon = { PAPAYU_HOME: at("other") };
  expect(await pathOf({ cwd: at("empty"), env: daemon })).toBe(at("other/config.toml"));
  expect(await pathOf({ cwd: home, path: "~/.papa-yu/config.toml" })).toBe(
    at("home/.papa-yu/config.toml"),
  );
});

test("loadConfig() takes MCP servers from a named file or the daemon's folder, not from one it came across", async () => {
  using dir = tempDir();
  const servers = (name: string) => `[mcp.servers.${name}]\ncommand = "x"\n`;
  writeTree(dir.path, {
    "checkout/config.toml": servers("evil"),
    "home/.papa-yu/config.toml": servers("own"),
    "empty/readme": "",
  });
  const [checkout, home] = [join(dir.path, "checkout"), join(dir.path, "home")];
  const load = async (options: { path?: string; cwd: string; env?: Record<string, string> }) => {
    const { config, warnings } = await loadConfig({ home, env: {}, ...options });
    return { servers: Object.keys(config.mcp.servers), warnings };
  };
  expect(await load({ cwd: checkout })).toEqual({
    servers: ["own"],
    warnings: [
      "config.toml: not taken from a file that is not trusted: mcp.servers.evil; papayu config trust shows what it would change and asks",
    ],
  });
  const named = { servers: ["evil"], warnings: [] };
  expect(await load({ cwd: checkout, path: "config.toml" })).toEqual(named);
  expect(await load({ cwd: checkout, env: { PAPAYU_CONFIG: "config.toml" } })).toEqual(named);
  const own = { servers: ["own"], warnings: [] };
  expect(await load({ cwd: join(dir.path, "empty") })).toEqual(own);
  expect(await load({ cwd: join(home, ".papa-yu") })).toEqual(own);
});

test("loadConfig() refuses a named file that is not there", async () => {
  using dir = tempDir();
  const options = { cwd: dir.path, home: dir.path, env: {} };
  const missing = { code: "ERR_CONFIG_PARSE", message: expect.stringContaining("no such file") };
  expect(await failureOf(loadConfig({ ...options, path: "nope.toml" }))).toMatchObject(missing);
  const env = { PAPAYU_CONFIG: "/nowhere/config.toml" };
  expect(await failureOf(loadConfig({ ...options, env }))).toMatchObject(missing);
});

test("loadConfig() accepts a byte order mark and CRLF", async () => {
  const { config } = await loadFrom('\uFEFF[default]\r\nlanguage = "ru"\r\n');
  expect(config.default.language).toBe("ru");
  const [problem] = await problemsOf("\uFEFF[default]\r\nlanguage = 1\r\n");
  expect(problem).toMatchObject({ line: 2, key: "default.language" });
});

test.each([
  ["a syntax error", "[default]\nprovider = \n", 2],
  ["a duplicate key", '[default]\nprovider = "offline"\nprovider = "offline"\n', 3],
  ["a duplicate table", "[default]\n[default]\n", 2],
  ["a key that reaches for the prototype", "[__proto__]\nx = 1\n", 1],
  ["an integer that no number holds", "[agent]\nmax_tokens_per_day = 99999999999999999999\n", 2],
])("loadConfig() refuses %s with its line", async (_, text, line) => {
  const [problem, ...rest] = await problemsOf(text, "ERR_CONFIG_PARSE");
  expect(rest).toEqual([]);
  expect(problem).toMatchObject({ file: "config.toml", line });
});

test("loadConfig() quotes nothing of a broken file, which may hold a secret", async () => {
  const [problem] = await problemsOf('[telegram]\nbot_token = "12345:SECRET\n', "ERR_CONFIG_PARSE");
  expect(JSON.stringify(problem)).not.toContain("SECRET");
});

test("loadConfig() refuses bytes that are not UTF-8, a huge file and a folder", async () => {
  using dir = tempDir();
  const cases: [string, Uint8Array | string, string][] = [
    ["latin1", Uint8Array.from([0x61, 0x20, 0x3d, 0x20, 0x22, 0xe9, 0x22]), "not valid UTF-8"],
    ["huge", "# padding\n".repeat(200_000), "at most 1048576 are read"],
    ["folder/inner", "", "not a file"],
  ];
  for (const [name, content, reason] of cases) {
    writeTree(dir.path, { [name]: content });
    const [path = ""] = name.split("/");
    const load = loadConfig({ path, cwd: dir.path, home: dir.path, env: {} });
    const expected = { code: "ERR_CONFIG_PARSE", message: expect.stringContaining(reason) };
    expect(await failureOf(load)).toMatchObject(expected);
  }
});

test.if(needs(ENDLESS, existsSync(ENDLESS)))(
  "loadConfig() reads no more of a file than it may be long, whatever size it says",
  async () => {
    using dir = tempDir();
    symlinkSync(ENDLESS, join(dir.path, "config.toml"));
    const load = loadConfig({ path: "config.toml", cwd: dir.path, home: dir.path, env: {} });
    expect(await failureOf(load)).toMatchObject({
      code: "ERR_CONFIG_PARSE",
      message: expect.stringMatching(/at most 1048576 are read|cannot be read/u),
    });
  },
);

test("loadConfig() resolves PAPAYU_HOME against the current folder and ~", async () => {
  using dir = tempDir();
  const options = { cwd: join(dir.path, "work"), home: dir.path };
  const homeOf = async (PAPAYU_HOME: string) => {
    return (await loadConfig({ ...options, env: { PAPAYU_HOME } })).home;
  };
  expect(await homeOf("daemon")).toBe(join(dir.path, "work/daemon"));
  expect(await homeOf("~/daemon")).toBe(join(dir.path, "daemon"));
  expect(await homeOf("")).toBe(join(dir.path, ".papa-yu"));
});

test("loadConfig() warns of secrets in plain sight without showing them", async () => {
  const { warnings } = await loadFrom(
    `${PROVIDER}api_key = "sk-very-secret"\n[telegram]\nbot_token = "file:~/token"\n`,
  );
  expect(warnings).toEqual([
    'config.toml: providers.x.api_key: a secret in plain sight; use "env:NAME" or "file:PATH"',
  ]);
});

test("loadConfig() loads the checkout's own config.toml", async () => {
  const cwd = join(import.meta.dir, "../..");
  const { config, warnings } = await loadConfig({ cwd, home: "/nonexistent", env: {} });
  expect(warnings).toEqual([]);
  expect(config.default.provider).toBe("offline");
  expect(config.workspaces.map(({ name }) => name)).toEqual(["sample"]);
  expect(config.routines.jobs).toEqual([]);
});

function language(code: string): string {
  return `[default]\nlanguage = "${code}"\n`;
}
