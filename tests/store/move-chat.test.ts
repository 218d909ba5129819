import { describe, expect, test } from "bun:test";
import { parseSend } from "../../src/channels/telegram/message/message.ts";
import { createChatMoves } from "../../src/store/chats/chat-moves.ts";
import { createInbox } from "../../src/store/chats/inbox.ts";
import { moveConversation, moveMessages } from "../../src/store/chats/move-chat.ts";
import { createOutbox } from "../../src/store/chats/outbox.ts";
import { NOTHING_KNOWN } from "../../src/store/known-rows.ts";
import { readShapes } from "../../src/store/repair/table-shapes.ts";
import { createSessionStore } from "../../src/store/sessions.ts";
import {
  FAMILIES,
  FAMILY_NAMES,
  prefixOf,
  type SessionPlace,
} from "../../src/store/settings/families.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { openLedger } from "../support/open-ledger.ts";
import { cross, expectEach, fill } from "./grid.ts";

test("createChatMoves() keeps the name of a conversation and sends what waits to the new chat", () => {
  using store = memoryStore();
  const sessions = createSessionStore(store);
  const outbox = createOutbox(store);
  const moves = createChatMoves(store, NOTHING_KNOWN);
  for (const chat of [-7, -70]) {
    const sessionId = `telegram:${chat}`;
    sessions.update(sessionId, "telegram:1", { workspace: `of ${chat}` }, 1);
    const payloadJson = JSON.stringify({ chat_id: chat, text: "x" });
    outbox.add({ chatId: String(chat), method: "sendMessage", payloadJson }, 1);
  }
  for (let times = 0; times < 2; times++) moves.note(-7, -1007);
  moves.note(-1007, -7); // what leads back is nothing
  expect([-7, -1007, -70].map((chat) => moves.now(chat))).toEqual([-1007, -1007, -70]);
  expect([-7, -1007, -70].map((chat) => moves.nameOf(chat))).toEqual([-7, -7, -70]);
  expect(sessions.state("telegram:-7")).toMatchObject({ workspace: "of -7" });
  expect(outbox.heads().map((row) => parseSend(row)?.payload.chat_id)).toEqual([-1007, -70]);
  moves.note(-1007, -2007);
  expect([-7, -1007, -2007].map((chat) => moves.now(chat))).toEqual([-2007, -2007, -2007]);
  expect([-7, -1007, -2007].map((chat) => moves.nameOf(chat))).toEqual([-7, -7, -7]);
});

test("createChatMoves() goes on with the conversation of a chat that was in use before", () => {
  using store = memoryStore();
  const sessions = createSessionStore(store);
  const inbox = createInbox(store, 1);
  const moves = createChatMoves(store, NOTHING_KNOWN);
  sessions.append("telegram:-7", [{ role: "user", content: "old" }], 1);
  sessions.update("telegram:-7", "telegram:1", { workspace: "old" }, 1);
  sessions.update("telegram:-1007", "telegram:1", { workspace: "new" }, 1);
  const sessionId = "telegram:-7";
  inbox.add({ updateId: 1, sessionId, lane: "turn", updateJson: "{}", state: "waiting" }, 1);
  moves.note(-7, -1007);
  expect([-7, -1007].map((chat) => moves.nameOf(chat))).toEqual([-1007, -1007]);
  expect(sessions.state("telegram:-1007")).toMatchObject({ workspace: "new" });
  expect(sessions.history("telegram:-1007", 9).messages).toHaveLength(1);
  expect(inbox.heads("turn").map((row) => row.sessionId)).toEqual(["telegram:-1007"]);
});

test("createChatMoves() keeps nothing of groups that nobody spoke to it in", () => {
  using store = memoryStore();
  const moves = createChatMoves(store, NOTHING_KNOWN);
  moves.note(-7, -1007);
  expect(moves.now(-7)).toBe(-7);
  expect(store.query("SELECT * FROM settings").all()).toEqual([]);
  // What is refused is sent on, whoever it was for.
  const call = { chatId: "-7", method: "sendMessage", payloadJson: '{"chat_id":-7,"text":"x"}' };
  createOutbox(store).add(call, 1);
  moves.note(-7, -1007);
  expect(moves.now(-7)).toBe(-1007);
});

const FROM = "telegram:-7";
const TO = "telegram:-1007";

/** Columns of text that name no session, in any table. Whoever adds another one says so here. */
const NO_SESSION =
  `plan_id workspace_root workspace_name workspace_entry goal summary messages_json files_json
  whole_files_json context_stats_json trace_id change_set_id actions_json attempts_json approval_id
  user_id state tool args_json turn_id runner workspace message_json standing lane update_json
  said_sha256 chat_id method payload_json error turn routine cause delivery output schedule key value
  hits_json research_id query research_json day category text name job_json reason workspace_id root
  tx_id header_json seal base_id fingerprint result_json added_json check_json folder_id
  command commands_json corrections_json goal_id work by_json patches_json
  parts_json content_id failed_json notes_json input timezone`.split(/\s+/u);

test("moveConversation() leaves no column of any table behind that names the session", () => {
  using store = memoryStore();
  store.run("PRAGMA foreign_keys = OFF");
  const isOwn = (table: string) => !table.startsWith("memory_words") && table !== "settings";
  const shapes = readShapes(store).filter(({ table }) => isOwn(table));
  expect(shapes.length).toBeGreaterThan(15);
  for (const { table, columns } of shapes) {
    const value = { TEXT: FROM, INTEGER: 1, REAL: 1, BLOB: new Uint8Array() };
    const values = columns.map(({ type }) => value[type]);
    store.query(`INSERT INTO ${table} VALUES (${values.map(() => "?").join()})`).run(...values);
  }
  moveConversation(store, -7, -1007);
  for (const { table, columns } of shapes) {
    const row = store.query<Record<string, unknown>, []>(`SELECT * FROM ${table}`).get() ?? {};
    const texts = columns.filter(({ type }) => type === "TEXT").map(({ name }) => name);
    const left = texts.filter((name) => row[name] === FROM && !NO_SESSION.includes(name));
    expect({ table, left }).toEqual({ table, left: [] });
    const moved = texts.filter((name) => row[name] === TO);
    expect(moved.filter((name) => NO_SESSION.includes(name))).toEqual([]);
  }
});

test("moveMessages() sends what waits in the new chat, whole, and changes nothing of what was sent", () => {
  using store = memoryStore();
  const calls = {
    chat_id: ["-7", "-70"],
    state: ["waiting", "sending", "sent", "failed"],
    method: ["sendMessage", "editMessageReplyMarkup"],
    message_id: [null, 42],
  };
  const messages = cross(calls, (_, id) => ({ id, payload_json: "{}", created_at: 1 }));
  fill(store, "outbox", messages);
  expectEach(
    store,
    "outbox",
    () => moveMessages(store, -7, -1007),
    (row) => {
      const { chat_id: chat, state, method } = row;
      if (chat !== "-7" || (state !== "waiting" && state !== "sending")) return row;
      if (state === "waiting" && method === "editMessageReplyMarkup") return undefined;
      return { ...row, chat_id: "-1007", message_id: null };
    },
  );
});

test("moveConversation() adds up what both chats were charged", async () => {
  using store = memoryStore();
  const spending = openLedger(store);
  for (const [payer, tokens] of [
    [FROM, 3],
    [TO, 4],
    ["telegram:-70", 5],
  ] as const) {
    await spending.settle({ day: "2026-05-17", payer }, { tokens, cost: 1 });
  }
  moveConversation(store, -7, -1007);
  const spent = (payer: string) => spending.spent("2026-05-17", payer).tokens;
  expect([FROM, TO, "telegram:-70"].map(spent)).toEqual([0, 7, 5]);
});

describe("moveConversation() moves", () => {
  /** A row of a session, as the place of its name wants it. */
  const rowOf: Readonly<Record<SessionPlace, (prefix: string, id: string) => [string, string]>> = {
    none: (prefix) => [prefix, "{}"],
    key: (prefix, id) => [`${prefix}${id}`, "1"],
    quoted: (prefix, id) => [`${prefix}${JSON.stringify(id)}.work`, "{}"],
    value: (prefix, id) => [`${prefix}of ${id.length}`, JSON.stringify({ sessionId: id })],
  };

  test.each(FAMILY_NAMES)("what settings keep below %s", (family) => {
    const prefix = prefixOf(family);
    const { session } = FAMILIES[family];
    using store = memoryStore();
    const put = store.query("INSERT INTO settings (key, value) VALUES (?, ?)");
    const [ofFrom, ofOther] = [rowOf[session](prefix, FROM), rowOf[session](prefix, `${FROM}0`)];
    const rows = session === "none" ? [ofFrom] : [ofOther, ofFrom];
    for (const row of rows) put.run(...row);
    moveConversation(store, -7, -1007);
    const moved = rowOf[session](prefix, TO);
    const expected = session === "value" ? [[ofFrom[0], moved[1]], ofOther] : [moved, ofOther];
    const kept = store.query<{ key: string; value: string }, []>("SELECT key, value FROM settings");
    expect(new Map(kept.all().map(({ key, value }) => [key, value]))).toEqual(
      new Map(
        session === "none" ? [ofFrom] : expected.map(([key = "", value = ""]) => [key, value]),
      ),
    );
  });

  test("the later of two instants, and over what is no JSON", () => {
    using store = memoryStore();
    const put = store.query("INSERT INTO settings (key, value) VALUES (?, ?)");
    put.run("undo.x", "0");
    put.run(`tainted:${FROM}`, "2000");
    put.run(`tainted:${TO}`, "1000");
    put.run(`read:${FROM}`, "1000");
    put.run(`read:${TO}`, "2000");
    put.run("beside.x", "rubbish");
    put.run("beside.y", "");
    const elsewhere = JSON.stringify({ planId: "p", userId: "u", sessionId: FROM });
    put.run("failed.x", elsewhere);
    moveConversation(store, -7, -1007);
    const valueOf = (key: string) =>
      store.query<{ value: string }, [string]>("SELECT value FROM settings WHERE key = ?").get(key)
        ?.value;
    expect([`tainted:${TO}`, `read:${TO}`, "beside.x"].map(valueOf)).toEqual([
      "2000",
      "2000",
      "rubbish",
    ]);
    expect(valueOf("failed.x")).toBe(elsewhere);
  });
});
