import { expect, test } from "bun:test";
import { join } from "node:path";
import { type BotApiServer, type Fault, startBotApi } from "../support/bot-api-server.ts";
import { tellFigures } from "../support/figures.ts";
import { startModelServer } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox, type RunningDaemon } from "./papayu.ts";

/**
 * `npm run test:long -- durability` is the long form. A run can be repeated up to the moments of
 * its kills: `DURABILITY_SEED`.
 */
const UPDATES = Number(process.env["UPDATES"] ?? 45);
const KILLS = Number(process.env["KILLS"] ?? 2);
const SEED = Number(process.env["DURABILITY_SEED"] ?? Math.floor(Math.random() * 1e9));
/** No more people than may be let in by a configuration. */
const CHATS = Math.min(1000, Math.max(5, Math.floor(UPDATES / 10)));
const FIRST_CHAT = 1000;
/** Telegram counts 429 in whole seconds, so that every one of them costs a second. */
const FAULTS: readonly { readonly method: string; readonly fault: Fault }[] = [
  { method: "sendMessage", fault: { kind: "status", status: 502, description: "Bad Gateway" } },
  { method: "sendMessage", fault: { kind: "reset" } },
  { method: "getUpdates", fault: { kind: "reset" } },
  { method: "getUpdates", fault: { kind: "status", status: 500, description: "Internal" } },
  {
    method: "sendMessage",
    fault: { kind: "status", status: 429, description: "Too Many Requests", retryAfterSeconds: 1 },
  },
];

/** A small generator with a seed, so that a failing run can be looked at again. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

test(`the daemon answers ${UPDATES} messages once each over ${KILLS} kills, faults and redeliveries`, async () => {
  using dir = tempDir();
  writeTree(join(dir.path, "notes"), { "a.txt": "a\n" });
  await using bot = await startBotApi();
  await using model = startModelServer((request) => {
    const said = request.body.messages.findLast(({ role }) => role === "user")?.content ?? "";
    return { kind: "text", text: `You said ${said}.`, chunkChars: 1000 };
  });
  const users = Array.from({ length: CHATS }, (_, index) => FIRST_CHAT + index);
  const sandbox = createSandbox(
    dir.path,
    `[default]\nprovider = "local"\n[providers.local]\nbase_url = "${model.url}"\nmodel = "scripted"
[telegram]\napi_root = "${bot.url}"\nallowed_user_ids = [${users.join()}]
[http]\nenabled = false\n[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n`,
    { TELEGRAM_BOT_TOKEN: bot.token },
  );
  const dice = createDice(SEED);
  const startedAt = performance.now();
  const answers = countAnswers(bot);
  let daemon: RunningDaemon = await sandbox.start();
  const end = new AbortController();
  const over = end.signal;
  await using _ = {
    async [Symbol.asyncDispose]() {
      end.abort();
      await daemon[Symbol.asyncDispose]();
    },
  };
  /** So many messages may wait for an answer. */
  let backlog = 0;

  async function untilAnswered(count: number): Promise<void> {
    while (answers() < count) {
      const before = answers();
      await until(
        () => answers() > before,
        () => `no answer came after ${before} of ${UPDATES}`,
      );
    }
  }

  async function send(): Promise<void> {
    let sent = 0;
    while (sent < UPDATES) {
      if (over.aborted) return;
      const room = Math.min(UPDATES - sent, answers() + backlog - sent);
      const burst = Math.max(0, Math.min(room, 1 + dice(20)));
      for (let left = burst; left > 0; left--) {
        const update = bot.say(FIRST_CHAT + dice(CHATS), `message ${sent++}`);
        if (dice(10) === 0) bot.redeliver(update);
      }
      // A storm passes: whoever fails all the time is asked ever more seldom.
      if (dice(20) === 0) bot.heal();
      const { method, fault } = FAULTS[dice(FAULTS.length * 3)] ?? {};
      if (burst > 0 && method !== undefined && fault && dice(5) === 0) bot.fail(method, fault);
      await Bun.sleep(dice(10));
    }
  }

  /**
   * A daemon is killed when it has done some work, however long that takes this machine: one that
   * is always killed before that gets nowhere, and may well call a message deadly.
   */
  async function killAgainAndAgain(): Promise<void> {
    for (let kill = 1; kill <= KILLS; kill++) {
      backlog = Math.ceil(UPDATES / ([4, 100, 2000][dice(3)] ?? 4));
      const share = (UPDATES - KILLS) / (KILLS + 1);
      await untilAnswered(Math.floor(share * (kill - dice(100) / 100)));
      daemon.kill("SIGKILL");
      await daemon.exited;
      await Bun.sleep(dice(50)); // what is sent now, Telegram keeps
      bot.heal();
      daemon = await sandbox.start();
    }
    backlog = UPDATES;
  }

  await Promise.all([send(), killAgainAndAgain()]);
  bot.heal();
  await untilAnswered(UPDATES);
  const seconds = (performance.now() - startedAt) / 1000;

  const table = tally(bot);
  const counts = { seed: SEED, updates: UPDATES, kills: KILLS, seconds: Math.round(seconds) };
  tellFigures("durability", { ...counts, ...table });
  expect({ seed: SEED, ...table }).toMatchObject({ missing: 0, twice: 0, outOfOrder: 0 });
  expect(daemon.log()).not.toContain("INTERNAL_ERROR");
});

/** How many of the messages have an answer by now; each answer is looked at once. */
function countAnswers(bot: BotApiServer): () => number {
  const answered = new Set<number>();
  let seen = 0;
  return () => {
    const sent = bot.sent();
    for (; seen < sent.length; seen++) {
      const number = toNumber(sent[seen]?.text ?? "");
      if (number !== undefined) answered.add(number);
    }
    return answered.size;
  };
}

const DOUBT = "(may be a duplicate) ";

/** The number of the message that this answers, labelled as doubtful or not. */
function toNumber(text: string): number | undefined {
  const said = text.startsWith(DOUBT) ? text.slice(DOUBT.length) : text;
  const number = /^You said message (\d+)\.$/u.exec(said)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** How often each message was answered, and in which order. */
function tally(bot: BotApiServer) {
  const certain = new Map<number, number>();
  const doubtful = new Map<number, number>();
  let outOfOrder = 0;
  const newest = new Map<number, number>();
  for (const { chatId, text } of bot.sent()) {
    const number = toNumber(text);
    if (number === undefined) continue;
    const counts = text.startsWith(DOUBT) ? doubtful : certain;
    counts.set(number, (counts.get(number) ?? 0) + 1);
    if (number < (newest.get(chatId) ?? -1) && !text.startsWith(DOUBT)) outOfOrder += 1;
    newest.set(chatId, Math.max(number, newest.get(chatId) ?? -1));
  }
  const numbers = Array.from({ length: UPDATES }, (_, number) => number);
  return {
    answered: numbers.filter((number) => certain.has(number) || doubtful.has(number)).length,
    missing: numbers.filter((number) => !certain.has(number) && !doubtful.has(number)).length,
    /** The same answer more than once, with nothing that says so. */
    twice: numbers.filter((number) => (certain.get(number) ?? 0) > 1).length,
    labelled: numbers.filter((number) => doubtful.has(number)).length,
    outOfOrder,
  };
}
