import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { COMMANDS } from "../../src/cli/commands.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { bareEnvironment, install, loadPage, PAGE, pack } from "./installed.ts";

const dir = tempDir("papayu-test-package-");
afterAll(() => dir[Symbol.dispose]());
const packed = pack(dir.path);
const app = join(dir.path, "app");
const modules = install(packed.path, app);
const env = bareEnvironment(join(dir.path, "home"));
const papayu = join(modules, ".bin/papayu");

function run(...args: readonly string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([papayu, ...args], { cwd: app, env });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

describe("the package", () => {
  test("has what runs and what is imported, no sources and no tests, in 1.5 MB", () => {
    const expected =
      /^(?:bin\/papayu|dist\/program\/[\w.-]+\.js|dist\/program\/page\/[\w.-]+\.br|dist\/papayu\.1|dist\/library\/(?:[\w-]+\.js|types\/[\w/.-]+\.d\.ts)|skills\/.*|workspaces\/sample\/.*|schemas\/\w[\w.]*\.json|package\.json|README\.md|LICENSE)$/u;
    expect(packed.files.filter((path) => !expected.test(path))).toEqual([]);
    expect(packed.files).toContain("dist/program/main.js");
    expect(packed.files).toContain("skills/release-notes/SKILL.md");
    expect(packed.bytes).toBeLessThan(1_500_000);
  });

  test("needs Bun and nothing else, and may be published", () => {
    expect(packageJson).not.toHaveProperty("private");
    expect(Object.keys(packageJson.dependencies)).toEqual(["bun"]);
    const scanner = new Bun.Transpiler({ loader: "js" });
    const named = packed.files
      .filter((path) => path.endsWith(".js"))
      .flatMap((path) => scanner.scanImports(readFileSync(join(modules, "papayu", path))))
      .map(({ path }) => path)
      .filter((path) => !path.startsWith("./"));
    expect(named).toContain("bun:sqlite");
    expect(named.filter((name) => !isBuiltin(name))).toEqual([]);
  });

  test("has a manual page with every command, in which no text is a request", () => {
    const page = readFileSync(join(modules, "papayu/dist/papayu.1"), "utf8");
    const requests = /^[.'].*$/gmu;
    const known = /^\.(?:TH PAPAYU 1 .*|SH [A-Z ]+|TP|B papayu.*|I (?:COMMAND|~\/.*))$/u;
    expect(
      [...page.matchAll(requests)].map(([line]) => line).filter((line) => !known.test(line)),
    ).toEqual([]);
    const text = page.replaceAll("\\-", "-").replaceAll("...", "…");
    const missing = Object.values(COMMANDS).filter(
      ({ usage }) => !text.includes(`.B papayu ${usage}\n`),
    );
    expect(missing).toEqual([]);
  });

  test("puts its manual page where man looks, and papayu on the path, when npm installs it", () => {
    // Without what it depends on and its scripts: there is no registry here, and npm links the rest.
    const own = join(dir.path, "linked/papayu");
    cpSync(join(modules, "papayu"), own, { recursive: true });
    const {
      dependencies: _,
      scripts: __,
      ...described
    } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
    writeTree(own, { "package.json": JSON.stringify(described) });
    const prefix = join(dir.path, "prefix");
    const made = Bun.spawnSync(["npm", "pack", "--offline", "--silent"], { cwd: own });
    const tarball = join(own, made.stdout.toString().trim());
    const argv = ["npm", "install", "--global", "--offline", "--prefix", prefix, tarball];
    const { exitCode, stderr } = Bun.spawnSync(argv, { cwd: dir.path, env });
    expect({ exitCode, stderr: stderr.toString() }).toMatchObject({ exitCode: 0 });
    const page = readFileSync(join(prefix, "share/man/man1/papayu.1"), "utf8");
    expect(page).toStartWith(".TH PAPAYU 1 ");
    expect(existsSync(join(prefix, "bin/papayu"))).toBe(true);
  });

  test("says which version it is, and how it was made", () => {
    const { exitCode, stdout } = run("version", "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      version: packageJson.version,
      form: "package",
      bun: Bun.version,
    });
  });

  test("shows the demo where there is no Bun but its own", () => {
    const { exitCode, stdout, stderr } = run("demo");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("✓ Undone in sample: 4 changes");
  });

  test("makes a configuration, plans, applies, undoes and looks after itself", async () => {
    writeTree(join(app, "project"), { "package.json": '{"name":"p"}\n', "a.txt": "x\n" });
    expect(run("init").exitCode).toBe(0);
    const goal = ["--goal", "add what a newcomer would miss", "-w", "./project", "--yes"];
    expect(run("apply", ...goal).stdout).toContain("✓ Applied");
    expect(run("undo", "-w", "./project").stdout).toContain("✓ Undone");
    const { exitCode, stdout } = run("doctor");
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect(stdout).toContain("skills: release-notes");
  });

  test("asks a model, and starts and stops a daemon that goes on without it", async () => {
    await using model = startModelServer([{ kind: "text", text: "hello from the model" }]);
    const provider = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"\n[http]\nport = 0\n`;
    await Bun.write(join(app, "asked.toml"), provider);
    const config = ["--config", join(app, "asked.toml")];
    const asked = Bun.spawn([papayu, "ask", "hi", ...config], { cwd: app, env });
    expect(await asked.exited).toBe(0);
    expect(run("start", "--detach", ...config)).toMatchObject({ exitCode: 0 });
    expect(run("status", ...config).stdout).toContain("has been running for");
    const page = await loadPage(run("open", "--print", ...config).stdout.trim());
    expect(page.map((file) => file.split("\n")[0])).toEqual(PAGE);
    expect(run("stop", ...config)).toMatchObject({ exitCode: 0 });
  });
});

describe("the launcher", () => {
  const scene = join(dir.path, "launcher");
  cpSync(join(modules, "papayu/bin"), join(scene, "node_modules/papayu/bin"), { recursive: true });
  cpSync(join(modules, "papayu/dist/program"), join(scene, "node_modules/papayu/dist/program"), {
    recursive: true,
  });
  const launcher = join(scene, "node_modules/papayu/bin/papayu");
  const launch = (PATH = env["PATH"] ?? "") => {
    const ran = Bun.spawnSync([launcher, "--version"], { cwd: scene, env: { ...env, PATH } });
    return { exitCode: ran.exitCode, out: ran.stdout.toString() + ran.stderr.toString() };
  };

  test("says in one line what to do where there is no Bun", () => {
    const { exitCode, out } = launch();
    expect(exitCode).toBe(127);
    expect(out).toMatch(/^papayu: Cannot find bun.*--omit=optional.*PATH.*\n$/u);
  });

  test("says so where Bun is too old, and takes one that is not", () => {
    const old = join(scene, "old");
    writeTree(old, { bun: "#!/bin/sh\necho 1.4.10\n" });
    chmodSync(join(old, "bun"), 0o755);
    expect(launch(`${old}:/usr/bin:/bin`)).toEqual({ exitCode: 0, out: "1.4.10\n" });
    writeTree(old, { bun: "#!/bin/sh\necho 1.3.20\n" });
    const { exitCode, out } = launch(`${old}:/usr/bin:/bin`);
    expect(exitCode).toBe(127);
    expect(out).toMatch(/^papayu: Cannot run on \S+, which is bun 1\.3\.20: it takes bun 1\.4\.5/u);
  });

  test("finds the one that scripts were not allowed to move where each package has its own folder", () => {
    const own = join(scene, "node_modules/.pnpm/bun@1.4.5/node_modules");
    const stub = "#!/bin/sh\necho its script was not run >&2\nexit 1\n";
    writeTree(own, { "bun/bin/bun.exe": stub, "@oven/bun-linux-own/bin/none": "" });
    chmodSync(join(own, "bun/bin/bun.exe"), 0o755);
    symlinkSync(process.execPath, join(own, "@oven/bun-linux-own/bin/bun"));
    symlinkSync(join(own, "bun"), join(scene, "node_modules/bun"));
    expect(launch()).toMatchObject({ exitCode: 0 });
    rmSync(join(scene, "node_modules/bun"));
  });

  test("finds the one that scripts were not allowed to move, of several the one that starts", () => {
    const oven = join(scene, "node_modules/@oven");
    writeTree(oven, { "bun-linux-another/bin/bun": "#!/bin/sh\nexit 1\n" });
    chmodSync(join(oven, "bun-linux-another/bin/bun"), 0o755);
    mkdirSync(join(oven, "bun-linux-own/bin"), { recursive: true });
    cpSync(process.execPath, join(oven, "bun-linux-own/bin/bun"));
    expect(launch().exitCode).toBe(0);
    rmSync(oven, { recursive: true });
  });
});
