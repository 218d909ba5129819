import { describe, expect, test } from "bun:test";
import { type ApprovalStore, createApprovalStore } from "../../src/store/approvals.ts";
import { nameProcess } from "../../src/system/processes/process-name.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { cross, expectEach, fill, type Row } from "./grid.ts";

const NOW = 10;
const STATES = ["waiting", "approved", "rejected", "replaced", "done", "interrupted"];

const AXES = {
  session_id: ["terminal:a", "terminal:b", "term"],
  state: STATES,
  change_set_id: ["c", "d"],
  turn_id: [null, "t", "u"],
  runner: [null, "1-gone"],
  expires_at: [NOW, NOW + 1],
  // Two of each, of which one is named.
  approval_id: ["even", "odd"],
};
const ROWS = cross(AXES, (row, index) => ({
  approval_id: `${row.approval_id} ${index}`,
  tool: "run",
  args_json: "{}",
  user_id: "u",
  plan_id: "",
  created_at: (index * 7) % 1_000,
}));

const NAMED = ROWS.map(({ approval_id: id }) => id).filter((id) => id.startsWith("even"));
const isNamed = (row: Row) => String(row["approval_id"]).startsWith("even");
const isWaiting = (row: Row) => row["state"] === "waiting";
const isOpen = (row: Row) => row["state"] === "approved" || row["state"] === "interrupted";
const isAlive = (row: Row) => isWaiting(row) && row["expires_at"] === NOW + 1;

function filled(rows: readonly Row[] = ROWS) {
  const store = memoryStore();
  fill(store, "approvals", rows);
  return { store, approvals: createApprovalStore(store), [Symbol.dispose]: () => store.close() };
}

type Write = readonly [
  name: string,
  act: (approvals: ApprovalStore) => unknown,
  become: (row: Row) => Row | undefined,
];

const WRITES: readonly Write[] = [
  [
    "replace()",
    (approvals) => approvals.replace("term"),
    (row) => (isWaiting(row) && row["session_id"] === "term" ? replaced(row) : row),
  ],
  [
    "replaceAll()",
    (approvals) => approvals.replaceAll("terminal:"),
    (row) => (isWaiting(row) && row["session_id"] !== "term" ? replaced(row) : row),
  ],
  [
    "settle()",
    (approvals) => NAMED.forEach((id) => approvals.settle(id, "rejected")),
    (row) => (isNamed(row) && isWaiting(row) ? { ...row, state: "rejected" } : row),
  ],
  [
    "settle() with a yes to calls",
    (approvals) => NAMED.forEach((id) => approvals.settle(id, "approved")),
    (row) => (isNamed(row) && isWaiting(row) ? { ...row, state: "approved" } : row),
  ],
  [
    "begin()",
    (approvals) => NAMED.forEach((id) => approvals.begin(id)),
    (row) => (isNamed(row) ? { ...row, runner: nameProcess() } : row),
  ],
  [
    "finish()",
    (approvals) => NAMED.forEach((id) => approvals.finish(id)),
    (row) => {
      if (!isNamed(row)) return row;
      if (row["turn_id"] !== null) return undefined;
      return isOpen(row) ? { ...row, state: "done" } : row;
    },
  ],
  [
    "interrupt()",
    (approvals) => approvals.interrupt(),
    (row) =>
      row["state"] === "approved" && row["runner"] !== null
        ? { ...row, state: "interrupted" }
        : row,
  ],
];

function replaced(row: Row): Row {
  return { ...row, state: "replaced" };
}

describe("ApprovalStore, over approvals of every kind,", () => {
  test.each(WRITES)("%s changes those it names, and no other", (_, act, become) => {
    using scene = filled();
    expectEach(scene.store, "approvals", () => act(scene.approvals), become);
  });

  test("listWaiting(), countWaiting() and openCalls() give those that match, oldest first", () => {
    using scene = filled();
    const ages = (rows: typeof ROWS) => rows.map((row) => row.created_at).toSorted((a, b) => a - b);
    const listed = scene.approvals.listWaiting(NOW);
    expect(listed.map(({ createdAt }) => createdAt)).toEqual(ages(ROWS.filter(isAlive)));
    expect(listed.every(({ state }) => state === "waiting")).toBe(true);
    expect(scene.approvals.countWaiting(NOW)).toBe(listed.length);
    const ageOf = new Map(ROWS.map((row) => [row.approval_id, row.created_at]));
    const open = scene.approvals.openCalls("t").map((id) => ageOf.get(id) ?? 0);
    expect(open).toEqual(ages(ROWS.filter((row) => row.turn_id === "t")));
  });

  test("waiting() and wasRejected() say yes to what matches alone", () => {
    const axes = { session_id: ["s", "t"], state: STATES, expires_at: [NOW, NOW + 1] };
    const same = { approval_id: "a", user_id: "u", plan_id: "p", created_at: 1 };
    for (const row of cross({ ...axes, change_set_id: ["c", "d"] }, () => same)) {
      using one = filled([row]);
      const isOf = row.session_id === "s" && row.expires_at > NOW;
      const found = one.approvals.waiting("s", NOW);
      expect(found?.approvalId).toBe(isOf && row.state === "waiting" ? "a" : undefined);
      const isRejected = isOf && row.state === "rejected" && row.change_set_id === "c";
      expect(one.approvals.wasRejected("s", "c", NOW)).toBe(isRejected);
    }
  });
});
