/**
 * The floor for a message: grammY and the openai client, an inbox, a history and an outbox in one SQLite
 * file, synced, and one commit for what happens in a tick: `bun bare-bot.ts API MODEL FILE`.
 */
import { Database } from "bun:sqlite";
import { Api } from "grammy/web";
import { OpenAI } from "openai/client";

const [apiRoot = "", baseURL = "", path = ":memory:"] = process.argv.slice(2);
const database = new Database(path);
for (const sql of [
  "PRAGMA journal_mode = WAL",
  "PRAGMA synchronous = FULL",
  "CREATE TABLE inbox (id INTEGER PRIMARY KEY, body TEXT, done INTEGER)",
  "CREATE TABLE history (id INTEGER PRIMARY KEY, chat INTEGER, role TEXT, text TEXT)",
  "CREATE TABLE outbox (id INTEGER PRIMARY KEY, chat INTEGER, text TEXT, sent INTEGER)",
  "CREATE INDEX of_chat ON history (chat, id)",
]) {
  database.run(sql);
}
const receive = database.query("INSERT OR IGNORE INTO inbox VALUES (?, ?, 0)");
const end = database.query("UPDATE inbox SET done = 1, body = '' WHERE id = ?");
const keep = database.query("INSERT INTO history (chat, role, text) VALUES (?, ?, ?)");
const recall = database.query<{ role: "user" | "assistant"; text: string }, [number]>(
  "SELECT role, text FROM history WHERE chat = ? ORDER BY id DESC LIMIT 20",
);
const put = database.query("INSERT INTO outbox (chat, text, sent) VALUES (?, ?, 0)");
const mark = database.query("UPDATE outbox SET sent = ? WHERE id = ?");

interface Waiting {
  readonly write: () => void;
  readonly resolve: () => void;
}

let waiting: Waiting[] = [];

/** Writes with whoever else does in this tick. */
function commit(write: () => void): Promise<void> {
  if (waiting.length === 0) setImmediate(flush);
  return new Promise((resolve) => waiting.push({ write, resolve }));
}

function flush(): void {
  const writes = waiting;
  waiting = [];
  const all = database.transaction(() => {
    for (const { write } of writes) write();
  });
  all.immediate();
  for (const { resolve } of writes) resolve();
}

const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
const api = new Api("4242:test-token", { apiRoot });

async function answer(id: number, chat: number, said: string): Promise<void> {
  await commit(() => keep.run(chat, "user", said));
  const messages = recall.all(chat).map(({ role, text }) => ({ role, content: text }));
  const stream = await client.chat.completions.create({
    model: "x",
    messages: messages.toReversed(),
    stream: true,
  });
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  let row = 0;
  await commit(() => {
    keep.run(chat, "assistant", text);
    row = Number(put.run(chat, text).lastInsertRowid);
    end.run(id);
  });
  const { message_id: messageId } = await api.sendMessage(chat, text);
  await commit(() => mark.run(messageId, row));
}

await api.getMe();
process.stderr.write("DAEMON_READY\n");
for (let offset = 0; ; ) {
  const updates = await api.getUpdates({ offset, timeout: 30 });
  await commit(() => {
    for (const update of updates) receive.run(update.update_id, JSON.stringify(update));
  });
  offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
  for (const { update_id: id, message } of updates) {
    if (message?.text !== undefined) void answer(id, message.chat.id, message.text);
  }
}
