import { describe, expect, test } from "bun:test";
import { createInbox, type Inbox } from "../../src/store/chats/inbox.ts";
import { createOutbox, type Outbox } from "../../src/store/chats/outbox.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { cross, expectEach, fill, type Row } from "./grid.ts";

const NOW = 10;

/** The same updates of two bots. */
const UPDATE_AXES = {
  bot_id: [1, 2],
  session_id: ["b", "a"],
  lane: ["turn", "press"],
  state: ["waiting", "done", "poison"],
  tries: [0, 1, 2],
  received_at: [NOW - 1, NOW],
  message_id: [7, 8],
};
const UPDATES = cross(UPDATE_AXES, (_, index, length) => {
  const id = (index % (length / 2)) + 1;
  // Numbered backwards: nothing goes by the number.
  const update = { update_id: length - id, said_sha256: `said ${length - id}` };
  return { ...update, update_json: `{"message":{"text":"${length - id}"}}` };
});

type InboxRow = (typeof UPDATES)[number];

/** Every other one of the first bot. */
const isNamed = (row: Row) => row["bot_id"] === 1 && Number(row["update_id"]) % 2 === 0;
const IDS = UPDATES.filter((row) => isNamed(row)).map(({ update_id: id }) => id);
const isWaiting = (row: Row) => row["state"] === "waiting";

/** Also where what names no order comes the other way round. */
const ORDERS = [[undefined], ["backwards"]] as const;

function filledInbox(unordered?: "backwards") {
  const store = memoryStore(unordered);
  fill(store, "inbox", UPDATES);
  return { store, inbox: createInbox(store, 1), [Symbol.dispose]: () => store.close() };
}

type Write<Of> = readonly [
  name: string,
  act: (of: Of) => unknown,
  become: (row: Row) => Row | undefined,
];

const INBOX_WRITES: readonly Write<Inbox>[] = [
  [
    "replace()",
    (inbox) => IDS.forEach((id) => inbox.replace(id, "{}")),
    (row) => (isNamed(row) ? { ...row, update_json: "{}" } : row),
  ],
  [
    "noteEdit()",
    (inbox) => IDS.forEach((id) => inbox.noteEdit(id, "new")),
    (row) => (isNamed(row) ? { ...row, said_sha256: "new" } : row),
  ],
  [
    "beginTry()",
    (inbox) => IDS.forEach((id) => inbox.beginTry(id, 2)),
    (row) =>
      isNamed(row) && isWaiting(row)
        ? { ...row, tries: Number(row["tries"]) + 1, blame: Number(row["blame"]) + 2 }
        : row,
  ],
  [
    "charge()",
    (inbox) => IDS.forEach((id) => inbox.charge(id, -2)),
    (row) =>
      isNamed(row) && isWaiting(row)
        ? { ...row, blame: Math.max(0, Number(row["blame"]) - 2) }
        : row,
  ],
  [
    "finish() as done",
    (inbox) => IDS.forEach((id) => inbox.finish(id, "done")),
    (row) => (isNamed(row) ? { ...row, state: "done", update_json: "" } : row),
  ],
  [
    "finish() as poison",
    (inbox) => IDS.forEach((id) => inbox.finish(id, "poison")),
    (row) => (isNamed(row) ? { ...row, state: "poison" } : row),
  ],
  [
    "add() of what is known",
    (inbox) =>
      IDS.forEach((updateId) =>
        inbox.add(
          { updateId, sessionId: "z", lane: "cancel", updateJson: "", state: "waiting" },
          NOW,
        ),
      ),
    (row) => row,
  ],
];

describe("Inbox, over updates of every kind,", () => {
  test.each(INBOX_WRITES)("%s changes those it names, and no other", (_, act, become) => {
    using scene = filledInbox();
    expectEach(scene.store, "inbox", () => act(scene.inbox), become);
  });

  test.each(ORDERS)("each question is about the rows that it names, %s too", (unordered) => {
    using scene = filledInbox(unordered);
    const { inbox } = scene;
    const own = UPDATES.filter(({ bot_id: bot }) => bot === 1);
    const idsOf = (rows: readonly InboxRow[]) => rows.map(({ update_id: id }) => id);
    const waiting = own.filter(isWaiting);
    const isTurn = (row: InboxRow) => row.lane === "turn" && row.session_id === "a";
    const found = inbox.waitingTurns("a").map(({ updateId }) => updateId);
    expect(found).toEqual(idsOf(waiting.filter(isTurn)));
    expect(inbox.waitingCount()).toBe(waiting.length);
    for (const lane of ["turn", "press"] as const) {
      const inLane = waiting.filter((row) => row.lane === lane);
      const isFirst = (row: InboxRow) =>
        inLane.find(({ session_id: id }) => id === row.session_id) === row;
      const heads = inbox.heads(lane).map(({ updateId }) => updateId);
      expect([lane, heads]).toEqual([lane, idsOf(inLane.filter(isFirst))]);
      for (const session of ["a", "b"]) {
        const [first, next] = inLane.filter(({ session_id: id }) => id === session);
        const head = first && { updateId: first.update_id, hasMore: next !== undefined };
        expect(inbox.head(lane, session) ?? {}).toMatchObject(head ?? {});
      }
    }
    const presses = waiting.filter(({ lane }) => lane === "press");
    const pressed = inbox.waitingPresses(2).map(({ updateId }) => updateId);
    expect(pressed).toEqual(idsOf(presses.slice(0, 2)));
    for (const row of own) {
      const isUntouched = row.state === "waiting" && row.tries === 0;
      expect(inbox.isUntouched(row.update_id)).toBe(isUntouched);
      expect(inbox.isKnown(row.update_id)).toBe(true);
    }
    expect(inbox.last()).toEqual({ updateId: own.at(-1)?.update_id ?? 0, receivedAt: NOW });
    const newest = own.findLast((row) => row.message_id === 7 && row.session_id === "b");
    const ofNewest = { updateId: newest?.update_id ?? 0, isUntouched: false };
    expect(inbox.findMessage("b", 7)).toEqual({ ...ofNewest, sha256: newest?.said_sha256 ?? "" });
    const texts = waiting.filter(({ lane }) => lane === "turn");
    expect(inbox.waitingTexts()).toEqual(texts.map(({ update_id: id }) => `${id}`));
  });
});

const MESSAGE_AXES = {
  turn: ["t", "u"],
  part: [0, 1, 2],
  // What is over came first.
  state: ["failed", "sent", "sending", "waiting"],
  in_doubt: [0, 1],
  tries: [1, 2],
  message_id: [null, 42],
  created_at: [NOW - 1, NOW],
  payload_json: ["old", "new"],
};
const MESSAGES = cross(MESSAGE_AXES, (row, index) => ({
  id: index + 1,
  // One of each: a part is there once.
  part: row.part * 1_000 + index,
  chat_id: `${index % 3}`,
  method: "sendMessage",
}));

const ROW_IDS = MESSAGES.map(({ id }) => id).filter((id) => id % 3 === 0);
const isSelected = (row: Row) => Number(row["id"]) % 3 === 0;
const each = (act: (outbox: Outbox, row: { id: number; payloadJson: string }) => unknown) => {
  return (outbox: Outbox) => ROW_IDS.forEach((id) => act(outbox, { ...SENT, id }));
};
const isOld = (row: Row) => row["payload_json"] === "old";

const SENT = {
  chatId: "1",
  createdAt: NOW,
  method: "sendMessage",
  payloadJson: "old",
  inDoubt: 0,
  tries: 1,
  notBefore: 0,
  messageId: null,
  turn: null,
} as const;

const OUTBOX_WRITES: readonly Write<Outbox>[] = [
  [
    "beginSend()",
    each((outbox, { id }) => outbox.beginSend(id)),
    (row) =>
      isSelected(row) ? { ...row, state: "sending", tries: Number(row["tries"]) + 1 } : row,
  ],
  [
    "markSent()",
    each((outbox, { id }) => outbox.markSent({ ...SENT, id }, 5, 9)),
    (row) => {
      const end = isOld(row) ? { state: "sent", payload_json: "" } : { state: "waiting" };
      // Where it became another chat's meanwhile, that number is of another message.
      const messageId = row["chat_id"] === SENT.chatId ? 5 : null;
      return isSelected(row) ? { ...row, ...end, message_id: messageId, not_before: 9 } : row;
    },
  ],
  [
    "markFailed()",
    each((outbox, { id }) => outbox.markFailed({ ...SENT, id }, "400")),
    (row) =>
      isSelected(row) ? { ...row, state: isOld(row) ? "failed" : "waiting", error: "400" } : row,
  ],
  [
    "retry() without a doubt",
    each((outbox, { id }) => outbox.retry(id, { notBefore: 9, inDoubt: false })),
    (row) => (isSelected(row) ? { ...row, state: "waiting", not_before: 9 } : row),
  ],
  [
    "retry() in doubt",
    each((outbox, { id }) => outbox.retry(id, { notBefore: 9, inDoubt: true })),
    (row) => (isSelected(row) ? { ...row, state: "waiting", not_before: 9, in_doubt: 1 } : row),
  ],
  [
    "replacePayload()",
    each((outbox, { id }) => outbox.replacePayload({ ...SENT, id }, "next")),
    (row) =>
      isSelected(row)
        ? { ...row, state: "waiting", payload_json: isOld(row) ? "next" : "new" }
        : row,
  ],
  [
    "forgetMessage()",
    each((outbox, { id }) => outbox.forgetMessage(id)),
    (row) => (isSelected(row) ? { ...row, state: "waiting", message_id: null } : row),
  ],
  [
    "recover()",
    (outbox) => outbox.recover(),
    (row) => {
      const isDoubt = row["in_doubt"] === 1 || row["message_id"] === null;
      return row["state"] === "sending"
        ? { ...row, state: "waiting", in_doubt: isDoubt ? 1 : 0 }
        : row;
    },
  ],
  [
    "withdraw()",
    (outbox) => outbox.withdraw("t", 1_500, { ...SENT, method: "delete", payloadJson: "{}" }),
    (row) => {
      if (row["turn"] !== "t" || Number(row["part"]) < 1_500) return row;
      if (row["message_id"] === null && row["state"] !== "sending") return undefined;
      const state = row["state"] === "sending" ? "sending" : "waiting";
      return { ...row, state, method: "delete", payload_json: "{}", tries: 0 };
    },
  ],
];

describe("Outbox, over messages of every kind,", () => {
  function filled(unordered?: "backwards") {
    const store = memoryStore(unordered);
    fill(store, "outbox", MESSAGES);
    return { store, outbox: createOutbox(store), [Symbol.dispose]: () => store.close() };
  }

  test.each(OUTBOX_WRITES)("%s changes those it names, and no other", (_, act, become) => {
    using scene = filled();
    expectEach(scene.store, "outbox", () => act(scene.outbox), become);
  });

  test.each(ORDERS)("each question is about the rows that it names, %s too", (unordered) => {
    using scene = filled(unordered);
    const isOpen = ({ state }: (typeof MESSAGES)[number]) =>
      state === "waiting" || state === "sending";
    expect(scene.outbox.waitingCount()).toBe(MESSAGES.filter(isOpen).length);
    const heads = ["0", "1", "2"].map((chat) => {
      return MESSAGES.find((row) => row.chat_id === chat && isOpen(row))?.id ?? 0;
    });
    expect(scene.outbox.heads().map(({ id }) => id)).toEqual(heads.toSorted((a, b) => a - b));
    expect(["0", "1", "2"].map((chat) => scene.outbox.head(chat)?.id)).toEqual(heads);
    expect(scene.outbox.head("nobody")).toBeUndefined();
    for (const row of MESSAGES) {
      const copy = { id: row.id, createdAt: NOW, tries: 1 };
      const isCopied = row.created_at === NOW && row.in_doubt === 1 && row.tries > 1;
      const expected = row.state === "sent" ? "sent" : "coming";
      const found = scene.outbox.newerCopy(copy);
      expect(found).toBe(isCopied && row.state !== "failed" ? expected : undefined);
    }
  });
});
