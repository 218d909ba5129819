import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type RunningDaemon, type Sandbox } from "../tests/e2e/papayu.ts";
import { type BotApiServer, startBotApi } from "../tests/support/bot-api-server.ts";
import { type ModelServer, startModelServer } from "../tests/support/model-server.ts";
import { until } from "../tests/support/patience.ts";
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

/** What a process took for messages of one person at a time, and then of a crowd. */
interface Figures {
  readonly alone: readonly Timing[];
  readonly crowd: readonly Timing[];
  readonly aSecond: number;
  readonly messageMs: number;
  readonly idleMb: number;
  readonly afterMb: number;
  readonly problems: number;
}

/**
 * 10,000 messages from 1,000 chats through the real daemon, the real clients and servers on
 * loopback, after a few hundred of one person at a time, and through a bare bot with the same
 * clients; `MESSAGES=1000` is shorter. Linux only.
 */
export async function benchSoak(): Promise<string> {
  const own = await measure(({ dir, bot, model }) => openSandbox(dir, bot, model).start());
  const bare = await measure(startBare);
  const row = (name: string, of: (figures: Figures) => number, unit: string) => {
    const [mine, floor] = [of(own), of(bare)];
    const ratio = (mine / floor).toFixed(2);
    return `| ${name} | ${mine.toFixed(2)}${unit} | ${floor.toFixed(2)}${unit} | ${ratio} |`;
  };
  return [
    "| figure | papa-yu | bare bot | ratio |",
    "|---|---:|---:|---:|",
    row("one person at a time: update → model, median", at("alone", "toModelMs", 0.5), " ms"),
    row("model → phone, median", at("alone", "toPhoneMs", 0.5), " ms"),
    row("the whole way, median", at("alone", "wholeMs", 0.5), " ms"),
    row("the whole way, p99", at("alone", "wholeMs", 0.99), " ms"),
    row(`${MESSAGES} messages, ${CROWD} waiting: a second`, ({ aSecond }) => aSecond, ""),
    row("the whole way there, median", at("crowd", "wholeMs", 0.5), " ms"),
    row("the whole way there, p99", at("crowd", "wholeMs", 0.99), " ms"),
    row("processor time a message", ({ messageMs }) => messageMs, " ms"),
    row("memory before the first message", ({ idleMb }) => idleMb, " MB"),
    row("memory after the last", ({ afterMb }) => afterMb, " MB"),
    `| errors in the log | ${own.problems} | ${bare.problems} | |`,
  ].join("\n");
}

/** Servers on loopback, and where a process may keep what it stores. */
interface World {
  readonly dir: string;
  readonly bot: BotApiServer;
  readonly model: ModelServer;
}

async function measure(
  start: (world: World) => Promise<Pick<RunningDaemon, "pid" | "log"> & AsyncDisposable>,
): Promise<Figures> {
  using dir = tempDir("papayu-bench-");
  await using bot = await startBotApi();
  const askedAt = new Map<string, number>();
  await using model = startModelServer(({ body }) => {
    const said = body.messages.findLast(({ role }) => role === "user")?.content ?? "";
    askedAt.set(said, performance.now());
    return { kind: "text", text: `You said ${said}.`, chunkChars: 1000 };
  });
  await using daemon = await start({ dir: dir.path, bot, model });
  const idleMb = rssMb(daemon);
  const alone = await converse(bot, askedAt, { from: 0, count: ALONE, atOnce: 1 });
  const cpuBefore = cpuMs(daemon);
  const startedAt = performance.now();
  const crowd = await converse(bot, askedAt, { from: ALONE, count: MESSAGES, atOnce: CROWD });
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    alone,
    crowd,
    aSecond: MESSAGES / seconds,
    messageMs: (cpuMs(daemon) - cpuBefore) / MESSAGES,
    idleMb,
    afterMb: rssMb(daemon),
    problems: daemon.log().match(/INTERNAL_ERROR|_FAILED/g)?.length ?? 0,
  };
}

/** The floor, as a process of its own. */
async function startBare({ dir, bot, model }: World) {
  const command = [process.execPath, BARE, bot.url, model.url, join(dir, "bare.db")];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  let log = "";
  const read = async () => {
    for await (const chunk of child.stderr) log += new TextDecoder().decode(chunk);
  };
  void read();
  await until(() => log.includes("DAEMON_READY"));
  return {
    pid: child.pid,
    log: () => log,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

const BARE = join(import.meta.dir, "bare-bot.ts");

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

/** A quantile of what one part of the way took. */
function at(who: "alone" | "crowd", key: keyof Timing, quantile: number) {
  return (figures: Figures) => {
    const sorted = figures[who].map((timing) => timing[key]).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length * quantile)] ?? 0;
  };
}

function rssMb({ pid }: Pick<RunningDaemon, "pid">): number {
  const found = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(found) / 1024);
}

function cpuMs({ pid }: Pick<RunningDaemon, "pid">): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ");
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}
