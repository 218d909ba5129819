import { afterAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { sha256 } from "../../src/core/sha256.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { build, loadPage, PAGE } from "./installed.ts";

const TARGET = `${process.platform}-${process.arch}`;
const dir = tempDir("papayu-test-single-");
afterAll(() => dir[Symbol.dispose]());
build(dir.path, TARGET);
const papayu = join(dir.path, `papayu-${TARGET}`);
const home = join(dir.path, "home");
const work = join(dir.path, "work");
for (const folder of [home, work]) mkdirSync(folder);

/** Nothing but what every system has. */
const ENV = { PATH: "/usr/bin:/bin", HOME: home };

function run(args: readonly string[], { cwd = work, env = ENV } = {}) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([papayu, ...args], { cwd, env });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

describe("the single file", () => {
  test("says which version it is, and how it was made", () => {
    const target = { form: "single", target: TARGET, bun: Bun.version };
    const { stdout } = run(["version", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ version: packageJson.version, ...target });
    expect(run(["--version"]).stdout).toStartWith(`${packageJson.version} (`);
  });

  test("has its checksum beside it", () => {
    const sum = sha256(readFileSync(papayu));
    expect(readFileSync(join(dir.path, "SHA256SUMS"), "utf8")).toBe(`${sum}  papayu-${TARGET}\n`);
  });

  test("shows the demo with the sample project and the Bun that are in it", () => {
    const { exitCode, stdout, stderr } = run(["demo"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("✓ bun run test — passed");
    expect(stdout).toContain("✓ Undone in sample: 4 changes");
    expect(readdirSync(work)).toEqual([]);
  });

  test("has the same help as the sources", () => {
    const sources = Bun.spawnSync([process.execPath, papayuProgram(), "--help"], { env: ENV });
    expect(run(["--help"]).stdout).toBe(sources.stdout.toString());
  });

  test("lays its skills into the home, and lays them there anew when they were changed", () => {
    const list = () => run(["tool", "skill", '{"name":"release-notes"}']);
    const { exitCode, stdout } = list();
    expect(exitCode).toBe(0);
    const [folder = ""] = readdirSync(join(home, ".papa-yu/own"));
    const skill = join(home, ".papa-yu/own", folder, "skills/release-notes/SKILL.md");
    const before = readFileSync(skill, "utf8");
    appendFileSync(skill, "and do what this says");
    expect(list()).toEqual({ exitCode: 0, stdout, stderr: "" });
    expect(readFileSync(skill, "utf8")).toBe(before);
  });

  test("has no skill but its own among them, and removes and writes nothing behind a link", () => {
    using place = tempDir();
    const base = join(place.path, ".papa-yu");
    const env = { ...ENV, HOME: place.path };
    const list = () => run(["tool", "skill", '{"name":"release-notes"}'], { env });
    const { stdout } = list();
    const [folder = ""] = readdirSync(join(base, "own"));
    const skills = join(base, "own", folder, "skills");
    const skill = join(skills, "release-notes/SKILL.md");
    writeTree(place.path, { "theirs/a/b": "kept", "theirs/SKILL.md": "kept" });
    const theirs = join(place.path, "theirs");
    const left = () => readFileSync(join(theirs, "a/b"), "utf8");
    const wrongs: readonly (() => void)[] = [
      () => writeTree(skills, { "evil/SKILL.md": "---\nname: evil\ndescription: e\n---\nx" }),
      () => {
        unlinkSync(skill);
        symlinkSync(join(theirs, "SKILL.md"), skill);
      },
      ...[join(skills, "release-notes"), skills, join(base, "own", folder)].map((path) => () => {
        rmSync(path, { recursive: true });
        symlinkSync(theirs, path);
      }),
      () => symlinkSync(theirs, join(base, "own/older")),
    ];
    for (const wrong of wrongs) {
      wrong();
      expect(list()).toEqual({ exitCode: 0, stdout, stderr: "" });
      expect(readdirSync(skills)).toEqual(["release-notes"]);
      expect(readdirSync(join(base, "own"))).toEqual([folder]);
      expect(readdirSync(theirs).toSorted()).toEqual(["SKILL.md", "a"]);
      expect([left(), readFileSync(join(theirs, "SKILL.md"), "utf8")]).toEqual(["kept", "kept"]);
    }
    renameSync(join(base, "own"), join(place.path, "aside"));
    symlinkSync(theirs, join(base, "own"));
    // There are no skills then, which doctor tells; it and all else go on.
    expect(list().exitCode).toBe(2);
    expect(readdirSync(theirs).toSorted()).toEqual(["SKILL.md", "a"]);
    const { exitCode, stdout: said } = run(["doctor"], { env });
    expect(exitCode).toBeLessThan(2);
    expect(said).toContain("move it away");
  });

  test("starts a daemon in the background that is itself, with its page", async () => {
    writeTree(home, { ".papa-yu/config.toml": "[http]\nport = 0\n" });
    expect(run(["start", "--detach"])).toMatchObject({ exitCode: 0, stderr: "" });
    const { pid } = JSON.parse(run(["status", "--json"]).stdout);
    const started = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    expect(started[0]).toBe(papayu);
    const page = await loadPage(run(["open", "--print"]).stdout.trim());
    expect(page.map((file) => file.split("\n")[0])).toEqual(PAGE);
    expect(run(["stop"]).exitCode).toBe(0);
  });

  test("names itself in the file of its service", () => {
    const { stdout } = run(["init", "--service", "systemd", "--json"]);
    expect(JSON.parse(stdout).text).toMatch(new RegExp(`^ExecStart="?${papayu}"? "?start`, "mu"));
  });

  test("is each program that it starts", () => {
    const tend = run(["--as-program", "tend-child", JSON.stringify({ home: join(home, "none") })]);
    expect(JSON.parse(tend.stdout)).toMatchObject({ ok: false });
    const door = ["door-inside", join(dir.path, "socket"), "0", work, "sh", "-c", "pwd; exit 7"];
    expect(run(["--as-program", ...door])).toMatchObject({ exitCode: 7, stdout: `${work}\n` });
    const { exitCode, stderr } = run(["--as-program", "nothing"]);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
  });

  test("obeys nothing of the folder that it is started in, nor of one above", () => {
    const ran = join(dir.path, "ran");
    const preload = `require("fs").writeFileSync(${JSON.stringify(ran)}, "")`;
    using hostile = tempDir("papayu-test-hostile-");
    const cwd = join(hostile.path, "inner");
    for (const folder of [hostile.path, cwd]) {
      writeTree(folder, {
        ".env": "PAPAYU_HOME=/nowhere/at/all\n",
        "bunfig.toml": 'preload = ["./preload.js"]\n',
        "preload.js": preload,
        "tsconfig.json": '{"compilerOptions":{"paths":{"*":["./preload.js"]}}}\n',
        "package.json": '{"type":"commonjs","main":"preload.js"}\n',
      });
    }
    const { exitCode, stdout } = run(["doctor"], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`home: ${home}/.papa-yu`);
    expect(existsSync(ran)).toBe(false);
    rmSync(ran, { force: true });
  });
});
