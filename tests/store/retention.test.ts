import type { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openStore } from "../../src/store/open/open-database.ts";
import { createForgettingRows, MOST_ROWS } from "../../src/store/retention/retention.ts";
import { childProgram } from "../support/child-program.ts";
import { createDice } from "../support/dice.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { tempDir } from "../support/temp.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 1);
const LIMITS = { messagesDays: 30, historyDays: 20, approvalsDays: 10 };
const NONE = { messagesDays: 0, historyDays: 0, approvalsDays: 0 };

type Value = string | number | null;

function insert(store: Database, table: string, row: Readonly<Record<string, Value>>): void {
  const names = Object.keys(row);
  const places = names.map(() => "?").join(", ");
  const sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${places})`;
  store.query(sql).run(...Object.values(row));
}

const ago = (days: number) => NOW - days * DAY_MS;

/** A row of each kind; what a case says of it wins. */
const ROWS: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  messages: { session_id: "s", message_json: "{}", created_at: ago(40), turn_id: "t" },
  sessions: { session_id: "s", user_id: "u", updated_at: ago(40) },
  inbox: {
    bot_id: 1,
    update_id: 1,
    session_id: "s",
    lane: "turn",
    update_json: "",
    state: "done",
    received_at: ago(40),
  },
  outbox: {
    chat_id: "1",
    method: "sendMessage",
    payload_json: "",
    state: "sent",
    created_at: ago(40),
  },
  approvals: {
    approval_id: "a",
    session_id: "s",
    user_id: "u",
    plan_id: "p",
    change_set_id: "c",
    state: "approved",
    created_at: ago(40),
    expires_at: ago(39),
  },
  plans: {
    plan_id: "p",
    workspace_root: "/w",
    workspace_name: "w",
    goal: "g",
    summary: "s",
    protocol_version: 2,
    messages_json: "[]",
    files_json: "{}",
    trace_id: "t",

    created_at: ago(40),
  },
  researches: {
    research_id: "r",
    workspace_root: "/w",
    goal: "g",
    query: "q",
    research_json: "{}",
    created_at: ago(40),
  },
  routine_runs: {
    routine: "r",
    due_at: ago(40),
    cause: "schedule",
    state: "ok",
    delivery: "none",
  },
  spending: { day: "2026-01-01", payer: "", tokens: 1, cost: 1 },
};

/** What has to be there beside a row for it to be over. */
const BESIDE: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  inbox: { update_id: 2, received_at: ago(1) },
  routine_runs: { due_at: ago(1) },
};

interface Case {
  readonly table: string;
  readonly why: string;
  readonly row?: Readonly<Record<string, Value>>;
  readonly beside?: readonly (readonly [table: string, row: Readonly<Record<string, Value>>])[];
  readonly limits?: typeof LIMITS;
}

const WAITING = { state: "waiting", update_id: 9, received_at: ago(45) };
const QUESTION = { approval_id: "q", state: "waiting", expires_at: NOW + DAY_MS };
const CALL = { approval_id: "q", tool: "x", args_json: "{}", runner: "1", created_at: ago(45) };

/** It ended, but a press that came before that has not been looked at. */
const PRESSED: Case["beside"] = [
  ["approvals", { ...QUESTION, created_at: ago(50), expires_at: ago(39.5) }],
  ["inbox", { ...WAITING, lane: "press", received_at: ago(39.7) }],
];

/** What looks like what keeps a row, and does not. */
const FREE: readonly Case[] = [
  {
    table: "inbox",
    why: "it waits for a bot in whose place another receives",
    row: { state: "waiting" },
    beside: [["inbox", { bot_id: 2, update_id: 1, received_at: ago(1) }]],
  },
  {
    table: "outbox",
    why: "what would make it again waits for such a bot",
    beside: [
      ["inbox", WAITING],
      ["inbox", { bot_id: 2, update_id: 1, received_at: ago(1) }],
    ],
  },
  ...["messages", "sessions", "plans"].flatMap((table): readonly Case[] => [
    {
      table,
      why: "the question is of something else",
      beside: [["approvals", { ...QUESTION, session_id: "other", plan_id: "other" }]],
    },
    {
      table,
      why: "its question ended",
      beside: [["approvals", { ...QUESTION, expires_at: ago(1) }]],
    },
    {
      table,
      why: "its question is answered",
      beside: [["approvals", { ...QUESTION, state: "no" }]],
    },
  ]),
  {
    table: "sessions",
    why: "the message is of another",
    beside: [["messages", { session_id: "other", created_at: ago(1) }]],
  },
  {
    table: "plans",
    why: "ok applies another",
    beside: [["sessions", { plan_id: "other", updated_at: ago(1) }]],
  },
  {
    table: "plans",
    why: "no other way has a plan",
    beside: [["ways", { goal_id: "p", by_json: "{}" }]],
  },
  {
    table: "plans",
    why: "it is the only way itself",
    beside: [["ways", { goal_id: "p", plan_id: "p", by_json: "{}" }]],
  },
  {
    table: "plans",
    why: "the way is to another goal",
    beside: [
      ["plans", { plan_id: "other", created_at: ago(1) }],
      ["ways", { goal_id: "other", plan_id: "other", by_json: "{}" }],
    ],
  },
  {
    table: "routine_runs",
    why: "a newer one failed",
    beside: [["routine_runs", { due_at: ago(2), state: "failed" }]],
  },
];

/** Everything that keeps a row that is old enough to go. */
const GUARDS: readonly Case[] = [
  { table: "messages", why: "a message waits that came before it", beside: [["inbox", WAITING]] },
  { table: "messages", why: "a question of its session waits", beside: [["approvals", QUESTION]] },
  {
    table: "messages",
    why: "a run is under way that was due before it",
    beside: [["routine_runs", { due_at: ago(45), state: "running" }]],
  },
  {
    table: "messages",
    why: "a call began before it, and has no end",
    beside: [["approvals", CALL]],
  },
  ...["messages", "sessions", "plans"].map((table) => {
    const row = { [table === "sessions" ? "updated_at" : "created_at"]: ago(50) };
    return { table, why: "its question was pressed in time", row, beside: PRESSED };
  }),
  { table: "messages", why: "it is young", row: { created_at: ago(29) } },
  { table: "messages", why: "there is no limit", limits: NONE },
  {
    table: "sessions",
    why: "a message of it is there",
    beside: [["messages", { created_at: ago(1) }]],
  },
  { table: "sessions", why: "a question of it waits", beside: [["approvals", QUESTION]] },
  { table: "sessions", why: "it was used", row: { updated_at: ago(1) } },
  { table: "inbox", why: "it waits", row: { state: "waiting" } },
  { table: "inbox", why: "it may be delivered again", row: { received_at: ago(6) } },
  { table: "inbox", why: "it is the newest of its bot", row: { bot_id: 2, update_id: 1 } },
  { table: "outbox", why: "it waits", row: { state: "waiting" } },
  { table: "outbox", why: "it is being sent", row: { state: "sending" } },
  { table: "outbox", why: "its answer may be made again", beside: [["inbox", WAITING]] },
  { table: "outbox", why: "it is young", row: { created_at: ago(6) } },
  { table: "approvals", why: "it can be answered", row: { expires_at: NOW + 1 } },
  { table: "approvals", why: "its call has no end", row: CALL },
  {
    table: "approvals",
    why: "a press waits that came before it ended",
    beside: [["inbox", { ...WAITING, lane: "press", received_at: ago(39.5) }]],
  },
  { table: "approvals", why: "it is young", row: { created_at: ago(9) } },
  {
    table: "plans",
    why: "ok applies it",
    beside: [["sessions", { plan_id: "p", updated_at: ago(1) }]],
  },
  { table: "plans", why: "a question is about it", beside: [["approvals", QUESTION]] },
  { table: "plans", why: "a message waits that came before it", beside: [["inbox", WAITING]] },
  {
    table: "plans",
    why: "another way to its goal is there",
    beside: [
      ["plans", { plan_id: "other", created_at: ago(1) }],
      ["ways", { goal_id: "p", plan_id: "other", by_json: "{}" }],
    ],
  },
  { table: "researches", why: "a message waits that came before it", beside: [["inbox", WAITING]] },
  { table: "routine_runs", why: "it runs", row: { state: "running" } },
  { table: "routine_runs", why: "its message is not sent", row: { delivery: "pending" } },
  { table: "routine_runs", why: "it is the newest that ended", row: { routine: "other" } },
  ...[{ cause: "manual" }, { state: "missed" }].map((newer) => ({
    table: "routine_runs",
    why: `the newer one is ${Object.values(newer)[0]}`,
    row: { routine: "other" },
    beside: [["routine_runs", { routine: "other", due_at: ago(2), ...newer }]] as const,
  })),
  { table: "spending", why: "a report may ask for it", row: { day: "2026-10-01" } },
];

function openCase({ table, row = {}, beside = [] }: Case): Database {
  const store = memoryStore();
  insert(store, table, { ...ROWS[table], ...row });
  const more = BESIDE[table];
  if (more) insert(store, table, { ...ROWS[table], ...more });
  for (const [other, values] of beside) insert(store, other, { ...ROWS[other], ...values });
  return store;
}

function forgetAll(store: Database, limits = LIMITS): number {
  const forgetting = createForgettingRows(store);
  for (let removed = 0; ; ) {
    const step = forgetting.step(limits, NOW);
    removed += step.removed;
    if (step.isLast) return removed;
  }
}

function first(store: Database, table: string): unknown {
  return store
    .query(`SELECT * FROM ${table} ORDER BY ${table === "spending" ? "day" : "rowid"}`)
    .get();
}

describe("createForgettingRows()", () => {
  test.each(Object.keys(ROWS))("removes an old row of %s that nothing needs", (table) => {
    using store = openCase({ table, why: "" });
    const before = first(store, table);
    forgetAll(store);
    expect(first(store, table)).not.toEqual(before);
  });

  test.each(GUARDS.map((each) => [each.table, each.why, each] as const))(
    "keeps a row of %s: %s",
    (table, _, each) => {
      using store = openCase(each);
      const before = first(store, table);
      forgetAll(store, each.limits);
      expect(first(store, table)).toEqual(before);
    },
  );

  test.each(FREE.map((each) => [each.table, each.why, each] as const))(
    "removes a row of %s: %s",
    (table, _, each) => {
      using store = openCase(each);
      const before = first(store, table);
      forgetAll(store);
      expect(first(store, table)).not.toEqual(before);
    },
  );

  const KEYED = [
    ["messages", "created_at", ""],
    ["sessions", "updated_at", "session_id"],
    ["inbox", "received_at", "update_id"],
    ["outbox", "created_at", ""],
    ["approvals", "created_at", "approval_id"],
    ["plans", "created_at", "plan_id"],
    ["researches", "created_at", "research_id"],
    ["routine_runs", "due_at", ""],
  ] as const;

  test.each(KEYED)("a step over %s looks at its own rows alone", (table, time, key) => {
    using store = memoryStore();
    const fillTable = store.transaction(() => {
      for (let n = 1; n <= MOST_ROWS + 2; n++) {
        // Two are old: the last of the first step, and the first of the second.
        const isOld = n === MOST_ROWS || n === MOST_ROWS + 1;
        const row = { ...ROWS[table], [time]: ago(isOld ? 40 : 1) + n };
        insert(
          store,
          table,
          key === "" ? row : { ...row, [key]: key === "update_id" ? n : `${n}` },
        );
      }
    });
    fillTable();
    const forgetting = createForgettingRows(store);
    const next = () => {
      for (;;) {
        const step = forgetting.step(LIMITS, NOW);
        if (step.kind === table) return step;
      }
    };
    expect(next()).toMatchObject({ removed: 1, isLast: false });
    // One behind the place gets old: it goes with the next pass.
    store.run(`UPDATE ${table} SET ${time} = ${ago(40)} WHERE rowid = 1`);
    expect(next()).toMatchObject({ removed: 1, isLast: false });
    expect(next()).toMatchObject({ removed: 1 });
  });

  test("removes the oldest days of what models cost, a bounded step at a time", () => {
    using store = memoryStore();
    for (let n = 0; n <= MOST_ROWS; n++) {
      insert(store, "spending", {
        ...ROWS["spending"],
        day: n === 0 ? "2025-01-01" : "2026-01-01",
        payer: `${n}`,
      });
    }
    const forgetting = createForgettingRows(store);
    const steps = Array.from({ length: 12 }, () => forgetting.step(LIMITS, NOW));
    const spending = steps.filter(({ kind }) => kind === "spending");
    expect(spending.map(({ removed }) => removed)).toEqual([MOST_ROWS, 1]);
    expect(steps.findIndex(({ isLast }) => isLast)).toBe(10);
  });

  test("removes the summary of a chat with the chat, and no other", () => {
    using store = memoryStore();
    for (const [session_id, updated_at] of [
      ["old", ago(40)],
      ["young", ago(1)],
    ] as const) {
      insert(store, "sessions", { ...ROWS["sessions"], session_id, updated_at });
      insert(store, "summaries", { session_id, summary: "s", up_to: 1 });
    }
    forgetAll(store);
    expect(store.query("SELECT session_id FROM summaries").values()).toEqual([["young"]]);
  });

  test("goes a bounded step at a time, and others write in between", () => {
    using store = memoryStore();
    for (let n = 0; n < 2 * MOST_ROWS + 1; n++) insert(store, "messages", ROWS["messages"] ?? {});
    insert(store, "messages", { ...ROWS["messages"], created_at: ago(1) });
    const forgetting = createForgettingRows(store);
    const steps = [0, 1, 2].map(() => forgetting.step(LIMITS, NOW));
    expect(steps.map(({ kind, removed }) => [kind, removed])).toEqual([
      ["messages", MOST_ROWS],
      ["messages", MOST_ROWS],
      ["messages", 1],
    ]);
    expect(forgetting.step(LIMITS, NOW).kind).toBe("sessions");
    expect(forgetAll(store)).toBe(0);
  });

  test("looks no further than the first step without anything old", () => {
    using store = memoryStore();
    const young = { ...ROWS["messages"], created_at: ago(1) };
    for (let n = 0; n < 3 * MOST_ROWS; n++) insert(store, "messages", young);
    const forgetting = createForgettingRows(store);
    expect([forgetting.step(LIMITS, NOW), forgetting.step(LIMITS, NOW)]).toMatchObject([
      { kind: "messages", removed: 0 },
      { kind: "sessions" },
    ]);
  });
});

const PROGRAM = await childProgram(new URL("./retention-child.ts", import.meta.url));
const NEEDED = 40;

/** Old rows of everything, and some among them that are needed. */
function layPast(path: string): void {
  using store = openStore(path);
  store.transaction(() => {
    for (let n = 0; n < 3000; n++) {
      const isNeeded = n % (3000 / NEEDED) === 0;
      const session_id = isNeeded ? `needed ${n}` : "s";
      insert(store, "messages", { ...ROWS["messages"], session_id });
      insert(store, "outbox", { ...ROWS["outbox"], state: isNeeded ? "waiting" : "sent" });
      insert(store, "inbox", { ...ROWS["inbox"], update_id: n });
      const approval_id = `a${n}`;
      const expires_at = isNeeded ? NOW + DAY_MS : ago(39);
      const state = isNeeded ? "waiting" : "approved";
      insert(store, "approvals", {
        ...ROWS["approvals"],
        approval_id,
        session_id,
        expires_at,
        state,
      });
    }
  })();
}

function countNeeded(store: Database) {
  const count = (sql: string) => store.query<{ n: number }, []>(sql).get()?.n;
  return {
    messages: count("SELECT count(*) AS n FROM messages WHERE session_id <> 's'"),
    outbox: count("SELECT count(*) AS n FROM outbox WHERE state = 'waiting'"),
    approvals: count("SELECT count(*) AS n FROM approvals WHERE state = 'waiting'"),
    newest: count("SELECT max(update_id) AS n FROM inbox"),
  };
}

const WHOLE = { messages: NEEDED, outbox: NEEDED, approvals: NEEDED, newest: 2999 };

test("killed within steps and run by two at once, it keeps all that is needed and ends", async () => {
  using dir = tempDir();
  const path = join(dir.path, "state.db");
  layPast(path);
  const dice = createDice(7);
  const start = () => {
    const task = JSON.stringify({ path, limits: LIMITS, now: NOW });
    return Bun.spawn([process.execPath, PROGRAM, task], { stdout: "pipe" });
  };
  for (let round = 0; round < 6; round++) {
    const children = [start(), start()];
    const [child] = children;
    const reader = child?.stdout.getReader();
    await reader?.read(); // its first step
    await Bun.sleep(dice(12));
    for (const each of children) each.kill("SIGKILL");
    await Promise.all(children.map(({ exited }) => exited));
    using store = openStore(path);
    expect(countNeeded(store)).toEqual(WHOLE);
    expect(store.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
  }
  const last = [start(), start()];
  expect(await Promise.all(last.map(({ exited }) => exited))).toEqual([0, 0]);
  using store = openStore(path);
  expect(countNeeded(store)).toEqual(WHOLE);
  expect(forgetAll(store)).toBe(0);
});

test("on a full disk a step does nothing or all of it, and the rest follows when there is room", () => {
  using dir = tempDir();
  const path = join(dir.path, "state.db");
  layPast(path);
  using store = openStore(path);
  const pages = store.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count;
  store.run(`PRAGMA max_page_count = ${pages}`);
  const forgetting = createForgettingRows(store);
  for (let n = 0; n < 3; n++) {
    // SQLite itself says that there is no room for one page more.
    expect(() =>
      store.transaction(() => {
        forgetting.step(LIMITS, NOW);
        store.run(`INSERT INTO settings (key, value) VALUES ('full', '${"x".repeat(5_000_000)}')`);
      })(),
    ).toThrow(/full/u);
    expect(countNeeded(store)).toEqual(WHOLE);
  }
  store.run("PRAGMA max_page_count = 1000000");
  expect(forgetAll(store)).toBeGreaterThan(0);
  expect(countNeeded(store)).toEqual(WHOLE);
});
