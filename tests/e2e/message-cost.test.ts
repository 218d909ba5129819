import { Database } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { listCopies } from "../../src/store/open/open.ts";
import { type BotApiServer, startBotApi } from "../support/bot-api-server.ts";
import { countWrites } from "../support/count-writes.ts";
import { startModelServer } from "../support/model-server.ts";
import { openBeside } from "../support/open-beside.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { countCommits } from "../support/wal-commits.ts";
import { createSandbox, phoneConfig } from "./papayu.ts";

const FIRST_PERSON = 1000;
const MESSAGES = 32;

/**
 * What a message that is answered in words costs, from the update to the mark that its answer was
 * sent, whatever else goes on meanwhile. A number may be raised with a line that says what for; one
 * that is not reached is lowered.
 */
const COSTS = {
  // Received; begun; said and reserved; paid and answered; put out; about to be sent; sent. Two writes
  // for each of the 22 pages of these commits, five for the trace and for what wakes the network's thread.
  "of one person": { people: 1, commits: 7, statements: 13, settings: 0, prepared: 0, writes: 50 },
  // What many chats ask for in one tick is in one commit, however slow the machine. A fast one writes
  // seven times, and more the more ticks it takes.
  "of many at once": {
    people: MESSAGES,
    commits: 4,
    statements: 13,
    settings: 0,
    prepared: 0,
    writes: 16,
  },
} as const;

/** Asked again and again while somebody waits for an answer, so that a slow machine asks more often. */
const OF_WAITING = /paired_users|^PRAGMA|^BEGIN|^COMMIT|^ROLLBACK|^SAVEPOINT|^RELEASE/u;
/** What the daemon does now and then beside it, where that falls in between: routines, and the copy of the day. */
const OF_UPKEEP = /\broutine|NOT INDEXED|^VACUUM|sqlite_master|pragma_page_count/u;

test.each(Object.entries(COSTS))("a message %s costs what it must", async (_, cost) => {
  using dir = tempDir();
  mkdirSync(join(dir.path, "notes"));
  await using bot = await startBotApi();
  await using model = startModelServer(() => ({ kind: "text", text: "Good.", chunkChars: 100 }));
  const people = Array.from({ length: cost.people }, (_each, index) => FIRST_PERSON + index);
  const sandbox = createSandbox(dir.path, toConfig(model.url, bot.url, people), {
    TELEGRAM_BOT_TOKEN: bot.token,
  });
  await using _daemon = await sandbox.host();
  const path = join(sandbox.home, "state.db");
  using beside = openBeside(path);
  const marked = beside.query<{ n: number }, []>(
    "SELECT count(*) AS n FROM outbox WHERE state = 'sent'",
  );
  const sayOnce = () => sayAll(bot, people, () => marked.get()?.n ?? 0);
  await sayOnce(); // what is loaded and looked at once
  await until(() => listCopies(sandbox.home).length > 0); // of the day: written once, beside messages
  const commits = countCommits(path);
  const writes = countWrites();
  using asked = spyOn(Database.prototype, "query");
  using prepared = spyOn(Database.prototype, "prepare");
  for (let said = 0; said < MESSAGES; said += people.length) await sayOnce();
  const written = countWrites() - writes;
  const isOfMessages = (sql: string) => !OF_WAITING.test(sql) && !OF_UPKEEP.test(sql);
  const statements = asked.mock.calls.filter(([sql]) => isOfMessages(sql));
  const found = {
    commits: countCommits(path) - commits,
    statements: statements.length,
    settings: statements.filter(([sql]) => / settings\b/u.test(sql)).length,
    prepared: prepared.mock.calls.filter(([sql]) => isOfMessages(sql)).length,
    writes: written,
  };
  for (const kind of ["commits", "statements", "settings", "prepared", "writes"] as const) {
    expect(found[kind] / MESSAGES, `${kind} of a message`).toBeLessThanOrEqual(cost[kind]);
  }
  expect(found.writes, "every commit is written").toBeGreaterThan(found.commits);
  expect(readdirSync(join(dir.path, "notes"))).toEqual([".papa-yu"]);
});

function toConfig(modelUrl: string, botUrl: string, people: readonly number[]): string {
  return `${phoneConfig(modelUrl, botUrl, ...people)}[http]
enabled = false
[[workspaces]]
name = "notes"
path = "./notes"
check = false
`;
}

/** Everybody says something at once, and all are answered. */
async function sayAll(
  bot: BotApiServer,
  people: readonly number[],
  countMarked: () => number,
): Promise<void> {
  const expected = countMarked() + people.length;
  for (const person of people) bot.say(person, "How are you?");
  // That it was sent is the last that is written of a message.
  await bot.waitFor(() => countMarked() === expected);
}
