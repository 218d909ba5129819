import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CONNECTIONS, CONNECTIONS_VARIABLE, mostTurns } from "../../src/system/own/connections.ts";
import { type BotApiServer, startBotApi } from "../support/bot-api-server.ts";
import { event } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { createSandbox, phoneConfig } from "./papayu.ts";

const PEOPLE = Array.from({ length: 300 }, (_, index) => 1000 + index);
/** What a turn that waits for its model may hold, with what the servers of this process hold of it. */
const WAITING_TURN_BYTES = 300_000;

test("all people wait for the model at once where the daemon was started for it", async () => {
  using dir = tempDir();
  await using bot = await startBotApi();
  await using model = startGatedModel();
  const env = { [CONNECTIONS_VARIABLE]: `${CONNECTIONS}` };
  await using _daemon = await sandboxOf(dir.path, model.url, bot).start(undefined, env);
  for (const person of PEOPLE) bot.say(person, "How are you?");
  await bot.waitFor(() => model.asked() === PEOPLE.length);
  expect(bot.sent()).toEqual([]);
  model.open();
  await bot.waitFor(() => bot.texts().filter((text) => text === "Good.").length === PEOPLE.length);
});

test("a bot whose every turn waits for the model hears and answers, and each holds little", async () => {
  using dir = tempDir();
  await using bot = await startBotApi();
  await using model = startGatedModel();
  const sandbox = sandboxOf(dir.path, model.url, bot, { [CONNECTIONS_VARIABLE]: "" });
  await using _daemon = await sandbox.host();
  const most = mostTurns({});
  bot.say(1, "Who are you?");
  await bot.waitFor(() => model.asked() === 1); // what is loaded once is there
  const before = heldBytes();
  for (const person of PEOPLE) bot.say(person, "How are you?");
  await bot.waitFor(() => model.asked() === most);
  const each = (heldBytes() - before) / (most - 1);
  expect(each, "bytes of a turn that waits").toBeLessThanOrEqual(WAITING_TURN_BYTES);
  bot.say(1, "/cancel");
  await bot.waitFor(() => model.asked() === most + 1); // its place went to the next
  await bot.waitForText(/ancel/);
  const { stdout } = await sandbox.run("doctor");
  expect(stdout).toContain(
    `channel telegram: only ${most} messages are answered at a time, fewer than agent.max_parallel_turns says`,
  );
  model.open();
  await bot.waitFor(() => bot.texts().filter((text) => text === "Good.").length === PEOPLE.length);
});

/** A model whose answers wait until it is opened, and that keeps nothing of what it is asked. */
function startGatedModel() {
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch() {
      asked += 1;
      await gate.promise;
      const stream = `${event({ delta: { content: "Good." } })}${event({ delta: {}, finish_reason: "stop" })}`;
      const headers = { "content-type": "text/event-stream" };
      return new Response(`${stream}data: [DONE]\n\n`, { headers });
    },
  });
  return {
    url: `${server.url.origin}/v1`,
    asked: () => asked,
    open: gate.resolve,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function heldBytes(): number {
  Bun.gc(true);
  return heapStats().heapSize;
}

function sandboxOf(
  dir: string,
  modelUrl: string,
  bot: BotApiServer,
  env: Record<string, string> = {},
) {
  mkdirSync(join(dir, "notes"));
  const config = `${phoneConfig(modelUrl, bot.url, 1, ...PEOPLE)}[http]
enabled = false
[agent]
max_parallel_turns = 512
[[workspaces]]
name = "notes"
path = "./notes"
check = false
`;
  return createSandbox(dir, config, { TELEGRAM_BOT_TOKEN: bot.token, ...env });
}
