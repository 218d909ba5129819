import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { COMMANDS } from "../../src/cli/commands.ts";
import { choicesOf, placeOf } from "../../src/cli/setup/completion/usage-places.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const CONFIG = `[[workspaces]]
name = "site"
path = "./site"
[[workspaces]]
name = "shop"
path = "./shop"
[[routines.jobs]]
name = "tidy"
schedule = "0 9 29 2 *"
workspace = "site"
task = "tidy up"
`;

function open(config = CONFIG) {
  const dir = tempDir();
  writeTree(dir.path, { "site/a.txt": "x\n", "shop/a.txt": "x\n" });
  const sandbox = createSandbox(dir.path, config);
  const complete = async (...words: readonly string[]) => {
    const { stdout } = await sandbox.run("completion", "--words", "--", ...words);
    return stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("\t")[0] ?? "");
  };
  return { sandbox, complete, path: dir.path, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

describe("placeOf()", () => {
  test.each([
    ["plan GOAL [-w WS] [--tries N] [--json]", [], { words: [], values: ["GOAL"] }],
    ["stop [--json]", [], { words: [], values: [] }],
    ["init [DIR] | init --service [systemd|launchd] [--json]", [], { words: [], values: ["DIR"] }],
    ["apply PLAN_ID|--goal GOAL|--patch FILE [-w WS]", [], { words: [], values: ["PLAN_ID"] }],
    ["config check|get [KEY]|set KEY VALUE", [], { words: ["check", "get", "set"], values: [] }],
    ["config check|get [KEY]|set KEY VALUE", ["set"], { words: [], values: ["KEY"] }],
    ["config check|get [KEY]|set KEY VALUE", ["set", "k"], { words: [], values: ["VALUE"] }],
    ["config check|get [KEY]|set KEY VALUE", ["check"], { words: [], values: [] }],
    ["trace list [--last N]|show TRACE_ID [-w WS]", ["show"], { words: [], values: ["TRACE_ID"] }],
    ["tool NAME [JSON] [-w WS]", ["x"], { words: [], values: ["JSON"] }],
  ])("%j after %j", (usage, given, expected) => {
    expect(placeOf(usage, given)).toEqual(expected);
  });

  test("every command's usage is read: a place has words or one kind of value", () => {
    const odd = Object.entries(COMMANDS).filter(([, { usage }]) => {
      const { words, values } = placeOf(usage, []);
      return [...words, ...values].some((each) => !/^(?:[a-z]+|[A-Z_]+|-)$/u.test(each));
    });
    expect(odd).toEqual([]);
  });
});

test("choicesOf() gives what the usage lists for an option", () => {
  expect(choicesOf("validate FILE [--mode plan|apply]", "--mode")).toEqual(["plan", "apply"]);
  expect(choicesOf("init --service [systemd|launchd]", "--service")).toEqual([
    "systemd",
    "launchd",
  ]);
  expect(choicesOf("plan GOAL [--tries N]", "--tries")).toEqual([]);
});

describe("papayu completion --words", () => {
  test("offers commands, and says what they do", async () => {
    using scene = open();
    expect(await scene.complete("re")).toEqual(["restart", "redo", "recover", "report"]);
    expect((await scene.complete("")).toSorted()).toEqual(
      [...Object.keys(COMMANDS), "--help"].toSorted(),
    );
    const { stdout } = await scene.sandbox.run("completion", "--words", "--", "und");
    expect(stdout).toBe(`undo\t${COMMANDS["undo"]?.summary}\n`);
  });

  test.each(Object.keys(COMMANDS))("offers of %s options that it takes", async (name) => {
    using scene = open();
    const options = await scene.complete(name, "--");
    expect(options).toContain("--help");
    const { exitCode, stderr } = await scene.sandbox.run(name, "--no-such-option-there");
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    for (const option of options) {
      const { stderr: said } = await scene.sandbox.run(
        name,
        `${option}=x`,
        "--no-such-option-there",
      );
      expect(said).not.toContain(`Unknown option '${option}'`);
    }
  });

  test.each([
    [
      ["plan", "-w", ""],
      ["site", "shop"],
    ],
    [["plan", "--workspace", "sh"], ["shop"]],
    [["plan", "--workspace=sh"], ["--workspace=shop"]],
    [
      ["routine", ""],
      ["list", "add", "remove", "enable", "disable", "run", "logs"],
    ],
    [
      ["config", "get", "agent.max_to"],
      ["agent.max_tool_iterations", "agent.max_tokens_per_day"],
    ],
    [
      ["validate", "--mode", ""],
      ["plan", "apply"],
    ],
    [
      ["init", "--service", ""],
      ["systemd", "launchd"],
    ],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["validate", ""], [":files"]],
    [["apply", "--patch", ""], [":files"]],
    [["status", ""], []],
    [["nothing", ""], []],
    [["ask", "--", "-"], []],
  ] as const)("offers for %j: %j", async (words, expected) => {
    using scene = open();
    expect(await scene.complete(...words)).toEqual([...expected]);
  });

  test("makes no home; offers plans and routines once there are some", async () => {
    using scene = open();
    expect(await scene.complete("preview", "")).toEqual([]);
    expect(
      await Array.fromAsync(new Bun.Glob("home/**").scan({ cwd: scene.path, dot: true })),
    ).toEqual([]);
    const goal = ["add what a newcomer would miss", "-w", "site"];
    const { report } = await scene.sandbox.json("plan", ...goal);
    expect(await scene.complete("preview", "")).toEqual([String(report["plan_id"])]);
    expect(await scene.complete("routine", "run", "")).toEqual(["tidy"]);
    expect(await scene.complete("trace", "show", "-w", "site", "")).toEqual([
      String(report["trace_id"]),
    ]);
  });

  test("a name that steers a terminal or ends a line is not offered as it is", async () => {
    using scene = open('[[workspaces]]\nname = "a\\u001b[2Jb"\npath = "./site"\n');
    const { stdout } = await scene.sandbox.run("completion", "--words", "--", "plan", "-w", "");
    expect(stdout).not.toContain("\u001b");
  });
});

test("bash completes a line with the script of papayu completion bash", async () => {
  using scene = open();
  writeTree(scene.path, {
    "bin/papayu": `#!/bin/sh\nexec '${process.execPath}' '${papayuProgram()}' "$@"\n`,
  });
  Bun.spawnSync(["chmod", "755", join(scene.path, "bin/papayu")]);
  const script = (await scene.sandbox.run("completion", "bash")).stdout;
  const replies = (...words: readonly string[]) => {
    const line = `${script}\nCOMP_WORDS=(papayu "$@"); COMP_CWORD=$#; _papayu; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { ...scene.sandbox.env, PATH: `${scene.path}/bin:${process.env["PATH"]}` };
    const ran = Bun.spawnSync(["bash", "-c", line, "bash", ...words], { cwd: scene.path, env });
    return ran.stdout.toString().split("\n").filter(Boolean);
  };
  expect(replies("und")).toEqual(["undo"]);
  expect(replies("plan", "-w", "")).toEqual(["site", "shop"]);
  expect(replies("plan", "--workspace", "=", "sh")).toEqual(["shop"]);
  expect(replies("plan", "$(touch ran)`touch ran`;touch ran")).toEqual([]);
  expect(await Bun.file(join(scene.path, "ran")).exists()).toBe(false);
});

test("a mistyped option or workspace is answered with the nearest one", async () => {
  using scene = open();
  const option = await scene.sandbox.run("plan", "--trys", "3", "x");
  expect(option).toMatchObject({ exitCode: 2 });
  expect(option.stderr).toContain("did you mean --tries?");
  const workspace = await scene.sandbox.run("plan", "x", "-w", "sitte");
  expect(workspace.stderr).toContain('did you mean "site"?');
});
