import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { startBotApi } from "../support/bot-api-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { openBeside } from "../support/open-beside.ts";
import { openPhone } from "../support/phone.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox, phoneConfig } from "./papayu.ts";

const OWNER = 501;
const LOOKS = 12;

test("a daemon whose database another program locks stays awake, and answers afterwards", async () => {
  using dir = tempDir();
  writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
  await using bot = await startBotApi();
  let holder: Database | undefined;
  await using model = startModelServer(({ body }) => {
    const said = String(body.messages.at(-1)?.content);
    // The lock comes in the middle of a turn.
    if (said.includes("second")) holder = lock(path);
    return { kind: "text", text: said.includes("second") ? "Answer two" : "Answer one" };
  });
  const sandbox = createSandbox(
    dir.path,
    `${phoneConfig(model.url, bot.url, OWNER)}[[workspaces]]
name = "notes"
path = "./notes"
check = false
`,
    { TELEGRAM_BOT_TOKEN: bot.token },
  );
  const path = join(sandbox.home, "state.db");
  await using daemon = await sandbox.start();
  const phone = openPhone(bot, OWNER);
  await bot.waitFor(() => bot.calls.some(({ method }) => method === "getUpdates"));

  holder = lock(path);
  bot.say(OWNER, "the first message");
  for (let look = 0; look < LOOKS; look++) {
    const { report } = await sandbox.json("status");
    expect(report).toMatchObject({ running: true });
  }
  expect(bot.texts(OWNER)).toEqual([]);
  letGo(holder);
  holder = undefined;
  await phone.waitForText("Answer one");

  bot.say(OWNER, "the second message");
  await bot.waitFor(() => holder !== undefined);
  for (let look = 0; look < LOOKS; look++) {
    const { report } = await sandbox.json("status");
    expect(report).toMatchObject({ running: true });
  }
  if (holder) letGo(holder);
  await phone.waitForText("Answer two");
  expect(bot.texts(OWNER)).toEqual(["Answer one", "Answer two"]);
  expect(daemon.log()).not.toMatch(/locked|INTERNAL_ERROR|UPDATE_FAILED|TELEGRAM_FAILED/);
});

function lock(path: string): Database {
  const database = openBeside(path); // the daemon may be writing just now
  database.run("BEGIN IMMEDIATE");
  return database;
}

function letGo(database: Database): void {
  database.run("ROLLBACK");
  database.close();
}
