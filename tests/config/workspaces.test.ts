import { expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { saidOf } from "../../src/channels/error-text.ts";
import { goneFolder } from "../../src/config/gone-folder.ts";
import { type LoadedConfig, loadConfig } from "../../src/config/load/load.ts";
import { rememberWorkspaces, resolveWorkspace } from "../../src/config/workspaces.ts";
import { AppError } from "../../src/core/app-error.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { resolvePath } from "../../src/workspace/path-guard/path-guard.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const CONFIG = `
[security]
protected_paths = ["keys/**"]
[retention]
history_days = 7
max_mb = 0
[[workspaces]]
name = "site"
path = "./projects/site"
check = [["bun", "test"]]
check_timeout_s = 5
check_network = true
max_actions = 7
check_when = "after"
keep = ["*.lock"]
generate = [["make", "lock"]]
generate_hosts = ["packages.example.com", ".example.org"]
on_failing_baseline = "refuse"
[[workspaces]]
name = "notes"
path = "~/notes"
check = false
`;

async function loadFile(root: string): Promise<LoadedConfig> {
  writeTree(root, {
    "etc/config.toml": CONFIG,
    "etc/projects/site/readme": "",
    "home/notes/readme": "",
    "work/other/readme": "",
  });
  const home = join(root, "home");
  const env = { PAPAYU_HOME: join(root, "work/daemon") };
  return await loadConfig({ path: "../etc/config.toml", cwd: join(root, "work"), home, env });
}

test("resolveWorkspace() finds a name, its path relative to the configuration file", async () => {
  using dir = tempDir();
  const loaded = await loadFile(dir.path);
  expect(resolveWorkspace(loaded, "site", "/")).toEqual({
    name: "site",
    entry: "site",
    root: join(dir.path, "etc/projects/site"),
    check: [["bun", "test"]],
    checkTimeoutMs: 5000,
    checkNetwork: true,
    maxActions: 7,
    checkWhen: "after",
    keep: ["*.lock"],
    generate: [["make", "lock"]],
    generateHosts: ["packages.example.com", ".example.org"],
    onFailingBaseline: "refuse",
    protectedPaths: ["keys/**"],
    homes: { person: join(dir.path, "home"), own: join(dir.path, "work/daemon") },
    undoLimits: { maxAgeMs: 7 * 86_400_000, maxBytes: Infinity },
  });
  const notes = { name: "notes", root: join(dir.path, "home/notes"), check: "none" };
  expect(resolveWorkspace(loaded, "notes", "/")).toMatchObject(notes);
});

test("resolveWorkspace() takes the first configured one when nothing is named", async () => {
  using dir = tempDir();
  expect(resolveWorkspace(await loadFile(dir.path), undefined, "/").name).toBe("site");
});

test("resolveWorkspace() takes an existing folder, links resolved", async () => {
  using dir = tempDir();
  const loaded = await loadFile(dir.path);
  symlinkSync(join(dir.path, "work/other"), join(dir.path, "work/link"));
  const workspace = resolveWorkspace(loaded, "link/", join(dir.path, "work"));
  expect(workspace).toEqual({
    name: "other",
    root: join(dir.path, "work/other"),
    check: "detect",
    checkTimeoutMs: 120_000,
    checkNetwork: false,
    maxActions: 0,
    checkWhen: "before",
    keep: [],
    generate: "detect",
    generateHosts: [],
    onFailingBaseline: "ask",
    protectedPaths: ["keys/**"],
    homes: { person: join(dir.path, "home"), own: join(dir.path, "work/daemon") },
    undoLimits: { maxAgeMs: 7 * 86_400_000, maxBytes: Infinity },
  });
});

test("resolveWorkspace() keeps the configuration of a folder named by its path", async () => {
  using dir = tempDir();
  const loaded = await loadFile(dir.path);
  const byPath = resolveWorkspace(loaded, "etc/projects/site", dir.path);
  expect(byPath).toEqual(resolveWorkspace(loaded, "site", "/"));
});

test("resolveWorkspace() refuses what is neither, and lists the names", async () => {
  using dir = tempDir();
  const loaded = await loadFile(dir.path);
  for (const name of ["sites", "etc/config.toml", "", "\0"]) {
    const known = expect.objectContaining({
      code: "ERR_WORKSPACE_UNKNOWN",
      message: expect.stringContaining("(configured: site, notes)"),
    });
    expect(() => resolveWorkspace(loaded, name, dir.path)).toThrow(known);
  }
  expect(() => resolveWorkspace(loaded, "~/gone", dir.path)).toThrow("there is no folder");
});

test("resolveWorkspace() refuses a configured folder that is gone", async () => {
  using dir = tempDir();
  const loaded = await loadFile(dir.path);
  const gone = { ...loaded, baseDir: join(dir.path, "elsewhere") };
  expect(() => resolveWorkspace(gone, "site", "/")).toThrow("there is no folder");
});

test("a configured folder that is gone is named once, with the file to mend, and suggested to nobody", async () => {
  using dir = tempDir();
  const loaded = await loadFile(dir.path);
  const path = join(dir.path, "etc/projects/site");
  const fail = (name: string | undefined) => {
    try {
      return resolveWorkspace(loaded, name, dir.path).root;
    } catch (error) {
      return error;
    }
  };
  expect(String(fail("sitte"))).toContain('did you mean "site"?');
  rmSync(path, { recursive: true });
  for (const name of ["site", undefined]) {
    const error = fail(name);
    const file = join(dir.path, "etc/config.toml");
    expect(goneFolder(error)).toEqual({ name: "site", path, file });
    const said = String(error);
    for (const part of ['"site"', path, file]) expect(said.split(part)).toHaveLength(2);
    expect(said).not.toContain("did you mean");
    for (const language of ["ru", "zh"] as const) {
      const own = error instanceof AppError ? saidOf(error, textsIn(language)) : undefined;
      for (const part of ["site", path, file]) expect(own).toContain(part);
    }
    expect(error instanceof AppError && saidOf(error, textsIn("en"))).toBeUndefined();
  }
  expect(String(fail("sitte"))).not.toContain("did you mean");
  expect(goneFolder(fail("sitte"))).toBeUndefined();
});

test("resolveWorkspace() says that nothing is configured", async () => {
  using dir = tempDir();
  const loaded = await loadConfig({ cwd: dir.path, home: dir.path, env: {} });
  expect(() => resolveWorkspace(loaded, undefined, dir.path)).toThrow(
    `papayu config set workspaces.NAME '{ path = "FOLDER" }'`,
  );
});

test("resolveWorkspace() refuses the disk, the home folder and what holds the daemon's folder", async () => {
  using dir = tempDir();
  const loaded = await loadFile(dir.path);
  const work = join(dir.path, "work");
  symlinkSync(join(dir.path, "home"), join(work, "sweet-home"));
  expect(() => resolveWorkspace(loaded, "/", work)).toThrow("root of the disk");
  expect(() => resolveWorkspace(loaded, "~", work)).toThrow("your home folder");
  expect(() => resolveWorkspace(loaded, "sweet-home", work)).toThrow("your home folder");
  expect(() => resolveWorkspace(loaded, ".", work)).toThrow("holds the daemon's folder");
  mkdirSync(join(work, "daemon"));
  expect(() => resolveWorkspace(loaded, "daemon", work)).toThrow("holds the daemon's folder");
  mkdirSync(join(work, "daemon/sessions"));
  expect(() => resolveWorkspace(loaded, "daemon/sessions", work)).toThrow("lies in the daemon's");
  mkdirSync(join(work, "daemon-twin"));
  expect(resolveWorkspace(loaded, "daemon-twin", work).name).toBe("daemon-twin");
});

test("resolveWorkspace() protects the configuration and the files of its secrets", async () => {
  using dir = tempDir();
  const config = `[telegram]\nbot_token = "file:${dir.path}/repo/to[ke]n*"\n`;
  writeTree(dir.path, { "repo/etc/papa.toml": config, "repo/conf/x": "", "repo/sub/etc/x": "" });
  symlinkSync("../etc/papa.toml", join(dir.path, "repo/conf/link.toml"));
  const root = join(dir.path, "repo");
  const loaded = await loadConfig({ path: "conf/link.toml", cwd: root, home: dir.path, env: {} });
  const workspace = resolveWorkspace(loaded, ".", root);
  const codes = [
    "etc/papa.toml",
    "conf/link.toml",
    "to[ke]n*",
    "ETC/papa.toml",
    "sub/etc/papa.toml",
    "token",
  ].map((path) => resolvePath(workspace, path, "write").ok);
  expect(codes).toEqual([false, false, false, false, true, true]);
  expect(resolvePath(workspace, "etc/papa.toml", "read")).toMatchObject({
    code: "ERR_PROTECTED_PATH",
  });
});

test("rememberWorkspaces() gives the same again, and never a folder that the name leads to no more", async () => {
  using dir = tempDir();
  const resolve = rememberWorkspaces(await loadFile(dir.path));
  const path = join(dir.path, "etc/projects/site");
  const site = resolve("site");
  expect(site.root).toBe(path);
  expect(resolve("site")).toBe(site);
  expect(resolve(undefined)).toBe(site);
  expect(resolve("notes").root).toBe(join(dir.path, "home/notes"));
  const other = join(dir.path, "work/other");
  expect(resolve(other).root).toBe(other);
  expect(() => resolve("work/other")).toThrow("it is not configured");
  renameSync(path, join(dir.path, "moved"));
  await new Promise(setImmediate); // a folder is looked at once a tick
  expect(() => resolve("site")).toThrow("there is no folder");
  symlinkSync(join(dir.path, "moved"), path);
  await new Promise(setImmediate);
  expect(resolve("site").root).toBe(join(dir.path, "moved"));
});
