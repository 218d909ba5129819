/**
 * `npm run message-files`: the files of `src/` that one Telegram message `plan: …` goes through,
 * by room. A daemon runs with every function instrumented, a phone and a model are played on
 * loopback, and a file counts when one of its functions is entered between the message and the
 * plan that answers it. The message is the second one: the first loads what is loaded once.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, phoneConfig } from "../tests/e2e/papayu.ts";
import { startBotApi } from "../tests/support/bot-api-server.ts";
import { startModelServer } from "../tests/support/model-server.ts";
import { tempDir } from "../tests/support/temp.ts";
import { writeTree } from "../tests/support/tree.ts";
import { readImportGraph, roomOf } from "./import-graph.ts";

const OWNER = 501;
const { files, loaded } = await followMessage();
const graph = await readImportGraph(join(import.meta.dir, "../src"));
const rooms = Map.groupBy(files.toSorted(), roomOf);
for (const [room, own] of [...rooms].toSorted(([, one], [, other]) => other.length - one.length)) {
  console.log(`${room}  ${own.length}`);
  for (const file of own) {
    const lines = graph.files.get(file)?.lines ?? 0;
    console.log(`  ${`${lines}`.padStart(3)}  ${file}`);
  }
}
console.log(`${files.length} files in ${rooms.size} rooms; the first message: ${loaded.length}`);

/** What the second message enters, and what the first one did, with all that it loads. */
async function followMessage(): Promise<Record<"files" | "loaded", readonly string[]>> {
  using dir = tempDir("papayu-message-");
  writeTree(join(dir.path, "w"), {
    "README.md": "# Tiny\n",
    "src/add.ts": "export const a = 1;\n",
  });
  await using bot = await startBotApi();
  let plans = 0;
  await using model = startModelServer(() => {
    plans += 1;
    return { kind: "text", text: JSON.stringify({ actions: [], summary: `Plan ${plans}: add` }) };
  });
  const log = join(dir.path, "entries");
  const config = `${phoneConfig(model.url, bot.url, OWNER)}[[workspaces]]\nname = "w"\npath = "./w"\n`;
  const sandbox = createSandbox(dir.path, config, {
    TELEGRAM_BOT_TOKEN: bot.token,
    ENTRIES_LOG: log,
  });
  await using daemon = await sandbox.start(
    join(import.meta.dir, "message-files/record-entries.ts"),
  );

  const plan = async (number: number) => {
    daemon.kill("SIGUSR2");
    await daemon.waitForLog(new RegExp(`(ENTRIES_BEGIN[^]*){${number}}`, "u"));
    bot.say(OWNER, `plan: add a line to README.md, part ${number}`);
    await bot.waitForText(`Plan ${number}: add`);
    daemon.kill("SIGUSR2");
    await daemon.waitForLog(new RegExp(`(ENTRIES_END[^]*){${number}}`, "u"));
    return readFileSync(log, "utf8").split("\n");
  };
  const first = await plan(1);
  return { loaded: first, files: await plan(2) };
}
