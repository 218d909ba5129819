import { expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, rmSync, truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { openState } from "../../src/store/open/open.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { type BotApiServer, startBotApi } from "../support/bot-api-server.ts";
import { runs } from "../support/long.ts";
import { openBeside } from "../support/open-beside.ts";
import { overwrite } from "../support/overwrite.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { tempDir } from "../support/temp.ts";
import { isInProcess, runInProcess } from "./in-process.ts";
import { createSandbox, type Sandbox } from "./papayu.ts";

const OWNER = 501;
const RESTARTS = runs(4, 20);

function prepare(dir: string, bot: BotApiServer, language: string): Sandbox {
  const config = `[default]
language = "${language}"
[telegram]
api_root = "${bot.url}"
allowed_user_ids = [${OWNER}, 502]
`;
  const sandbox = createSandbox(dir, config, {
    TELEGRAM_BOT_TOKEN: bot.token,
    XDG_RUNTIME_DIR: dir,
  });
  openState(sandbox.home).close();
  return sandbox;
}

/** What a supervisor does; that a process ends so is seen where the disk is full. */
async function restart(sandbox: Sandbox, times: number, trouble: string): Promise<void> {
  for (let n = 0; n < times; n++) {
    const { exitCode, stderr } = isInProcess()
      ? await runInProcess(["start"], { input: "", cwd: sandbox.dir, env: sandbox.env })
      : await sandbox.run("start");
    expect(exitCode).toBe(1);
    expect(stderr).toContain(trouble);
  }
}

test.concurrent("a start on a damaged database tells the owner once, however often it is restarted", async () => {
  using dir = tempDir();
  await using bot = await startBotApi();
  const sandbox = prepare(dir.path, bot, "ru");
  const path = join(sandbox.home, "state.db");
  overwrite(path, 0, Buffer.alloc(100, 0xa5));
  await restart(sandbox, RESTARTS, "ERR_STORE_DAMAGED");
  const { troubles } = textsIn("ru").failedStart;
  expect(bot.sent()).toMatchObject([{ chatId: OWNER }]);
  expect(bot.texts()[0]).toContain(troubles.no_database);
  expect(bot.texts()[0]).toContain(sandbox.home);
  // Another trouble is another message.
  truncateSync(path);
  await restart(sandbox, 2, "ERR_STORE_GONE");
  expect(bot.texts()).toHaveLength(2);
  expect(bot.texts()[1]).toContain(troubles.empty);
  // Hours later the first one is told again.
  truncateSync(path, 0);
  const old = Date.now() / 1000 - 7 * 3600;
  utimesSync(join(sandbox.home, "told.empty"), old, old);
  await restart(sandbox, 2, "ERR_STORE_GONE");
  expect(bot.texts()).toHaveLength(3);
});

test.concurrent("a start on a full disk tells the owner once, with no room for a byte more", async () => {
  using dir = tempDir();
  await using bot = await startBotApi();
  const sandbox = prepare(dir.path, bot, "zh");
  const saved = join(dir.path, "saved");
  cpSync(sandbox.home, saved, { recursive: true });
  const script = `mount -t tmpfs -o size=1m,mode=700 tmpfs "${sandbox.home}" || exit 77
cp -a "${saved}/." "${sandbox.home}"
head -c 2000000 /dev/zero > "${sandbox.home}/filler" 2>/dev/null
for n in $(seq ${RESTARTS}); do "${process.execPath}" "${papayuProgram()}" start; echo "ended $?"; done`;
  const child = Bun.spawn(["unshare", "-rm", "sh", "-c", script], {
    cwd: dir.path,
    env: sandbox.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [ended, said] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect({ ended, said }).toMatchObject({ ended: "ended 1\n".repeat(RESTARTS) });
  expect(bot.texts()).toHaveLength(1);
  expect(bot.texts()[0]).toContain(textsIn("zh").failedStart.troubles.full);
});

test.concurrent("a start that cannot reach the phone reports it with the next one; without a known owner nothing is sent", async () => {
  using dir = tempDir();
  await using bot = await startBotApi();
  const sandbox = prepare(dir.path, bot, "en");
  const path = join(sandbox.home, "state.db");
  rmSync(path);
  bot.fail("sendMessage", { kind: "status", status: 502, description: "Bad Gateway" });
  await restart(sandbox, 3, "ERR_STORE_GONE");
  expect(bot.texts()).toHaveLength(1);
  expect(bot.texts()[0]).toContain("papayu doctor --repair");
  // A program that only holds the file is another trouble, and passes.
  rmSync(sandbox.home, { recursive: true });
  openState(sandbox.home).close();
  using holder = openBeside(path);
  holder.run("PRAGMA locking_mode = EXCLUSIVE");
  holder.run("BEGIN EXCLUSIVE");
  await restart(sandbox, 1, "ERR_STORE: ");
  expect(bot.texts()[1]).toContain(textsIn("en").failedStart.troubles.locked);
  holder.run("ROLLBACK");
  holder.close();
  const other = createSandbox(join(dir.path, "other"), `[telegram]\napi_root = "${bot.url}"\n`, {
    TELEGRAM_BOT_TOKEN: bot.token,
  });
  mkdirSync(other.home, { recursive: true, mode: 0o700 });
  mkdirSync(join(other.home, "state.db"));
  await restart(other, 1, "ERR_STORE_DAMAGED");
  expect(bot.texts()).toHaveLength(2);
  expect(readdirSync(other.home).filter((name) => name.startsWith("told."))).toEqual([]);
});
