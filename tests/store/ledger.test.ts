import { expect, test } from "bun:test";
import { idsFrom } from "../../src/core/ids.ts";
import { createLedger, oldestOpenWork } from "../../src/store/ledger.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { tempDir } from "../support/temp.ts";
import { fill, type Row } from "./grid.ts";

const UPDATE = { bot_id: 1, session_id: "s", lane: "turn", update_json: "{}" };

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
  const before = Array.from(ledger.newestFirst("ws_a", idAt(300)), ({ txId }) => txId);
  expect(before).toEqual(ids.slice(0, 300).toReversed());
  const after = ledger.oldestFirst("ws_a", idAt(300), 3).map(({ txId }) => txId);
  expect(after).toEqual(ids.slice(301, 304));
  expect(ledger.oldestFirst("ws_a", idAt(599), 3)).toEqual([]);
  expect([ledger.count("ws_a", 1000), ledger.count("ws_a", 10)]).toEqual([600, 10]);
  expect(ledger.count("ws_c", 10)).toBe(0);
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

test.each([[undefined], ["backwards"]] as const)(
  "a ledger's answers are of one workspace and in order, %s too",
  (unordered) => {
    using dir = tempDir();
    const ledger = createLedger(memoryStore(unordered), dir.path);
    // A path that had two workspaces is the newer one's.
    for (const id of ["ws_a", "ws_b", "ws_c"]) ledger.claim(id, id === "ws_c" ? "/c" : "/ab");
    expect([ledger.idAt("/ab"), ledger.idAt("/c"), ledger.idAt("/d")]).toEqual([
      "ws_b",
      "ws_c",
      undefined,
    ]);
    expect([ledger.rootOf("ws_a"), ledger.rootOf("ws_d")]).toEqual(["/ab", undefined]);
    const places = ["ws_a", "ws_b"].flatMap((workspaceId) =>
      [3, 1, 2, 0].map((n) => ({ workspaceId, txId: idAt(n) })),
    );
    for (const place of places) ledger.begin(place, `{"of":"${place.workspaceId}"}`);
    const header = '{"of":"ws_a"}';
    expect([...ledger.listOpen("ws_a")]).toEqual(
      [0, 1, 2, 3].map((n) => ({ kind: "open", txId: idAt(n), header, seal: undefined })),
    );
    ledger.ending({ workspaceId: "ws_a", txId: idAt(3) }, "taken back");
    ledger.ending({ workspaceId: "ws_a", txId: idAt(3) }, undefined);
    ledger.ending({ workspaceId: "ws_a", txId: idAt(2) }, "about to");
    ledger.ending({ workspaceId: "ws_a", txId: idAt(0) }, "begun anew");
    ledger.end({ workspaceId: "ws_a", txId: idAt(1) }, "seal");
    ledger.ending({ workspaceId: "ws_a", txId: idAt(1) }, "too late");
    ledger.begin({ workspaceId: "ws_a", txId: idAt(1) }, "again"); // what ended stays so
    ledger.begin({ workspaceId: "ws_a", txId: idAt(0) }, "again");
    ledger.end({ workspaceId: "ws_b", txId: idAt(2) }, undefined);
    ledger.keep({ workspaceId: "ws_c", txId: idAt(5) }, "kept");
    expect([...ledger.newestFirst("ws_a")]).toEqual([
      { kind: "open", txId: idAt(3), header, seal: undefined },
      { kind: "open", txId: idAt(2), header, seal: "about to" },
      { kind: "ended", txId: idAt(1), seal: "seal" },
      { kind: "open", txId: idAt(0), header: "again", seal: undefined },
    ]);
    expect([...ledger.newestFirst("ws_c")]).toEqual([
      { kind: "ended", txId: idAt(5), seal: "kept" },
    ]);
    expect(ledger.newest("ws_a")).toBe(idAt(3));
    expect(ledger.oldest("ws_b", AT + 9, 9)).toEqual([idAt(2)]);
    ledger.end({ workspaceId: "ws_b", txId: idAt(0) }, undefined);
    expect(ledger.oldest("ws_b", AT + 9, 9)).toEqual([idAt(0), idAt(2)]);
    ledger.forget({ workspaceId: "ws_b", txId: idAt(1) }); // it has no end
    ledger.forget({ workspaceId: "ws_b", txId: idAt(2) });
    expect(places.filter((place) => !ledger.has(place))).toEqual([
      { workspaceId: "ws_b", txId: idAt(2) },
    ]);
  },
);

test("oldestOpenWork() is when the oldest work came in that is not over", () => {
  using store = memoryStore();
  const runs = { routine: "r", cause: "schedule", delivery: "none" };
  const asked = { session_id: "s", user_id: "u", plan_id: "", change_set_id: "c", expires_at: 0 };
  const calls = { ...asked, tool: "run" };
  const works: readonly (readonly [string, Row, at?: number])[] = [
    ["inbox", { ...UPDATE, state: "done", update_id: 1, received_at: 1 }],
    ["routine_runs", { ...runs, state: "ok", due_at: 1, started_at: 1 }],
    ["approvals", { ...calls, approval_id: "a", state: "approved", created_at: 1, runner: null }],
    ["approvals", { ...calls, approval_id: "b", state: "done", created_at: 1, runner: "me" }],
    // Of a change set the journals know whether it is over.
    ["approvals", { ...asked, approval_id: "d", state: "approved", created_at: 1, runner: "me" }],
    [
      "approvals",
      { ...calls, approval_id: "c", state: "approved", created_at: 90, runner: "me" },
      90,
    ],
    ["routine_runs", { ...runs, state: "due", due_at: 80, started_at: null }, 80],
    ["routine_runs", { ...runs, state: "running", due_at: 79, started_at: 70 }, 70],
    ["routine_runs", { ...runs, state: "running", due_at: 60, started_at: 65 }, 60],
    ["inbox", { ...UPDATE, state: "waiting", update_id: 2, received_at: 50 }, 50],
  ];
  for (const [table, row, at] of works) {
    fill(store, table, [row]);
    expect(oldestOpenWork(store)).toBe(at);
  }
});
