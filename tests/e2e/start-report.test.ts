import { expect, test } from "bun:test";
import { join } from "node:path";
import { startBotApi } from "../support/bot-api-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { openBeside } from "../support/open-beside.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox } from "./papayu.ts";

const OWNER = 501;
const HOUR_MS = 3_600_000;
/** Half an hour from now: no hour of the routine passes while the test runs. */
const FAR_MINUTE = (new Date().getMinutes() + 30) % 60;

test("after kill -9 the phone gets one report: what is answered now, what was missed, what waits", async () => {
  using dir = tempDir();
  writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
  await using bot = await startBotApi();
  let answers = false;
  await using model = startModelServer(({ body }) => {
    const { content } = body.messages.at(-1) ?? {};
    if (String(content).startsWith("remember")) return { kind: "text", text: "noted" };
    return answers ? { kind: "text", text: "the answer at last" } : { kind: "hang" };
  });
  const sandbox = createSandbox(
    dir.path,
    `
[default]
provider = "m"
language = "ru"
[providers.m]
base_url = "${model.url}"
model = "x"
[telegram]
api_root = "${bot.url}"
allowed_user_ids = [${OWNER}]
[[workspaces]]
name = "notes"
path = "./notes"
check = false
[[routines.jobs]]
name = "tidy"
schedule = "${FAR_MINUTE} * * * *"
mode = "plan"
workspace = "notes"
task = "add what a newcomer would miss"
misfire = "skip"
`,
    { TELEGRAM_BOT_TOKEN: bot.token },
  );

  const first = await sandbox.start();
  bot.say(OWNER, "how long is the coast?");
  await bot.waitFor(() => model.requests.length > 0);
  first.kill("SIGKILL");
  await first.exited;
  pretendHoursPassed(join(sandbox.home, "state.db"), 3);
  answers = true;

  const second = await sandbox.host();
  const { text } = await bot.waitForText("снова работает");
  expect(text).toContain("Завершился аварийно");
  expect(text).toContain("• how long is the coast?");
  expect(text).toContain("• tidy ×3");
  await bot.waitForText("the answer at last");
  await second.stop();

  await using _third = await sandbox.host();
  bot.say(OWNER, "remember the milk");
  await bot.waitForText("noted");
  expect(bot.texts().filter((each) => each.includes("снова работает"))).toHaveLength(1);
});

/** Sets back what the daemon wrote about when it lived and looked at its routines. */
function pretendHoursPassed(path: string, hours: number): void {
  using database = openBeside(path);
  const ms = hours * HOUR_MS;
  database.run("UPDATE routine_watch SET since = since - ?1, floor = floor - ?1", [ms]);
  database.run(
    `UPDATE settings SET value = json_set(value, '$.aliveAt', json_extract(value, '$.aliveAt') - ?)
     WHERE key = 'daemon.life'`,
    [ms],
  );
}
