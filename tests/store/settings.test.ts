import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { toWorkId } from "../../src/daemon/routines/routine-deps.ts";
import { createApprovalStore } from "../../src/store/approvals.ts";
import { createInbox } from "../../src/store/chats/inbox.ts";
import { MIGRATIONS } from "../../src/store/open/migrations.ts";
import {
  FAMILIES,
  FAMILY_NAMES,
  type FamilyName,
  familyOf,
  prefixOf,
  type ValueOf,
} from "../../src/store/settings/families.ts";
import { pruneSettings } from "../../src/store/settings/prune-settings.ts";
import { countRubbish, createSettings } from "../../src/store/settings/settings.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { RUBBISH } from "../support/rubbish.ts";

const YEARS_MS = 5 * 365 * 24 * 3_600_000;

function keysOf(store: Database): readonly string[] {
  const sql = "SELECT key FROM settings ORDER BY key";
  return store
    .query<{ key: string }, []>(sql)
    .all()
    .map(({ key }) => key);
}

function pruneAll(store: Database, now: number): void {
  while (pruneSettings(store, now).hasMore);
}

describe("createSettings()", () => {
  test("keeps the newest value of a key", () => {
    const undo = createSettings(memoryStore()).of("undo.");
    expect(undo.get("b")).toBeUndefined();
    undo.set("b", "1");
    undo.set("b", "");
    undo.set("b' OR 1=1", "x");
    undo.set("a", "of a");
    expect(undo.get("b")).toBe("");
    expect(undo.get("a")).toBe("of a");
  });

  test("reads the life of a daemon that was given no configuration", () => {
    const life = createSettings(memoryStore()).of("daemon.life");
    const launch = { configPath: undefined, cwd: "/" };
    life.set("", { pid: 1, aliveAt: 2, isOver: true, launch });
    expect(life.get("")).toMatchObject({ pid: 1, launch: { cwd: "/" } });
  });

  test("lists what is kept below a start, and forgets a key", () => {
    const settings = createSettings(memoryStore());
    const made = settings.of("made.");
    for (const id of ["a.2", "a.10", "a", "b.1", "a.é%_"]) made.set(id, `of ${id}`);
    settings.of("undo.").set("a.3", "of another family");
    const values = () => made.below("a.").map(({ value }) => value);
    expect(values()).toEqual(["of a.10", "of a.2", "of a.é%_"]);
    expect(made.below("a.").map(({ id }) => id)).toEqual(["a.10", "a.2", "a.é%_"]);
    made.remove("a.10");
    made.remove("a.none");
    expect(values()).toEqual(["of a.2", "of a.é%_"]);
  });

  test("tells once of a family that it has what cannot be read, and counts such rows", () => {
    using store = memoryStore();
    const reported: string[] = [];
    const settings = createSettings(store, undefined, (family) => void reported.push(family));
    const insert = store.query("INSERT INTO settings (key, value) VALUES (?, 'rubbish')");
    for (const key of ["wish.a", "wish.b", "allowed:c", "undo.text", "of.nobody"]) insert.run(key);
    expect([settings.of("revision.").get("a"), settings.of("revision.").has("a")]).toEqual([
      undefined,
      true,
    ]);
    expect([settings.of("revision.").below(""), settings.of("revision.").has("c")]).toEqual([
      [],
      false,
    ]);
    settings.of("allowed:").get("c");
    settings.of("undo.").get("text");
    settings.of("revision.").get("none");
    expect(reported).toEqual(["revision.", "allowed:"]);
    expect(countRubbish(store)).toBe(3);
  });

  test.each(FAMILY_NAMES)("reads rubbish below %s as nothing, and never throws", (name) => {
    using store = memoryStore();
    const insert = store.query("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)");
    const family = createSettings(store).of(name);
    for (const rubbish of RUBBISH) {
      insert.run(`${prefixOf(name)}x`, rubbish);
      const read = family.get("x");
      const isOwn = read === undefined || typeof read !== "object" || name === "change.";
      expect({ rubbish, isOwn }).toEqual({ rubbish, isOwn: true });
      expect(family.below("").length).toBe(read === undefined ? 0 : 1);
    }
  });
});

/** A value of each family, as it is written. */
const SAMPLES: { readonly [F in FamilyName]: ValueOf<F> } = {
  "daemon.life": {
    pid: 1,
    aliveAt: 2,
    isOver: false,
    crashedAt: 1,
    launch: { configPath: "c", cwd: "/", isService: true },
  },
  "home.identity": { id: "home_1", seal: "s" },
  "retention.pass": {
    at: 1,
    endedAt: 2,
    removed: 2,
    bytes: 3,
    fits: 4,
    failed: "rows: why",
    failedParts: 1,
    cutOff: { at: 0, removed: 7 },
    heldSince: 5,
  },
  "retention.begun": { at: 1, removed: 2 },
  "moved_chat.": { to: -1007, from: -7 },
  "undo.": "telegram:1",
  "failed.": { planId: "p", userId: "u" },
  "subject.": "wish:p",
  "asked.": { sessionId: "http:s", digest: "ab" },
  "change.": { planId: "p", outcome: { ok: true } },
  "made.": "call_1",
  "untold.": { workId: "w", runner: "r", isReported: true },
  "research.": "res_1",
  "revision.": { planId: "p", userId: "u", until: 5 },
  "side_plan.": { sessionId: "s", userId: "u", mustAsk: true },
  "command.": "asked by a command",
  "tainted:": 7,
  "read:": 8,
  "allowed:": { at: 1, origins: ["https://a.example"] },
  "capabilities.": "5 tools",
  "mcp.tools.": { fingerprint: "f", at: 1, tools: [{ name: "t" }] },
  "console.label": "papayu-abcdefgh",
  "console.init_data.": 1_700_000_000_000,
  "console.browser.": {
    browser: "Firefox",
    signedInAt: 1,
    secretSha256: "ab",
    cookieSha256: "cd",
  },
  "attempt.": { at: 1, code: "ERR_IO", message: "the disk is gone" },
  "looked.": "owner",
  "seen.": { sides: ["a".repeat(32)], approvalId: "ap_1" },
  "draft.": {
    comments: [{ text: "no", path: "a.ts", side: "after", line: 4, to: 5 }],
    unticked: [{ path: "a.ts", hunks: [0] }, { path: "b.ts" }],
  },
  "earlier.": {
    approvalId: "ap_1",
    comments: [{ text: "no", path: "a.ts" }],
    leftOut: [{ path: "b.ts", hunks: [1] }],
  },
  "online_research.auto_use:": "off",
  "routine.fingerprint.": "f",
  "routine.set_aside.": 1,
};

function put(store: Database, name: FamilyName, now = () => 0): void {
  createSettings(store, now).of(name).set("x", SAMPLES[name]);
}

test.each(FAMILY_NAMES)("createSettings() gives back what was set below %s", (name) => {
  using store = memoryStore();
  put(store, name);
  expect(createSettings(store).of(name).get("x")).toEqual(SAMPLES[name]);
});

test("nobody else puts a key of the settings together or asks the table", async () => {
  const own = /^store\/(?:settings\/|open\/migrations\.ts$)/u;
  const root = join(import.meta.dir, "../../src");
  const found: string[] = [];
  for await (const path of new Glob("**/*.ts").scan(root)) {
    const text = await Bun.file(join(root, path)).text();
    if (!own.test(path) && /\b(?:FROM|INTO|UPDATE|IGNORE)\s+settings\b/u.test(text))
      found.push(path);
  }
  expect(found).toEqual([]);
});

test("prefixOf() keeps the words that earlier versions wrote, so that their rows are found", () => {
  using store = memoryStore();
  const insert = store.query("INSERT INTO settings (key, value) VALUES (?, ?)");
  insert.run("meant.x", "p");
  insert.run("wish.x", JSON.stringify(SAMPLES["revision."]));
  insert.run("beside.x", JSON.stringify(SAMPLES["side_plan."]));
  const settings = createSettings(store);
  expect(settings.of("subject.").get("x")).toBe("p");
  expect(settings.of("revision.").below("")).toEqual([{ id: "x", value: SAMPLES["revision."] }]);
  expect(settings.of("side_plan.").get("x")).toEqual(SAMPLES["side_plan."]);
  for (const name of ["subject.", "revision.", "side_plan."] as const) put(store, name);
  expect(keysOf(store)).toEqual(["beside.x", "meant.x", "wish.x"]);
});

test("FAMILIES keeps each for so many days", () => {
  const DAY_MS = 86_400_000;
  const days = new Map<string, number | "for good">([
    ...["revision.", "tainted:", "read:", "allowed:", "capabilities.", "console.init_data."].map(
      (name) => [name, 1] as const,
    ),
    ["console.browser.", 30],
    ["routine.fingerprint.", 400],
    ["routine.set_aside.", 400],
    ...["daemon.life", "home.identity", "retention.pass", "retention.begun"].map(
      (name) => [name, "for good"] as const,
    ),
    ["console.label", "for good"],
    ["moved_chat.", "for good"],
    ["online_research.auto_use:", "for good"],
  ]);
  for (const name of FAMILY_NAMES) {
    const kept = days.get(name) ?? 90;
    const keptMs = kept === "for good" ? kept : kept * DAY_MS;
    expect([name, FAMILIES[name].keptMs]).toEqual([name, keptMs]);
  }
});

test("no family's keys begin as those of another", () => {
  for (const name of FAMILY_NAMES) {
    expect(
      FAMILY_NAMES.filter((other) => `${prefixOf(name)}x`.startsWith(prefixOf(other))),
    ).toEqual([name]);
    expect(familyOf(`${prefixOf(name)}x`)).toBe(name);
  }
  expect(familyOf("nobody.x")).toBeUndefined();
});

describe("pruneSettings()", () => {
  const row = (store: Database, name: FamilyName, id: string, expiresAt: number | null) =>
    store
      .query("INSERT INTO settings (key, value, expires_at) VALUES (?, 'x', ?)")
      .run(`${prefixOf(name)}${id}`, expiresAt);

  test.each(FAMILY_NAMES)("forgets %s when its time is over, and not before", (name) => {
    using store = memoryStore();
    const { keptMs } = FAMILIES[name];
    let now = 1000;
    put(store, name, () => now);
    now += keptMs === "for good" ? YEARS_MS : keptMs - 1;
    pruneAll(store, now);
    expect(keysOf(store)).toEqual([`${prefixOf(name)}x`]);
    pruneAll(store, now + 1);
    expect(keysOf(store)).toEqual(keptMs === "for good" ? [`${prefixOf(name)}x`] : []);
  });

  test("goes by small steps, along an index", () => {
    using store = memoryStore();
    for (let n = 0; n < 250; n++) row(store, "undo.", `${n}`, n);
    const left = () => keysOf(store).length;
    const steps = [1, 2, 3].map(() => [pruneSettings(store, 1000), left()]);
    expect(steps).toEqual([
      [{ removed: 100, hasMore: true }, 150],
      [{ removed: 100, hasMore: true }, 50],
      [{ removed: 50, hasMore: false }, 0],
    ]);
    const plan = store.query<{ detail: string }, []>(
      "EXPLAIN QUERY PLAN SELECT key FROM settings WHERE expires_at <= 5 ORDER BY expires_at LIMIT 9",
    );
    expect(plan.all().map(({ detail }) => detail)).toEqual([
      "SEARCH settings USING INDEX settings_expiring (expires_at<?)",
    ]);
  });

  test("forgets what a call wrote that a person was asked about, once it has ended", () => {
    using store = memoryStore();
    const approvals = createApprovalStore(store);
    const subject = { kind: "tool_call", tool: "t", argsJson: "{}", callSha256: "c" } as const;
    const asked = { sessionId: "s", userId: "u", createdAt: 1, expiresAt: 2, ...subject };
    for (const approvalId of ["ap_1", "ap_2"]) {
      approvals.ask({ ...asked, approvalId });
      approvals.settle(approvalId, "approved");
      row(store, "change.", approvalId, 1);
    }
    approvals.finish("ap_1");
    pruneAll(store, YEARS_MS);
    expect(keysOf(store)).toEqual(["change.ap_2"]);
  });

  test("keeps what a work wrote while its message, its call or its run still waits", () => {
    using store = memoryStore();
    const inbox = createInbox(store, 7);
    const approvals = createApprovalStore(store);
    const waiting = { sessionId: "s", lane: "turn", updateJson: "{}", state: "waiting" } as const;
    inbox.add({ ...waiting, updateId: 5 }, 1);
    const speaker = { sessionId: "s", userId: "u" };
    const call = { ...speaker, tool: "t", argsJson: "{}", turnId: "telegram:7:5", createdAt: 1 };
    approvals.allow({ ...call, approvalId: "call_1" });
    const run = toWorkId({ name: "tidy" }, 9);
    store.run(`INSERT INTO routine_runs (routine, due_at, cause, state, delivery)
      VALUES ('tidy', 9, 'schedule', 'running', 'none')`);
    const works = ["telegram:7:5", "call_1", run];
    for (const work of works) {
      row(store, "change.", work, 1);
      row(store, "subject.", work, 1);
      row(store, "made.", `${JSON.stringify(work)}.call_2`, 1);
    }
    row(store, "change.", "telegram:7:50", 1);
    row(store, "change.", "telegram:8:5", 1);
    const kept = keysOf(store).filter((key) => !/telegram:(?:7:50|8:5)$/u.test(key));
    expect(kept.length).toBe(9);
    row(store, "undo.", "kept", 3 * YEARS_MS);
    pruneAll(store, YEARS_MS);
    expect(keysOf(store)).toEqual([...kept, "undo.kept"]);
    const expiries = store.query(
      "SELECT DISTINCT expires_at FROM settings WHERE key <> 'undo.kept'",
    );
    expect(expiries.values()).toEqual([[YEARS_MS + 24 * 3_600_000]]);
    expect(store.query("SELECT expires_at FROM settings WHERE key = 'undo.kept'").values()).toEqual(
      [[3 * YEARS_MS]],
    );
    createSettings(store).of("undo.").remove("kept");
    inbox.finish(5, "done");
    approvals.finish("call_1");
    store.run("UPDATE routine_runs SET state = 'ok'");
    pruneAll(store, YEARS_MS);
    expect(keysOf(store)).toEqual(kept);
    pruneAll(store, 2 * YEARS_MS);
    expect(keysOf(store)).toEqual([]);
  });
});

test("the migration gives every old row an expiry, but for what is kept for good", () => {
  using store = new Database(":memory:", { strict: true });
  const before = MIGRATIONS.findIndex((sql) => sql.includes("settings_expiring"));
  for (const sql of MIGRATIONS.slice(0, before)) store.run(sql);
  const isMark = (name: FamilyName) => name === "tainted:" || name === "read:";
  const insert = store.query("INSERT INTO settings (key, value) VALUES (?, ?)");
  const came = (name: FamilyName) =>
    !/^(?:retention|console|routine\.set_aside|moved_chat)\./u.test(name); // later
  for (const name of FAMILY_NAMES.filter(came)) {
    const isAlone = name === "daemon.life" || name === "home.identity";
    insert.run(isAlone ? name : `${prefixOf(name)}x`, "7000");
  }
  const begun = Math.floor(Date.now() / 1000) * 1000;
  store.run(MIGRATIONS[before] ?? "");
  const rows = store.query<{ key: string; at: number | null }, []>(
    "SELECT key, expires_at AS at FROM settings",
  );
  for (const { key, at } of rows.all()) {
    const name = familyOf(key);
    if (name === undefined) throw new Error(key);
    const { keptMs } = FAMILIES[name];
    if (keptMs === "for good") expect(at).toBeNull();
    else if (isMark(name)) expect(at).toBe(7000 + keptMs);
    else expect((at ?? 0) - begun).toBeWithin(keptMs, keptMs + 3_600_000);
  }
});
