import { expect, test } from "bun:test";
import { join } from "node:path";
import { startBotApi } from "../support/bot-api-server.ts";
import { type Pace, startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox, phoneConfig } from "./papayu.ts";

const OWNER = 501;

test("an answer cut off by a kill becomes whole in the message that was begun", async () => {
  using dir = tempDir();
  await using bot = await startBotApi();
  const text = `It begins. ${"A **word** or two. ".repeat(12)}It ends.`;
  /** Goes on when the beginning was shown, so that there is something to change, and never ends. */
  const isBegun = () => bot.texts(OWNER).some((each) => each.includes("It begins."));
  let pace: Pace | undefined = (sent) =>
    sent === 2 ? bot.waitFor(isBegun) : sent === 12 ? new Promise(() => {}) : undefined;
  await using model = startModelServer(() => ({
    kind: "text",
    text,
    chunkChars: 8,
    ...(pace && { pace }),
  }));
  const sandbox = createSandbox(
    dir.path,
    `${phoneConfig(model.url, bot.url, OWNER)}[[workspaces]]
name = "w"
path = "./w"
`,
    { TELEGRAM_BOT_TOKEN: bot.token },
  );
  writeTree(join(dir.path, "w"), { "a.txt": "x\n" });
  const first = await sandbox.start();
  bot.say(OWNER, "tell me");
  const begun = await bot.waitForText("It begins.");
  // A change: the daemon knows by now that the message has arrived.
  await bot.waitFor(() => bot.calls.some(({ method }) => method === "editMessageText"));
  first.kill("SIGKILL");
  await first.exited;
  expect(begun.text).not.toContain("It ends.");

  pace = undefined;
  await using _second = await sandbox.host();
  await bot.waitFor(() => begun.text === text.replaceAll("**", ""));
  expect(bot.texts(OWNER).filter((each) => each.includes("It begins."))).toEqual([begun.text]);
});
