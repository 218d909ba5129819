import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type RunningDaemon, type Sandbox } from "../tests/e2e/papayu.ts";
import { type BotApiServer, startBotApi } from "../tests/support/bot-api-server.ts";
import { type ModelServer, startModelServer } from "../tests/support/model-server.ts";
import { tempDir } from "../tests/support/temp.ts";

const CHATS = 1000;
const FIRST_CHAT = 1000;
const MESSAGES = Number(process.env["MESSAGES"] ?? 10_000);
/** Messages that wait for an answer at a time: a crowd, and one person. */
const CROWD = 64;
const ALONE = 300;
/** A tick of the processor's clock in /proc. */
const TICK_MS = 10;

/** What one message took. */
interface Timing {
  readonly toModelMs: number;
  readonly toPhoneMs: number;
  readonly wholeMs: number;
}

/**
 * 10,000 messages from 1,000 chats through the real daemon, the real clients and servers on
 * loopback, after a few hundred of one person at a time; `MESSAGES=1000` is shorter. Linux only.
 */
export async function benchSoak(): Promise<string> {
  using dir = tempDir("papayu-bench-");
  await using bot = await startBotApi();
  const askedAt = new Map<string, number>();
  await using model = startModelServer(({ body }) => {
    const said = body.messages.findLast(({ role }) => role === "user")?.content ?? "";
    askedAt.set(said, performance.now());
    return { kind: "text", text: `You said ${said}.`, chunkChars: 1000 };
  });
  await using daemon = await openSandbox(dir.path, bot, model).start();
  const alone = await converse(bot, askedAt, { from: 0, count: ALONE, atOnce: 1 });
  const [rssBefore, cpuBefore] = [rssMb(daemon), cpuMs(daemon)];
  const startedAt = performance.now();
  const crowd = await converse(bot, askedAt, { from: ALONE, count: MESSAGES, atOnce: CROWD });
  const seconds = (performance.now() - startedAt) / 1000;
  const problems = daemon.log().match(/INTERNAL_ERROR|_FAILED/g)?.length ?? 0;
  return [
    "| figure | |",
    "|---|---:|",
    `| messages of one person at a time: update → model, median | ${show(alone, "toModelMs", 0.5)} |`,
    `| model → phone, median | ${show(alone, "toPhoneMs", 0.5)} |`,
    `| the whole way, median and p99 | ${show(alone, "wholeMs", 0.5)}, ${show(alone, "wholeMs", 0.99)} |`,
    `| ${MESSAGES} messages from ${CHATS} chats, ${CROWD} waiting at a time | ${(MESSAGES / seconds).toFixed(0)} a second |`,
    `| the whole way there, median and p99 | ${show(crowd, "wholeMs", 0.5)}, ${show(crowd, "wholeMs", 0.99)} |`,
    `| processor time a message | ${((cpuMs(daemon) - cpuBefore) / MESSAGES).toFixed(1)} ms |`,
    `| memory before and after | ${rssBefore}, ${rssMb(daemon)} MB |`,
    `| errors in the log | ${problems} |`,
  ].join("\n");
}

function openSandbox(dir: string, bot: BotApiServer, model: ModelServer): Sandbox {
  mkdirSync(join(dir, "notes"));
  const users = Array.from({ length: CHATS }, (_, index) => FIRST_CHAT + index);
  const config = `[default]\nprovider = "local"\n[providers.local]\nbase_url = "${model.url}"\nmodel = "scripted"
[telegram]\napi_root = "${bot.url}"\nallowed_user_ids = [${users.join()}]
[http]\nenabled = false\n[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n`;
  return createSandbox(dir, config, { TELEGRAM_BOT_TOKEN: bot.token });
}

/** Says `count` messages, never more than `atOnce` unanswered, and times every one. */
async function converse(
  bot: BotApiServer,
  askedAt: ReadonlyMap<string, number>,
  { from, count, atOnce }: { from: number; count: number; atOnce: number },
): Promise<readonly Timing[]> {
  const saidAt = new Map<string, number>();
  const timings: Timing[] = [];
  const shownBefore = bot.sent().length;
  while (timings.length < count) {
    while (saidAt.size < count && saidAt.size - timings.length < atOnce) {
      const number = from + saidAt.size;
      const text = `message ${number}`;
      saidAt.set(text, performance.now());
      bot.say(FIRST_CHAT + ((number * 7919) % CHATS), text);
    }
    const now = performance.now();
    for (const { text } of bot.sent().slice(shownBefore + timings.length)) {
      const said = /message \d+/.exec(text)?.[0] ?? "";
      const [sentAt = now, modelAt = now] = [saidAt.get(said), askedAt.get(said)];
      const [toModelMs, toPhoneMs] = [modelAt - sentAt, now - modelAt];
      timings.push({ toModelMs, toPhoneMs, wholeMs: now - sentAt });
    }
    await Bun.sleep(1);
  }
  return timings;
}

function show(timings: readonly Timing[], key: keyof Timing, quantile: number): string {
  const sorted = timings.map((timing) => timing[key]).toSorted((a, b) => a - b);
  return `${(sorted[Math.floor(sorted.length * quantile)] ?? 0).toFixed(1)} ms`;
}

function rssMb({ pid }: RunningDaemon): number {
  const found = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(found) / 1024);
}

function cpuMs({ pid }: RunningDaemon): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ");
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}
