import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type BotApiServer, startBotApi } from "../support/bot-api-server.ts";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { hasOverlay } from "../support/overlay.ts";
import { tapNewest } from "../support/tap-newest.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createSandbox, phoneConfig } from "./papayu.ts";

const OWNER = 501;
const STRANGER = 666;

const PROJECT = {
  "package.json":
    '{ "name": "tiny", "packageManager": "bun@1.4.5", "scripts": { "test": "bun test" } }\n',
  "src/add.ts": "export function add(a: number, b: number): number {\r\n  return a - b;\r\n}\r\n",
  "tests/add.test.ts":
    'import { expect, test } from "bun:test";\nimport { add } from "../src/add.ts";\n\ntest("adds", () => {\n  expect(add(2, 2)).toBe(4);\n});\n',
  "notes.bin": new Uint8Array([0, 255, 254, 10, 13]),
};

/** The base_sha256 that the context shows for a file. */
function shownSha(request: ModelRequest, path: string): string {
  const context = request.body.messages.map(({ content }) => String(content)).join("\n");
  const line = context.split("\n").find((text) => text.startsWith(`FILE[${path}] (sha256=`));
  return /sha256=([0-9a-f]{64})/.exec(line ?? "")?.[1] ?? "not shown";
}

function answer(value: unknown): Reply {
  return { kind: "text", text: JSON.stringify(value) };
}

/** Plays the model: the goal in the conversation decides what it answers. */
function playModel(request: ModelRequest): Reply {
  const said = request.body.messages.map(({ content }) => String(content));
  const isApply = said.some((text) => text.includes("Now APPLY"));
  const goal = /GOAL: (.*)/.exec(said.find((text) => text.includes("GOAL: ")) ?? "")?.[1] ?? "";
  if (goal === "") return { kind: "text", text: "Hello from the model" };
  if (!isApply) {
    if (shownSha(request, "src/add.ts") === "not shown") {
      const context_requests = [{ type: "read_file", path: "src/add.ts" }];
      return answer({ actions: [], summary: "", context_requests });
    }
    return answer({ actions: [], summary: `1. Change src/add.ts: ${goal}` });
  }
  const line = goal.includes("break") ? "  return a * b + 1;" : "  return a + b;";
  const before = goal.includes("break") ? "  return a + b;" : "  return a - b;";
  const patch = `--- a/src/add.ts\n+++ b/src/add.ts\n@@ -1,3 +1,3 @@\n export function add(a: number, b: number): number {\n-${before}\n+${line}\n }\n`;
  const base_sha256 = shownSha(request, "src/add.ts");
  const actions = [
    { kind: "PATCH_FILE", path: "src/add.ts", patch, base_sha256 },
    {
      kind: "CREATE_FILE",
      path: `docs/${goal.replace(" ", "-")}.md`,
      content: `# Why\n\n${goal}\n`,
    },
  ];
  return answer({ actions, summary: "done" });
}

test("the phone: plan, apply, stranger, double press, undo, failing check rolled back", async () => {
  using dir = tempDir();
  const folder = join(dir.path, "tiny");
  writeTree(folder, PROJECT);
  await using bot = await startBotApi();
  await using model = startModelServer(playModel);
  const sandbox = createSandbox(
    dir.path,
    `${phoneConfig(model.url, bot.url, OWNER)}[[workspaces]]
name = "tiny"
path = "./tiny"
`,
    { TELEGRAM_BOT_TOKEN: bot.token },
  );
  const original = readTree(folder);
  await using daemon = await sandbox.start();

  // A stranger is told so and nothing happens.
  bot.say(STRANGER, "plan: fix add");
  await bot.waitForText(/owner/);
  expect(model.requests).toHaveLength(0);

  // Plan: one context round, one plan message with buttons; the tree is untouched.
  bot.say(OWNER, "plan: fix add");
  const plan = await bot.waitForText("Change src/add.ts: fix add");
  expect(plan.buttons.map(({ label }) => label)).toEqual(["Apply", "Change…", "Drop"]);
  expect(model.requests).toHaveLength(2);
  expect(readTree(folder)).toEqual(original);

  // A stranger presses Apply, then the owner does: the diff comes once, to the owner.
  const applyData = plan.buttons[0]?.data ?? "";
  bot.press(STRANGER, plan.messageId, applyData);
  await bot.waitFor(() => bot.popUps.length === 1);
  expect(bot.popUps[0]?.text).toMatch(/Only the person/);
  expect(model.requests).toHaveLength(2);
  await bot.tap(OWNER, "Apply");
  const shown = await bot.waitForText("docs/fix-add.md");
  expect(shown.text).toContain("+  return a + b;");
  expect(shown.text).toContain("bun run test");
  expect(shown.buttons.map(({ label }) => label)).toEqual([
    "Approve",
    "Reject",
    ...(hasOverlay ? ["Check first"] : []),
    "Try another way",
  ]);
  expect(readTree(folder)).toEqual(original);

  // A stranger approves: nothing. The owner presses twice: applied once.
  const approveData = shown.buttons[0]?.data ?? "";
  bot.press(STRANGER, shown.messageId, approveData);
  await bot.waitFor(() => bot.popUps.length >= 3);
  expect(readTree(folder)).toEqual(original);
  bot.press(OWNER, shown.messageId, approveData);
  bot.press(OWNER, shown.messageId, approveData);
  const done = await bot.waitFor(() =>
    bot.sent(OWNER).find(({ buttons }) => buttons[0]?.label === "Undo"),
  );
  const applied = readTree(folder);
  expect(Object.keys(applied).filter((path) => applied[path] !== original[path])).toEqual([
    "docs/",
    "docs/fix-add.md",
    "src/add.ts",
  ]);
  expect(await Bun.file(join(folder, "src/add.ts")).text()).toBe(
    "export function add(a: number, b: number): number {\r\n  return a + b;\r\n}\r\n",
  );
  await bot.waitFor(() => bot.popUps.length >= 5);
  // The second is told at once, while the first is at work, or after that.
  const reported = bot.popUps.slice(3).map(({ text }) => text);
  expect(reported.join("\n")).toMatch(/works once|approved already/);
  expect((await sandbox.json("history")).report).toMatchObject({ entries: { length: 1 } });

  // A change that fails its check is not written, or goes back by itself where no view can be had.
  bot.say(OWNER, "plan: break add");
  await bot.waitForText("Change src/add.ts: break add");
  bot.say(OWNER, "ok");
  if (!hasOverlay) await bot.tap(OWNER, "Approve");
  const failed = await bot.waitForText("AUTO_CHECK_FAILED_ROLLED_BACK");
  expect(failed.text).toMatch(/fail/);
  expect(readTree(folder)).toEqual(applied);

  // Undo by the button of the first change: byte for byte as in the beginning.
  bot.press(OWNER, done.messageId, done.buttons[0]?.data ?? "");
  await bot.waitFor(() => JSON.stringify(readTree(folder)) === JSON.stringify(original));
  expect(readTree(folder)).toEqual(original);
  bot.press(OWNER, done.messageId, done.buttons[0]?.data ?? "");
  const truth = /nothing to undo|works once/; // the files are back a moment before the press has ended
  await bot.waitFor(() => bot.popUps.slice(5).some(({ text }) => truth.test(text)));

  // Chat goes to the model; the daemon stops cleanly.
  bot.say(OWNER, "how are you");
  await bot.waitForText("Hello from the model");
  daemon.kill("SIGTERM");
  expect(await daemon.exited).toBe(0);
});

test("an approval survives a restart of the daemon and counts once", async () => {
  using dir = tempDir();
  await using bot = await startBotApi();
  const { sandbox, folder } = prepareTiny(dir.path, bot, "false");
  const first = await sandbox.start();
  bot.say(OWNER, "plan: add what a newcomer would miss");
  await bot.tap(OWNER, "Apply");
  await bot.waitFor(() => bot.sent(OWNER).find(({ buttons }) => buttons[0]?.label === "Approve"));
  first.kill("SIGKILL");
  await first.exited;
  expect(Object.keys(readTree(folder))).toEqual(["a.txt"]);

  await using _second = await sandbox.host();
  await tapNewest(bot, OWNER, "Approve");
  await bot.waitFor(() => bot.sent(OWNER).find(({ buttons }) => buttons[0]?.label === "Undo"));
  expect(Object.keys(readTree(folder)).length).toBeGreaterThan(1);
});

test("a daemon killed in the middle of an apply puts the files back, says so, and goes on with what was approved", async () => {
  using dir = tempDir();
  await using bot = await startBotApi();
  const slowOnce = `test -e ${dir.path}/began || { touch ${dir.path}/began; sleep 600; }`;
  const check = JSON.stringify([["sh", "-c", slowOnce]]);
  const { sandbox, folder } = prepareTiny(dir.path, bot, check);
  const first = await sandbox.start();
  bot.say(OWNER, "plan: add what a newcomer would miss");
  await bot.tap(OWNER, "Apply");
  await bot.tap(OWNER, "Approve");
  await bot.waitFor(() => existsSync(join(dir.path, "began")));
  expect(Object.keys(readTree(folder))).toContain("README.md");
  first.kill("SIGKILL");
  await first.exited;

  await using _second = await sandbox.host();
  await bot.waitForText(/in the middle of a change.*tiny: "add what a newcomer would miss"/s);
  await bot.waitForText(/Applied in tiny/);
  expect(Object.keys(readTree(folder))).toContain("README.md");
  const { report } = await sandbox.json("history");
  expect(report).toMatchObject({ entries: [{ status: "rolled_back" }, { status: "committed" }] });
});

/** A folder with one file, the built-in planner and a bot; `check` as config.toml writes it. */
function prepareTiny(dir: string, bot: BotApiServer, check: string) {
  const folder = join(dir, "tiny");
  writeTree(folder, { "a.txt": "hello\n" });
  const config = `
[telegram]
api_root = "${bot.url}"
allowed_user_ids = [${OWNER}]
[[workspaces]]
name = "tiny"
path = "./tiny"
check = ${check}
[security]
sandbox = "none"
`;
  return { folder, sandbox: createSandbox(dir, config, { TELEGRAM_BOT_TOKEN: bot.token }) };
}
