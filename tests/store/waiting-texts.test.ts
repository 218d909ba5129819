import { expect, test } from "bun:test";
import { createInbox } from "../../src/store/chats/inbox.ts";
import { listWaitingTexts } from "../../src/store/chats/waiting-texts.ts";
import { memoryStore } from "../support/fresh-store.ts";

test("listWaitingTexts() gives what was said and not answered, the oldest first", () => {
  using store = memoryStore();
  const inbox = createInbox(store, 1);
  const updates = [
    { message: { text: "first" } },
    { message: { caption: "of a photo" } },
    { message: { voice: {} } },
    { message: { text: "answered" } },
  ];
  for (const [updateId, update] of updates.entries()) {
    const updateJson = JSON.stringify(update);
    inbox.add({ updateId, sessionId: "s", lane: "turn", updateJson, state: "waiting" }, 0);
  }
  inbox.finish(3, "done");
  const press = { updateId: 9, sessionId: "s", lane: "press", updateJson: "{}" } as const;
  inbox.add({ ...press, state: "waiting" }, 0);
  expect(listWaitingTexts(store)).toEqual(["first", "of a photo", "…"]);
});
