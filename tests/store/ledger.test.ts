import { expect, test } from "bun:test";
import { idsFrom } from "../../src/core/ids.ts";
import { createLedger } from "../../src/store/ledger.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { tempDir } from "../support/temp.ts";

test("rootWith() says where a transaction was made, of all that are known", () => {
  using dir = tempDir();
  const ledger = createLedger(memoryStore(), dir.path);
  for (const id of ["a", "b"]) {
    ledger.claim(`ws_${id}`, `/${id}`);
    ledger.begin({ workspaceId: `ws_${id}`, txId: `tx_${id}` }, "{}");
  }
  ledger.claim("ws_b", "/moved");
  ledger.end({ workspaceId: "ws_a", txId: "tx_a" }, "seal");
  expect(["tx_a", "tx_b", "tx_c"].map((id) => ledger.rootWith(id))).toEqual([
    "/a",
    "/moved",
    undefined,
  ]);
});

const AT = Date.UTC(2026, 4, 1);

function idAt(n: number): string {
  return `${idsFrom("tx", AT + n)}0000000`;
}

test("newestFirst() gives a long past whole, each once, and newest() its first", () => {
  using dir = tempDir();
  const ledger = createLedger(memoryStore(), dir.path);
  const ids = Array.from({ length: 600 }, (_, n) => idAt(n));
  for (const txId of ids) {
    ledger.begin({ workspaceId: "ws_a", txId }, "{}");
    ledger.end({ workspaceId: "ws_a", txId }, "seal");
  }
  ledger.begin({ workspaceId: "ws_b", txId: idAt(9999) }, "{}");
  expect(Array.from(ledger.newestFirst("ws_a"), ({ txId }) => txId)).toEqual(ids.toReversed());
  expect(ledger.newest("ws_a")).toBe(idAt(599));
  expect([ledger.newest("ws_c"), ...ledger.newestFirst("ws_c")]).toEqual([undefined]);
});

test("oldest() gives what ended before an instant, but nothing of a work that is not over", () => {
  using dir = tempDir();
  const store = memoryStore();
  const ledger = createLedger(store, dir.path);
  for (let n = 0; n < 5; n++) {
    ledger.begin({ workspaceId: "ws_a", txId: idAt(n) }, "{}");
    if (n !== 1) ledger.end({ workspaceId: "ws_a", txId: idAt(n) }, "seal");
  }
  expect(ledger.oldest("ws_a", AT + 4, 2)).toEqual([idAt(0), idAt(2)]);
  expect(ledger.oldest("ws_a", AT + 4, 9)).toEqual([idAt(0), idAt(2), idAt(3)]);
  store.run(
    `INSERT INTO inbox (bot_id, update_id, session_id, lane, update_json, state, received_at)
     VALUES (1, 1, 's', 'turn', '{}', 'waiting', ${AT + 2})`,
  );
  expect(ledger.oldest("ws_a", AT + 4, 9)).toEqual([idAt(0)]);
  for (const n of [0, 1]) ledger.forget({ workspaceId: "ws_a", txId: idAt(n) });
  const isKnown = (n: number) => ledger.has({ workspaceId: "ws_a", txId: idAt(n) });
  expect([0, 1, 2].map(isKnown)).toEqual([false, true, true]);
});
