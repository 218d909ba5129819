import { join } from "node:path";
import { Api } from "grammy/web";
import { closeMarkdown, toTelegramHtml } from "../src/channels/telegram/message/markdown.ts";
import { toParts } from "../src/channels/telegram/message/message.ts";
import { createTelegramChannel } from "../src/channels/telegram/telegram-channel.ts";
import { systemClock } from "../src/core/clock.ts";
import { createOutbox } from "../src/store/chats/outbox.ts";
import { openStore } from "../src/store/open/open-database.ts";
import { textsIn } from "../src/texts/texts.ts";
import { type BotApiServer, startBotApi } from "../tests/support/bot-api-server.ts";
import { tempDir } from "../tests/support/temp.ts";
import { median } from "./median.ts";

const OWNER = 77;
const ROUNDS = 200;
const MESSAGES = 30;

/** An answer as models write them. */
const SECTION = (n: number) =>
  `## Part ${n}\n\nSome **bold** words, \`code\` & a [link](https://a.example/x?n=${n}), _so_.\n\n` +
  "- one\n  - two ~~three~~\n- [x] done\n\n| a | b |\n|---|--:|\n| 表 | 2 |\n\n" +
  `\`\`\`ts\nconst x = ${n} < 2;\n\`\`\`\n\n> a quote\n\n`;
const ANSWER = Array.from({ length: 52 }, (_, n) => SECTION(n))
  .join("")
  .slice(0, 10_000);

/**
 * From Markdown to messages compared with Bun's own Markdown to HTML, what a change of a growing message
 * costs, and the way from the end of a turn to the wire compared with a bare grammY call.
 */
export async function benchTelegram(): Promise<string> {
  using dir = tempDir("papayu-bench-");
  const bare = timeOf(() => Bun.markdown.html(ANSWER));
  const whole = timeOf(() => toParts(toTelegramHtml(ANSWER)));
  const change = timeOfChange(join(dir.path, "change.db"));
  const sends = await timeSends(join(dir.path, "send.db"));
  return [
    "| figure | papa-yu | floor | what the floor is |",
    "|---|---:|---:|---|",
    `| 10 kB of Markdown → messages | ${whole.toFixed(2)} ms | ${bare.toFixed(2)} ms | \`Bun.markdown.html\` alone |`,
    `| one change of a 5 kB answer, rows on disk included | ${change.toFixed(2)} ms | | |`,
    `| end of a turn → message at the Bot API | ${sends.own.toFixed(2)} ms | ${sends.bare.toFixed(2)} ms | a bare grammY call |`,
  ].join("\n");
}

function timeOf(work: () => unknown): number {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    work();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** Rendering, and the row from put to sent. */
function timeOfChange(path: string): number {
  using store = openStore(path);
  const outbox = createOutbox(store);
  let length = 5000;
  return timeOf(() => {
    const cut = closeMarkdown(ANSWER.slice(0, length++));
    const payloadJson = JSON.stringify({ text: toParts(toTelegramHtml(cut)).at(-1) });
    outbox.put({ chatId: "1", method: "sendMessage", payloadJson, turn: "1:1", part: 0 }, 0);
    const row = outbox.beginSend(1);
    if (row) outbox.markSent(row, 42);
  });
}

async function timeSends(path: string): Promise<{ own: number; bare: number }> {
  await using api = await startBotApi();
  using store = openStore(path);
  const ends: number[] = [];
  const channel = createTelegramChannel({
    connection: { token: api.token, apiRoot: api.url },
    allowedUserIds: () => [OWNER],
    agent: {
      saveFile: async () => ({ ok: false, message: "no files here" }),
      conversation: {
        async message(_, said, emit) {
          const text = typeof said === "string" ? said : said.words;
          await emit({ kind: "content", text: `**${text}**` });
          ends.push(performance.now());
          await emit({ kind: "done" });
        },
        press: async () => undefined,
        isBusy: () => false,
        workState: () => ({ state: "unknown" }),
        cancel: () => false,
      },
    },
    storage: { store },
    clock: systemClock,
    wording: { texts: () => textsIn("en") },
    log: () => undefined,
  });
  await channel.start();
  const client = new Api(api.token, { apiRoot: api.url });
  const own: number[] = [];
  const bare: number[] = [];
  for (let n = 0; n < MESSAGES; n++) {
    api.say(OWNER, `own ${n}`);
    own.push((await arrival(api, `own ${n}`)) - (ends[n] ?? Number.NaN));
    const startedAt = performance.now();
    await client.sendMessage(OWNER, `bare ${n}`);
    bare.push((await arrival(api, `bare ${n}`)) - startedAt);
  }
  await channel.stop(AbortSignal.timeout(1000));
  return { own: median(own), bare: median(bare) };
}

async function arrival(api: BotApiServer, text: string): Promise<number> {
  await api.waitForText(text);
  const call = api.calls.findLast(({ payload }) => String(payload["text"]).includes(text));
  return call?.at ?? Number.NaN;
}
