import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makeData, NEEDLE, type Sizes } from "../../bench/size-data.ts";
import { startBotApi } from "../support/bot-api-server.ts";
import { openBeside } from "../support/open-beside.ts";
import { tempDir } from "../support/temp.ts";
import { createSandbox } from "./papayu.ts";

/** The same as `bun run bench size` makes, over each bound by a little. */
const SMALL: Sizes = {
  files: 450,
  logBytes: 3 * 1024 * 1024,
  rows: 2000,
  transactions: 300,
  notes: 520,
  traces: 30,
};
const OWNER = 1000;

test("over every bound by a little, each command sees all or says what it left out", async () => {
  using dir = tempDir();
  await using bot = await startBotApi();
  mkdirSync(join(dir.path, "past"));
  const folders = ["files", "log", "past"].map(
    (name) => `[[workspaces]]\nname = "${name}"\npath = "./${name}"\ncheck = false\n`,
  );
  const phone = `[telegram]\napi_root = "${bot.url}"\nallowed_user_ids = [${OWNER}]\n`;
  const config = `${phone}[http]\nenabled = false\n${folders.join("")}`;
  const sandbox = createSandbox(dir.path, config, { TELEGRAM_BOT_TOKEN: bot.token });
  await makeData(dir.path, sandbox.home, SMALL, bot.botId);
  const said = async (...args: readonly string[]) => (await sandbox.run(...args)).stdout.trim();

  expect(await said("tool", "list_files", "{}", "-w", "files")).toEndWith(
    "\n… 50 more not shown: name a folder",
  );
  const query = JSON.stringify({ query: NEEDLE });
  expect(await said("tool", "search_files", query, "-w", "files")).toEndWith(NEEDLE);
  expect(await said("tool", "search_files", query, "-w", "log")).toMatch(
    /^server\.log:\d{5}: .*the needle in the hay$/u,
  );
  expect(await said("plan", "what is missing?", "-w", "files")).toContain("of 450 files");
  expect((await said("history", "-w", "past")).split("\n")).toHaveLength(SMALL.transactions);
  expect(await said("undo", "-w", "past")).toContain("update a.txt");
  expect(await said("report", "-w", "past")).toContain("20 applies");
  expect(await said("trace", "list", "-w", "past")).toMatch(/… .*\b20 of \d+.*$/u);
  expect(await said("tool", "recall", '{"query":"house"}', "-w", "past")).toMatch(
    /… \d+ more: ask in narrower words$/u,
  );

  await using daemon = await sandbox.host();
  bot.say(OWNER, "/status");
  await bot.waitForText("sessions");
  // What is in front of a message takes nothing away: that is for later.
  using store = openBeside(join(sandbox.home, "state.db"));
  const count = store.query<{ n: number }, []>("SELECT count(*) AS n FROM inbox").get()?.n ?? 0;
  expect(count).toBeGreaterThan(SMALL.rows);
  await daemon.stop();
});
