import { describe, expect, test } from "bun:test";
import { createInbox } from "../../src/store/chats/inbox.ts";
import { moveChat } from "../../src/store/chats/move-chat.ts";
import { createOutbox } from "../../src/store/chats/outbox.ts";
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

test("moveChat() takes the session, its words and what waits to the new chat, and nobody else's", () => {
  using store = memoryStore();
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
  parts_json content_id failed_json notes_json`.split(/\s+/u);

test("moveChat() leaves no column of any table behind that names the session", () => {
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
  moveChat(store, -7, -1007);
  for (const { table, columns } of shapes) {
    const row = store.query<Record<string, unknown>, []>(`SELECT * FROM ${table}`).get() ?? {};
    const texts = columns.filter(({ type }) => type === "TEXT").map(({ name }) => name);
    const left = texts.filter((name) => row[name] === FROM && !NO_SESSION.includes(name));
    expect({ table, left }).toEqual({ table, left: [] });
    const moved = texts.filter((name) => row[name] === TO);
    expect(moved.filter((name) => NO_SESSION.includes(name))).toEqual([]);
  }
});

test("moveChat() changes what waits of that chat and can be read, and nothing else", () => {
  using store = memoryStore();
  const states = ["waiting", "done"];
  const lanes = ["turn", "press", "cancel"];
  const json = ['{"message":{"chat":{"id":-7}}}', "rubbish"];
  const session_id = [FROM, "telegram:-70"];
  const updates = cross(
    { session_id, lane: lanes, state: states, update_json: json },
    (_, index) => ({ bot_id: 1, update_id: index, received_at: 1 }),
  );
  fill(store, "inbox", updates);
  expectEach(
    store,
    "inbox",
    () => moveChat(store, -7, -1007),
    (row) => {
      if (row["session_id"] !== FROM) return row;
      const isRead = row["state"] === "waiting" && row["lane"] !== "press";
      const isNamed = isRead && row["update_json"] !== "rubbish";
      const named = { update_json: '{"message":{"chat":{"id":-1007}}}' };
      return { ...row, session_id: TO, ...(isNamed && named) };
    },
  );
  const calls = {
    chat_id: ["-7", "-70"],
    state: ["waiting", "sending", "sent"],
    payload_json: ['{"chat_id":-7}', "rubbish"],
  };
  const messages = cross(calls, (_, id) => ({ id, method: "sendMessage", created_at: 1 }));
  fill(store, "outbox", messages);
  expectEach(
    store,
    "outbox",
    () => moveChat(store, -7, -1007),
    (row) => {
      const isNamed = row["chat_id"] === "-7" && row["state"] === "waiting";
      const isRead = row["payload_json"] !== "rubbish";
      const named = { chat_id: "-1007", payload_json: '{"chat_id":-1007}' };
      return isNamed && isRead ? { ...row, ...named } : row;
    },
  );
});

test("moveChat() adds up what both chats were charged", async () => {
  using store = memoryStore();
  const spending = openLedger(store);
  for (const [payer, tokens] of [
    [FROM, 3],
    [TO, 4],
    ["telegram:-70", 5],
  ] as const) {
    await spending.settle({ day: "2026-05-17", payer }, { tokens, cost: 1 });
  }
  moveChat(store, -7, -1007);
  const spent = (payer: string) => spending.spent("2026-05-17", payer).tokens;
  expect([FROM, TO, "telegram:-70"].map(spent)).toEqual([0, 7, 5]);
});

describe("moveChat() moves", () => {
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
    moveChat(store, -7, -1007);
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
    moveChat(store, -7, -1007);
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
