import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { runConfigCheck, runConfigPath } from "../../src/cli/setup/config.ts";
import { runInit } from "../../src/cli/setup/init.ts";
import { loadConfig } from "../../src/config/load/load.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { failureOf } from "./support.ts";

function silent(): void {}

test("runInit() writes a file that loads to the defaults and a provider to fill in", async () => {
  using dir = tempDir();
  await runInit(join(dir.path, "new/folder"), silent);
  const cwd = join(dir.path, "new/folder");
  const options = { home: dir.path, env: {} };
  const loaded = await loadConfig({ ...options, cwd, path: "config.toml" });
  const defaults = await loadConfig({ ...options, cwd: dir.path });
  expect(loaded.warnings).toEqual([]);
  expect(loaded.config.providers["openai"]).toMatchObject({ api_key: "env:OPENAI_API_KEY" });
  expect({ ...loaded.config, providers: {} }).toEqual(defaults.config);
  expect(statSync(join(cwd, "config.toml")).mode & 0o777).toBe(0o600);
});

test("runInit() points editors at a schema that is there", async () => {
  using dir = tempDir();
  await runInit(dir.path, silent);
  const [first = ""] = readFileSync(join(dir.path, "config.toml"), "utf8").split("\n");
  expect(first).toBe("#:schema ./schemas/config.schema.json");
  const checkedIn = join(import.meta.dir, "../../schemas/config.schema.json");
  const written = readFileSync(join(dir.path, "schemas/config.schema.json"), "utf8");
  expect(written).toBe(readFileSync(checkedIn, "utf8"));
});

test("runInit() writes a file that still loads with every comment of a key taken away", async () => {
  using dir = tempDir();
  await runInit(dir.path, silent);
  const path = join(dir.path, "config.toml");
  writeTree(dir.path, {
    "config.toml": readFileSync(path, "utf8").replaceAll(/^# (?=\w+ = |\[)/gm, ""),
  });
  const { config } = await loadConfig({ path, cwd: dir.path, home: dir.path, env: {} });
  expect(config.workspaces[0]?.name).toBe("site");
  expect(config.routines.jobs[0]?.workspace).toBe("site");
  expect(config.providers["openai"]?.max_tokens).toBe(4096);
});

test("runInit() never overwrites", async () => {
  using dir = tempDir();
  writeTree(dir.path, { "config.toml": "# mine\n" });
  expect((await failureOf(runInit(dir.path, silent))).code).toBe("ERR_USAGE");
  expect(readFileSync(join(dir.path, "config.toml"), "utf8")).toBe("# mine\n");
  expect(readdirSync(dir.path)).toEqual(["config.toml"]);
});

test("runConfigCheck() says ok with the warnings, as text and as JSON", async () => {
  using dir = tempDir();
  writeTree(dir.path, { "config.toml": '[telegram]\nbot_token = "1:x"\n' });
  const text = await check(dir.path, false);
  expect(text.code).toBe(0);
  expect(text.out).toStartWith(`${dir.path}/config.toml: ok\nwarning: config.toml: telegram.`);
  const json = await check(dir.path, true);
  expect(JSON.parse(json.out)).toEqual({
    ok: true,
    path: join(dir.path, "config.toml"),
    found: null,
    problems: [],
    warnings: [expect.stringContaining("telegram.bot_token")],
    sources: { "telegram.bot_token": "file" },
  });
});

test("runConfigCheck() prints every problem and ends with 2", async () => {
  using dir = tempDir();
  writeTree(dir.path, { "config.toml": "[http]\nport = -1\n" });
  const text = await check(dir.path, false);
  expect(text.code).toBe(2);
  expect(text.out).toBe(
    "config.toml:2: http.port: found -1, allowed: an integer from 0 to 65535\n",
  );
  const json = await check(dir.path, true);
  expect(json.code).toBe(2);
  expect(JSON.parse(json.out)).toMatchObject({
    ok: false,
    path: join(dir.path, "config.toml"),
    problems: [{ file: "config.toml", line: 2, key: "http.port" }],
    error_code: "ERR_CONFIG_INVALID",
  });
});

test("papayu config check names folders that can never be a workspace, and warns of those that are not there", async () => {
  using dir = tempDir();
  writeTree(dir.path, { "notes.txt": "x\n", "site/a.txt": "x\n" });
  const folders = ["~", "/", "notes.txt", "nowhere", "site"];
  const entries = folders.map((path, at) => `[[workspaces]]\nname = "w${at}"\npath = "${path}"\n`);
  const wrong = await createSandbox(dir.path, entries.join("")).json("config", "check");
  expect(wrong).toMatchObject({ exitCode: 2, report: { error_code: "ERR_CONFIG_INVALID" } });
  const problems: unknown = wrong.report["problems"];
  expect(problems).toEqual([
    expect.objectContaining({ line: 3, message: expect.stringContaining("is your home folder") }),
    expect.objectContaining({ line: 6, message: expect.stringContaining("the root of the disk") }),
  ]);
  const right = createSandbox(dir.path, entries.slice(2).join(""));
  const { exitCode, report } = await right.json("config", "check");
  expect(exitCode).toBe(0);
  const warnings: unknown = report["warnings"];
  expect(warnings).toEqual([
    expect.stringMatching(/:3: workspaces\[0\]\.path: there is no folder ".*notes\.txt"$/u),
    expect.stringMatching(/:6: workspaces\[1\]\.path: there is no folder ".*nowhere"$/u),
  ]);
});

test("papayu config check and set warn of a glob that no file fits, and the routine waits for its time", async () => {
  using dir = tempDir();
  writeTree(dir.path, { "site/a.txt": "x\n" });
  const sandbox = createSandbox(
    dir.path,
    `[[workspaces]]
name = "site"
path = "site"

[[routines.jobs]]
name = "tidy"
schedule = "0 8 * * *"
workspace = "site"
task = "Tidy up"
watch = "/inbox/*.md"
only_if_changed = "glob:src/./x"
`,
  );
  const problem = "no file of a workspace fits";
  const checked = await sandbox.json("config", "check");
  expect(checked.exitCode).toBe(0);
  const warnings: unknown = checked.report["warnings"];
  expect(warnings).toEqual([
    expect.stringContaining(`:10: routines.jobs[0].watch: ${problem} "/inbox/*.md"`),
    expect.stringContaining(`:11: routines.jobs[0].only_if_changed: ${problem} "src/./x"`),
  ]);
  const { report } = await sandbox.json("routine", "list");
  expect(report).toMatchObject([{ name: "tidy", next_at: { length: 3 } }]);
  await sandbox.json("config", "set", "routines.jobs.tidy.only_if_changed", "true");
  const set = await sandbox.json("config", "set", "routines.jobs.tidy.watch", "../x");
  expect(set).toMatchObject({
    exitCode: 0,
    report: { warnings: [expect.stringContaining(`routines.jobs[0].watch: ${problem} "../x"`)] },
  });
  const other = await sandbox.json("config", "set", "http.port", "8123");
  expect(other.report).toMatchObject({ warnings: [] });
});

test("runConfigPath() names the file in force, and why it is that one", async () => {
  using dir = tempDir();
  const run = async (json: boolean, env: Record<string, string> = {}) => {
    let out = "";
    const load = () => loadConfig({ cwd: dir.path, home: dir.path, env });
    await runConfigPath({ load, json, stdout: (text) => void (out += text) });
    return out;
  };
  expect(JSON.parse(await run(true))).toEqual({
    path: null,
    origin: null,
    found: null,
    broken: null,
    ignored: [],
  });
  expect(await run(false)).toBe("built-in defaults\n  there is no file of yours\n");
  const path = join(dir.path, "config.toml");
  const text = '[http]\nhost = "0.0.0.0"\n[security]\nautonomy = "readonly"\n';
  writeTree(dir.path, { "config.toml": text });
  expect(await run(false)).toBe(
    `built-in defaults\n  there is no file of yours\n${path}\n  found in the current folder, not trusted: it can only make stricter\n  stricter by it: security.autonomy\n  not taken from it: http.host\n`,
  );
  expect(JSON.parse(await run(true))).toMatchObject({
    path: null,
    found: { path, stricter: ["security.autonomy"], not_taken: ["http.host"] },
    ignored: ["http.host"],
  });
  expect(await run(false, { PAPAYU_CONFIG: path })).toBe(`${path}\n  named by PAPAYU_CONFIG\n`);
});

async function check(cwd: string, json: boolean): Promise<{ code: number; out: string }> {
  let out = "";
  const path = join(cwd, "config.toml");
  const load = () => loadConfig({ path, cwd, home: cwd, env: {} });
  const code = await runConfigCheck({ load, json, stdout: (text) => void (out += text) });
  return { code, out };
}
