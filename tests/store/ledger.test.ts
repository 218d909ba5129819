import { expect, test } from "bun:test";
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
