import { expect, test } from "bun:test";
import { createInbox } from "../../src/store/chats/inbox.ts";
import { moveChat } from "../../src/store/chats/move-chat.ts";
import { createOutbox } from "../../src/store/chats/outbox.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { createSessionStore } from "../../src/store/sessions.ts";

test("moveChat() takes the session, its words and what waits to the new chat, and nobody else's", () => {
  using store = openStore(":memory:");
  const sessions = createSessionStore(store);
  const inbox = createInbox(store, 1);
  const outbox = createOutbox(store);
  for (const chat of [-7, -70]) {
    const sessionId = `telegram:${chat}`;
    sessions.update(sessionId, "telegram:1", { workspace: `of ${chat}` }, 1);
    sessions.append(sessionId, [{ role: "user", content: `to ${chat}` }], 1);
    const updateJson = JSON.stringify({ message: { chat: { id: chat }, text: "x" } });
    inbox.add({ updateId: -chat, sessionId, lane: "turn", updateJson, state: "waiting" }, 1);
    const payloadJson = JSON.stringify({ chat_id: chat, text: "x" });
    outbox.add({ chatId: String(chat), method: "sendMessage", payloadJson }, 1);
  }
  inbox.add(
    { updateId: 1, sessionId: "telegram:-7", lane: "turn", updateJson: "", state: "done" },
    1,
  );
  const sent = { chatId: "-7", method: "sendMessage", payloadJson: '{"chat_id":-7}' };
  outbox.add(sent, 1, { turn: "sent", part: 0 });
  const { id } = store.query<{ id: number }, []>("SELECT max(id) AS id FROM outbox").get() ?? {
    id: 0,
  };
  const begun = outbox.beginSend(id);
  if (begun) outbox.markSent(begun, 42);
  moveChat(store, -7, -1007);
  moveChat(store, -7, -1007);
  expect(sessions.state("telegram:-1007")).toMatchObject({ workspace: "of -7" });
  expect(sessions.state("telegram:-7")).toEqual({});
  expect(sessions.history("telegram:-1007", 9).messages).toHaveLength(1);
  expect(sessions.state("telegram:-70")).toMatchObject({ workspace: "of -70" });
  const waiting = inbox.heads("turn").map((row) => [row.sessionId, row.updateJson]);
  expect(waiting).toEqual([
    ["telegram:-1007", '{"message":{"chat":{"id":-1007},"text":"x"}}'],
    ["telegram:-70", '{"message":{"chat":{"id":-70},"text":"x"}}'],
  ]);
  expect(
    store.query("SELECT chat_id, payload_json FROM outbox WHERE turn = 'sent'").values(),
  ).toEqual(
    [["-7", ""]], // what was sent there stays there
  );
  expect(outbox.heads().map((row) => [row.chatId, row.payloadJson])).toEqual([
    ["-1007", '{"chat_id":-1007,"text":"x"}'],
    ["-70", '{"chat_id":-70,"text":"x"}'],
  ]);
});
