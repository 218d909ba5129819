import { expect, test } from "bun:test";
import { join } from "node:path";
import { type BotApiServer, type Fault, startBotApi } from "../support/bot-api-server.ts";
import { tellFigures } from "../support/figures.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { createSandbox, type RunningDaemon } from "./papayu.ts";

/**
 * `npm run test:long -- durability` is the long form. A run can be repeated up to the moments of
 * its kills: `DURABILITY_SEED`.
 */
const UPDATES = Number(process.env["UPDATES"] ?? 60);
const KILLS = Number(process.env["KILLS"] ?? 3);
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

test(
  `the daemon answers ${UPDATES} messages once each over ${KILLS} kills, faults and redeliveries`,
  async () => {
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
    let daemon: RunningDaemon | undefined = await sandbox.start();
    let sent = 0;
    for (let kill = 0; kill <= KILLS; kill++) {
      const until = Math.floor((UPDATES * (kill + 1)) / (KILLS + 1));
      while (sent < until) {
        const burst = Math.min(until - sent, 1 + dice(20));
        for (const _ of Array(burst).keys()) {
          const number = sent++;
          const update = bot.say(FIRST_CHAT + dice(CHATS), `message ${number}`);
          if (dice(10) === 0) bot.redeliver(update);
        }
        const { method, fault } = FAULTS[dice(FAULTS.length * 3)] ?? {};
        if (method !== undefined && fault && dice(5) === 0) bot.fail(method, fault);
        await Bun.sleep(dice(10));
      }
      // Whoever fails too often is asked too seldom: a storm is over some time.
      bot.heal();
      if (kill === KILLS) break;
      await Bun.sleep(300 + dice(700));
      daemon?.kill("SIGKILL");
      await daemon?.exited;
      // Sent while nothing runs: Telegram keeps it.
      for (const _ of Array(Math.min(3, UPDATES - sent)).keys()) {
        bot.say(FIRST_CHAT + dice(CHATS), `message ${sent++}`);
      }
      daemon = await sandbox.start();
    }
    let lookedAt = 0;
    const isAnswered = () => {
      // A look at ten thousand messages takes its time.
      if (performance.now() - lookedAt < 20 + UPDATES / 20) return false;
      lookedAt = performance.now();
      const texts = new Set(bot.texts().map(withoutDoubt));
      return Array.from({ length: UPDATES }, (_, n) => `You said message ${n}.`).every((text) =>
        texts.has(text),
      );
    };
    await bot.waitFor(isAnswered, 60_000 + UPDATES * 20);
    const seconds = (performance.now() - startedAt) / 1000;
    await using _ = daemon;

    const table = tally(bot);
    const counts = { seed: SEED, updates: UPDATES, kills: KILLS, seconds: Math.round(seconds) };
    tellFigures("durability", { ...counts, ...table });
    expect({ seed: SEED, ...table }).toMatchObject({ missing: 0, twice: 0, outOfOrder: 0 });
    expect(daemon?.log()).not.toContain("INTERNAL_ERROR");
  },
  Math.max(600_000, UPDATES * 60),
);

const DOUBT = "(may be a duplicate) ";

function withoutDoubt(text: string): string {
  return text.startsWith(DOUBT) ? text.slice(DOUBT.length) : text;
}

/** How often each message was answered, and in which order. */
function tally(bot: BotApiServer) {
  const certain = new Map<number, number>();
  const doubtful = new Map<number, number>();
  let outOfOrder = 0;
  const newest = new Map<number, number>();
  for (const { chatId, text } of bot.sent()) {
    const number = Number(
      /^You said message (\d+)\.$/u.exec(withoutDoubt(text))?.[1] ?? Number.NaN,
    );
    if (Number.isNaN(number)) continue;
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
