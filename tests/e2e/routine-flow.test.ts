import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../src/store/open/open-database.ts";
import { createRoutineRuns } from "../../src/store/routines/routines.ts";
import { startBotApi } from "../support/bot-api-server.ts";
import { tapNewest } from "../support/tap-newest.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import type { HostedDaemon } from "./host-daemon.ts";
import { createSandbox } from "./papayu.ts";

const OWNER = 501;
const OTHER = 502;
/** Half a day from now, and half a day ago: no time of the routine passes while a test runs. */
const SCHEDULE = `0 ${(new Date().getUTCHours() + 12) % 24} * * *`;

/** A home with a bot, a folder and one routine whose last time was missed. */
async function prepare(dir: string, job: string, autonomy = "supervised", check = '[["true"]]') {
  const folder = join(dir, "notes");
  writeTree(folder, { "a.txt": "one\n" });
  const bot = await startBotApi();
  const sandbox = createSandbox(
    dir,
    `
[default]
language = "en"
[security]
autonomy = "${autonomy}"
[http]
enabled = false
[telegram]
api_root = "${bot.url}"
allowed_user_ids = [${OWNER}, ${OTHER}]
[[workspaces]]
name = "notes"
path = "./notes"
check = ${check}
[[routines.jobs]]
name = "tidy"
schedule = "${SCHEDULE}"
timezone = "UTC"
workspace = "notes"
task = "add what a newcomer would miss"
${job}
`,
    { TELEGRAM_BOT_TOKEN: bot.token },
  );
  // The last time was missed, and is made up for at the start.
  mkdirSync(sandbox.home, { recursive: true });
  using store = openStore(join(sandbox.home, "state.db"));
  const yesterday = Date.now() - 86_400_000;
  createRoutineRuns(store).watch([{ name: "tidy", schedule: `${SCHEDULE} UTC` }], yesterday);
  return { bot, sandbox, folder, original: readTree(folder) };
}

/** Waits for the commit, takes it back on the phone, and ends the daemon. */
async function expectUndoable(
  {
    bot,
    folder,
    original,
  }: Pick<Awaited<ReturnType<typeof prepare>>, "bot" | "folder" | "original">,
  daemon: HostedDaemon,
): Promise<void> {
  const applied = await bot.waitForText(/Applied in notes/);
  expect(applied.text).toContain("Checks passed: true");
  expect(readTree(folder)).toHaveProperty(["README.md"]);
  await bot.tap(OWNER, "Undo");
  await bot.waitForText(/Undone in notes/);
  expect(readTree(folder)).toEqual(original);
  await daemon.stop();
}

test("a day: the plan comes with its buttons, is approved on the phone, checked and undone", async () => {
  using dir = tempDir();
  const { bot, sandbox, folder, original } = await prepare(dir.path, 'mode = "plan"');
  await using _ = bot;
  const daemon = await sandbox.host();
  const plan = await bot.waitForText("Create README.md");
  expect(bot.texts(OWNER)).toContain('Routine "tidy"');
  expect(plan.chatId).toBe(OWNER);
  expect(plan.buttons.map(({ label }) => label)).toEqual(["Apply", "Change…", "Drop"]);
  // The other allowed person has no buttons, and cannot press the owner's.
  expect(bot.sent(OTHER).flatMap(({ buttons }) => buttons)).toEqual([]);
  bot.press(OTHER, plan.messageId, plan.buttons[0]?.data ?? "");
  await bot.waitFor(() => bot.popUps.length === 1);

  await bot.tap(OWNER, "Apply");
  const shown = await bot.waitForText("README.md (new)");
  expect(shown.buttons.map(({ label }) => label)).toEqual(["Approve", "Reject"]);
  expect(readTree(folder)).toEqual(original);
  await bot.tap(OWNER, "Approve");
  await expectUndoable({ bot, folder, original }, daemon);
});

test("apply under supervised waits for the phone, also over a crash of the daemon", async () => {
  using dir = tempDir();
  const { bot, sandbox, folder, original } = await prepare(dir.path, 'mode = "apply"');
  await using _ = bot;
  const first = await sandbox.start();
  const shown = await bot.waitForText("README.md (new)");
  expect(shown.chatId).toBe(OWNER);
  expect(readTree(folder)).toEqual(original);
  first.kill("SIGKILL");
  await first.exited;
  await using _second = await sandbox.host();
  await tapNewest(bot, OWNER, "Approve");
  const applied = await bot.waitForText(/Applied in notes/);
  expect(applied.text).toContain("Checks passed: true");
  expect(readTree(folder)).toHaveProperty(["README.md"]);
  expect(
    bot
      .sent(OWNER)
      .at(-1)
      ?.buttons.map(({ label }) => label),
  ).toEqual(["Undo"]);
  const { report } = await sandbox.json("routine", "logs", "tidy");
  expect(report).toMatchObject([
    { state: "ok", output: expect.stringContaining("1 change waits") },
  ]);
});

test("apply under full commits, and the owner can undo it", async () => {
  using dir = tempDir();
  const { bot, sandbox, folder, original } = await prepare(dir.path, 'mode = "apply"', "full");
  await using _ = bot;
  await using daemon = await sandbox.host();
  await expectUndoable({ bot, folder, original }, daemon);
});

test("a daemon killed in the middle of an apply puts it back, says so and does not repeat it", async () => {
  using dir = tempDir();
  const slow = '[["sleep", "20"]]\ncheck_when = "after"';
  const prepared = await prepare(dir.path, 'mode = "apply"', "full", slow);
  const { bot, sandbox, folder, original } = prepared;
  await using _ = bot;
  const first = await sandbox.start();
  await bot.waitFor(() => "README.md" in readTree(folder));
  first.kill("SIGKILL");
  await first.exited;
  await using second = await sandbox.host();
  await bot.waitForText(/tidy: papa-yu stopped while it ran at \d{4}-\d\d-\d\d \d\d:00/);
  expect(readTree(folder)).toEqual(original);
  const { report } = await sandbox.json("routine", "logs", "tidy");
  expect(report).toMatchObject([{ state: "unknown", delivery: "none" }]);
  expect(second.log()).not.toContain("ROUTINE_DONE");
});
