import { describe, expect, test } from "bun:test";
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { toAskedCall } from "../../src/agent/gate/asked-call.ts";
import type { ToolArguments } from "../../src/tools/tool.ts";
import { play, spy } from "../security/attack-scene.ts";
import { measureEffort } from "../support/effort.ts";
import { oneOf } from "../support/long.ts";
import { RUBBISH } from "../support/rubbish.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { openScene } from "./scene.ts";

type Files = Readonly<Record<string, string>>;
interface Case {
  readonly argv: string;
  readonly files: Files;
  readonly changed: Files;
  readonly cwd?: string;
}

const make = (file: string): Files => ({ [file]: "all:\n\techo 1\n" });
const evil = (file: string): Files => ({ [file]: "all:\n\ttouch evil\n" });

const CASES: readonly Case[] = [
  { argv: "make", files: make("Makefile"), changed: evil("Makefile") },
  { argv: "make", files: make("Makefile"), changed: evil("GNUmakefile") },
  { argv: "make -f build.mk", files: make("build.mk"), changed: evil("build.mk") },
  { argv: "make -fbuild.mk", files: make("build.mk"), changed: evil("build.mk") },
  { argv: "make -kfbuild.mk", files: make("build.mk"), changed: evil("build.mk") },
  { argv: "make --file=build.mk", files: make("build.mk"), changed: evil("build.mk") },
  { argv: "make --makefile build.mk", files: make("build.mk"), changed: evil("build.mk") },
  { argv: "make -C sub", files: make("sub/Makefile"), changed: evil("sub/Makefile") },
  { argv: "make -Csub", files: make("sub/Makefile"), changed: evil("sub/Makefile") },
  { argv: "make --directory=sub", files: make("sub/Makefile"), changed: evil("sub/Makefile") },
  { argv: "make -C sub -f x.mk", files: make("sub/x.mk"), changed: evil("sub/x.mk") },
  { argv: "make", cwd: "sub", files: make("sub/Makefile"), changed: evil("sub/Makefile") },
  { argv: "make", cwd: "./sub/", files: make("sub/makefile"), changed: evil("sub/makefile") },
  { argv: "make", files: { Makefile: "include ./r.mk\n", "r.mk": "" }, changed: evil("r.mk") },
  { argv: "sh build.sh", cwd: "sub", files: { "sub/build.sh": "" }, changed: evil("sub/build.sh") },
  { argv: "sh ../b.sh", cwd: "sub", files: { "b.sh": "", "sub/a": "" }, changed: evil("b.sh") },
  { argv: "sh ./a.sh", files: { "a.sh": ". ./lib.sh", "lib.sh": "" }, changed: evil("lib.sh") },
  { argv: "./a.sh", files: { "a.sh": "" }, changed: evil("a.sh") },
  { argv: "node ./x", files: { "x.js": "" }, changed: { "x.js": "1" } },
  { argv: "node x.js", files: { "x.js": 'import "./y.js"', "y.js": "" }, changed: { "y.js": "1" } },
  { argv: "node x.js", files: { "x.js": 'require("./y")', "y.js": "" }, changed: { "y.js": "1" } },
  { argv: "node lib", files: { "lib/index.js": "" }, changed: { "lib/index.js": "1" } },
  { argv: "npm run build", files: { "package.json": "{}" }, changed: { "package.json": "{ }" } },
  {
    argv: "npm test",
    cwd: "a/b",
    files: { "a/package.json": "{}", "a/b/x": "" },
    changed: { "a/package.json": "{ }" },
  },
  {
    argv: "npm --prefix sub test",
    files: { "sub/package.json": "{}" },
    changed: { "sub/package.json": "" },
  },
  {
    argv: "npm test",
    files: { "package.json": '{"scripts":{"test":"node t/run.js"}}', "t/run.js": "" },
    changed: { "t/run.js": "1" },
  },
  { argv: "bun test", files: { "src/a.test.ts": "" }, changed: { "src/a.test.ts": "1" } },
  { argv: "bun test", files: { "src/a.test.ts": "" }, changed: { "src/b.test.ts": "1" } },
  { argv: "bun test", files: { "bunfig.toml": "" }, changed: { "bunfig.toml": "preload=1" } },
  { argv: "bun test", files: { "a.txt": "" }, changed: { "bunfig.toml": "preload=1" } },
  { argv: "python3 -m tool", files: { "tool.py": "" }, changed: { "tool.py": "1" } },
  { argv: "python3 -mtool", files: { "tool.py": "" }, changed: { "tool.py": "1" } },
  { argv: "python3 -m pkg.mod", files: { "pkg/mod.py": "" }, changed: { "pkg/mod.py": "1" } },
  { argv: "python3 -m pkg", files: { "pkg/__main__.py": "" }, changed: { "pkg/__main__.py": "1" } },
  { argv: "pytest", files: { "tests/test_a.py": "" }, changed: { "tests/test_a.py": "1" } },
  { argv: "pytest", files: { "pyproject.toml": "" }, changed: { "pyproject.toml": "1" } },
  { argv: "just build", files: { justfile: "" }, changed: { justfile: "1" } },
  { argv: "cargo build", files: { "build.rs": "" }, changed: { "build.rs": "1" } },
  { argv: "cargo build", files: { "a.txt": "" }, changed: { ".cargo/config.toml": "1" } },
  {
    argv: "cargo build --manifest-path=sub/Cargo.toml",
    files: { "sub/Cargo.toml": "" },
    changed: { "sub/Cargo.toml": "1" },
  },
  { argv: "awk -fx.awk a.txt", files: { "x.awk": "", "a.txt": "" }, changed: { "x.awk": "1" } },
  { argv: "sed -f x.sed a.txt", files: { "x.sed": "" }, changed: { "x.sed": "1e" } },
  { argv: "tool -I inc -o=cfg.ini", files: { "cfg.ini": "" }, changed: { "cfg.ini": "1" } },
];

const shownOf = ({ argv, cwd }: Case) => (cwd === undefined ? argv : `${argv} in "${cwd}"`);
const ARGS = ({ argv, cwd }: Case): ToolArguments => ({
  argv: argv.split(" "),
  ...(cwd !== undefined && { cwd }),
});

describe("toAskedCall() binds a call to what it runs", () => {
  const tool = spy("run_command", "change");
  const hash = async (root: string, args: ToolArguments, name = "w") => {
    const workspace = {
      name,
      root,
      check: "none",
      checkTimeoutMs: 1,
      maxActions: 0,
      protectedPaths: [],
    } as const;
    return (await toAskedCall(tool, args, workspace)).callSha256;
  };

  test.each(CASES.map((each) => [shownOf(each), each] as const))("%s", async (_, each) => {
    using dir = tempDir();
    writeTree(dir.path, { ...each.files, "other.txt": "" });
    const before = await hash(dir.path, ARGS(each));
    writeTree(dir.path, { "other.txt": "edited" });
    expect(await hash(dir.path, ARGS(each))).toBe(before);
    writeTree(dir.path, each.changed);
    expect(await hash(dir.path, ARGS(each))).not.toBe(before);
  });

  test("the workspace, by its folder and by its name", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "a/x": "", "b/x": "" });
    const args = { argv: ["touch", "new"] };
    const [a, b] = [join(dir.path, "a"), join(dir.path, "b")];
    expect(await hash(a, args)).toBe(await hash(a, args));
    expect(await hash(b, args)).not.toBe(await hash(a, args));
    expect(await hash(a, args, "other")).not.toBe(await hash(a, args));
  });

  test("a script that is gone, or a link that leads to another", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "a.sh": "1", "b.sh": "2" });
    symlinkSync("a.sh", join(dir.path, "x.sh"));
    const args = { argv: ["sh", "x.sh"] };
    const before = await hash(dir.path, args);
    rmSync(join(dir.path, "x.sh"));
    const gone = await hash(dir.path, args);
    symlinkSync("b.sh", join(dir.path, "x.sh"));
    expect(new Set([before, gone, await hash(dir.path, args)]).size).toBe(3);
  });

  test("a name with blanks, and one far behind others", async () => {
    using dir = tempDir();
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`f${i}`, `${i}`]));
    writeTree(dir.path, { ...many, "my script.sh": "1" });
    const named = { argv: ["sh", "my script.sh"] };
    const all = { argv: ["cc", ...Object.keys(many)] };
    const before = [await hash(dir.path, named), await hash(dir.path, all)];
    writeTree(dir.path, { "my script.sh": "2", f399: "other" });
    const after = [await hash(dir.path, named), await hash(dir.path, all)];
    expect(after[0]).not.toBe(before[0] ?? "");
    expect(after[1]).not.toBe(before[1] ?? "");
  });

  test("a file too large to be read is bound by its size and time, and all ends soon", async () => {
    using dir = tempDir();
    const large = "x".repeat(17 * 1024 * 1024);
    const words = Array.from({ length: 1250 }, (_, i) => `./w${i}/x=y,z:${i}`);
    writeTree(dir.path, { big: large, script: words.join("\n") });
    const args = { argv: ["sh", "script", "big", ...words] };
    const effort = measureEffort();
    const before = await hash(dir.path, args);
    expect(effort()).toBeLessThan(1000);
    writeTree(dir.path, { big: `${large}y` });
    expect(await hash(dir.path, args)).not.toBe(before);
  });
});

describe("a yes for run_command", () => {
  const open = (argv: readonly string[]) =>
    openScene({
      provider: play([["run_command", { argv, cwd: "sub" }]], "asked"),
      env: { PATH: process.env["PATH"] ?? "" },
    });

  test.each([
    [["make", "-fbuild.mk"], { "sub/build.mk": "all:\n\ttouch ran\n" }],
    [["make"], { "sub/Makefile": "all:\n\ttouch ran\n" }],
    [["sh", "./go.sh"], { "sub/go.sh": "touch ran\n" }],
    [["sh", "go.sh"], { "sub/go.sh": ". ./lib.sh\n", "sub/lib.sh": "touch ran\n" }],
  ])("%p runs what was shown, and not what it became", async (argv, files) => {
    using scene = await open(argv);
    writeTree(scene.folder, files);
    const { approvalId } = (await scene.say("do it")).last("call_approval");
    for (const [path, text] of Object.entries(files)) {
      writeTree(scene.folder, { [path]: text.replace("ran", "evil") });
    }
    const pressed = await scene.press("approve", approvalId);
    expect(pressed.last("error").message).toContain("changed since it was shown");
    expect(existsSync(join(scene.folder, "sub/evil"))).toBe(false);

    using again = await open(argv);
    writeTree(again.folder, files);
    const asked = (await again.say("do it")).last("call_approval");
    await again.press("approve", asked.approvalId);
    expect(existsSync(join(again.folder, "sub/ran"))).toBe(true);
  });

  test.each(oneOf(2, RUBBISH))(
    "a call whose stored arguments are %j is not run",
    async (rubbish) => {
      using scene = await open(["touch", "ran"]);
      writeTree(scene.folder, { "sub/a.txt": "" });
      const { approvalId } = (await scene.say("do it")).last("call_approval");
      scene.app.state.store.query("UPDATE approvals SET args_json = ?").run(rubbish);
      const pressed = await scene.press("approve", approvalId);
      expect(pressed.last("error").message).toContain("changed since it was shown");
      expect(existsSync(join(scene.folder, "sub/ran"))).toBe(false);
    },
  );
});
