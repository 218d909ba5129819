import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Config } from "../../src/config/schema/schema.ts";
import { newId } from "../../src/core/ids.ts";
import { describePasses, renderPasses } from "../../src/daemon/retention/describe-passes.ts";
import { fitDays, keptBy, spreadBytes, sumBytes } from "../../src/daemon/retention/fit-days.ts";
import { createPassNotes, type PassNotes } from "../../src/daemon/retention/pass-notes.ts";
import { keepRetention, runPass } from "../../src/daemon/retention/retention.ts";
import { NOTHING_KNOWN } from "../../src/store/known-rows.ts";
import { createSettings } from "../../src/store/settings/settings.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { segmentName } from "../../src/trace/segments.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { takeWorkspaceLock } from "../../src/transaction/lock.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { tempDir } from "../support/temp.ts";
import { applyActions, workspaceAt } from "../transaction/scene.ts";

const DAY_MS = 86_400_000;
const LIMITS: Config["retention"] = {
  messages_days: 365,
  history_days: 90,
  traces_days: 30,
  logs_days: 10,
  approvals_days: 90,
  max_mb: 0,
};
const { signal } = new AbortController();

function scene(dir: string, limits = LIMITS) {
  const [home, root] = [join(dir, "home"), join(dir, "w")];
  mkdirSync(join(home, "logs"), { recursive: true });
  mkdirSync(root);
  const workspace = workspaceAt(root);
  const store = memoryStore();
  const logged: string[] = [];
  let now = Date.now();
  const slept: number[] = [];
  const clock = {
    now: () => now,
    sleep: async (ms: number, aborted?: AbortSignal) => {
      slept.push(ms);
      aborted?.throwIfAborted();
    },
  };
  const settings = createSettings(store, clock.now);
  const log = (event: string) => void logged.push(event);
  const growing = {
    home,
    store,
    known: NOTHING_KNOWN,
    clock,
    limits: () => limits,
    workspaces: () => [workspace],
    notes: createPassNotes(settings, log),
    log,
  };
  const pass = () => settings.of("retention.pass").get("");
  return {
    growing,
    home,
    root,
    workspace,
    store,
    settings,
    logged,
    slept,
    pass,
    later: (ms: number) => (now += ms),
  };
}

function writeTrace(root: string, at: number, bytes = 10): string {
  const dir = join(root, ".papa-yu/traces");
  mkdirSync(dir, { recursive: true });
  const name = `${newId("trace", at)}.json`;
  writeFileSync(join(dir, name), "x".repeat(bytes));
  utimesSync(join(dir, name), new Date(at), new Date(at));
  return name;
}

function insertMessage(store: Database, at: number): void {
  store.run(
    `INSERT INTO messages (session_id, message_json, created_at) VALUES ('s', '{}', ${at})`,
  );
}

test("runPass() goes over rows, logs, traces and transactions, and notes what it came to", async () => {
  using dir = tempDir();
  const { growing, home, root, workspace, store, pass, later } = scene(dir.path);
  const old = Date.now() - 31 * DAY_MS;
  const young = writeTrace(root, Date.now());
  writeTrace(root, old);
  writeFileSync(join(root, ".papa-yu/traces/mine.json"), "{}");
  for (const name of ["papayu.log", "papayu.log.1", "papayu.log.2"]) {
    writeFileSync(join(home, "logs", name), "line\n");
    const at = new Date(name.endsWith("1") ? Date.now() : old);
    utimesSync(join(home, "logs", name), at, at);
  }
  insertMessage(store, Date.now() - 366 * DAY_MS);
  await applyActions(workspace, [{ kind: "CREATE_FILE", path: "a", content: "a" }]);
  await runPass(growing, undefined, signal);
  expect(pass()?.fits).toBeUndefined();
  expect(readdirSync(join(root, ".papa-yu/traces")).toSorted()).toEqual(["mine.json", young]);
  expect(readdirSync(join(home, "logs")).toSorted()).toEqual(["papayu.log", "papayu.log.1"]);
  expect(pass()).toMatchObject({ removed: 3 });
  expect(pass()?.bytes).toBeGreaterThan(10);
  expect(readHistory(workspace)).toHaveLength(1);
  later(89 * DAY_MS);
  await runPass(growing, undefined, signal);
  later(2 * DAY_MS); // the clock may have been wrong, and was not put right
  await runPass(growing, undefined, signal);
  expect(readHistory(workspace)).toEqual([]);
  expect(readdirSync(join(root, ".papa-yu/tx"))).toEqual([]);
  expect(existsSync(join(root, "a"))).toBe(true);
});

/** What `status` says of passes, in each language. */
function tell(notes: PassNotes): readonly string[] {
  return (["en", "ru", "zh"] as const).map((each) =>
    renderPasses(describePasses(notes.read()), textsIn(each).status).join("\n"),
  );
}

test("what failed is told though the disk takes no note of it", async () => {
  using dir = tempDir();
  const { growing, store, logged, pass, later } = scene(dir.path);
  await runPass(growing, undefined, signal);
  insertMessage(store, 1);
  store.run("PRAGMA query_only = 1"); // every write is refused, as by a full disk
  later(1000);
  await runPass(growing, undefined, signal);
  expect(pass()?.failed).toBeUndefined();
  for (const each of tell(growing.notes)) expect(each).toContain("rows: attempt to write");
  expect(logged).toContain("RETENTION_FAILED");
  store.run("PRAGMA query_only = 0");
  await runPass(growing, undefined, signal);
  expect(pass()).toMatchObject({ removed: 1 });
  for (const each of tell(growing.notes)) expect(each).not.toContain("rows: ");
});

test("a pass that was cut off is told, and what went by then counts in the next", async () => {
  using dir = tempDir();
  const { growing, store, settings, logged, pass, later } = scene(dir.path);
  for (let n = 0; n < 600; n++) insertMessage(store, 1);
  const stopping = new AbortController();
  let steps = 0;
  const sleep = async () => {
    if (++steps === 2) stopping.abort(new Error("stopped"));
    stopping.signal.throwIfAborted();
  };
  const clock = { ...growing.clock, sleep };
  const cut = runPass({ ...growing, clock }, undefined, stopping.signal);
  expect(await cut.catch((error: Error) => error.message)).toBe("stopped");
  // Another process has what is on disk.
  const next = createPassNotes(settings, growing.log);
  for (const each of tell(next)) expect(each).toContain("500");
  expect(describePasses(next.read())).toMatchObject({ cut_off: { removed: 500 } });
  later(1000);
  await runPass({ ...growing, notes: next }, undefined, signal);
  expect(logged).toEqual(["RETENTION_CUT_OFF", "RETENTION_DONE"]);
  expect(pass()).toMatchObject({ removed: 600, cutOff: { removed: 500 } });
  for (const each of tell(next)) expect(each).toMatch(/600[^]*500/u);
  await runPass({ ...growing, notes: next }, undefined, signal);
  expect(pass()).toMatchObject({ removed: 0 });
  expect(pass()?.cutOff).toBeUndefined();
});

test("a clock that is far ahead lets nothing go for a day, is told, and may be put right", async () => {
  using dir = tempDir();
  const { growing, store, logged, later } = scene(dir.path);
  const years = 10 * 365 * DAY_MS;
  const left = () => store.query("SELECT 1 FROM messages").all().length;
  const pass = () => runPass(growing, undefined, signal);
  insertMessage(store, growing.clock.now());
  await pass();
  later(years);
  await pass();
  later(DAY_MS / 2);
  await pass();
  expect([left(), logged]).toEqual([1, ["RETENTION_HELD"]]);
  for (const each of tell(growing.notes)) expect(each.split("\n")).toHaveLength(2);
  later(-years); // somebody put it right
  await pass();
  expect(left()).toBe(1);
  for (const each of tell(growing.notes)) expect(each.split("\n")).toHaveLength(1);
  later(years);
  await pass();
  later(DAY_MS - 1);
  await pass();
  expect(left()).toBe(1);
  later(1); // it is right
  await pass();
  expect([left(), logged.slice(1)]).toEqual([0, ["RETENTION_HELD", "RETENTION_DONE"]]);
});

test("a part that fails keeps no other from its turn, is told, and comes again", async () => {
  using dir = tempDir();
  const { growing, root, workspace, store, logged, pass } = scene(dir.path);
  await applyActions(workspace, [{ kind: "CREATE_FILE", path: "a", content: "a" }]);
  const release = takeWorkspaceLock(workspace, "test", Date.now());
  store.run("ALTER TABLE messages RENAME TO gone");
  rmSync(join(root, ".papa-yu/traces"), { recursive: true, force: true });
  writeFileSync(join(root, ".papa-yu/traces"), "no folder");
  await runPass(growing, undefined, signal);
  expect(logged.filter((event) => event === "RETENTION_FAILED")).toHaveLength(4);
  expect(pass()?.failed).toStartWith("rows: ");
  store.run("ALTER TABLE gone RENAME TO messages");
  rmSync(join(root, ".papa-yu/traces"));
  release();
  await runPass(growing, undefined, signal);
  expect(pass()?.failed).toBeUndefined();
});

test("what does not fit into the megabytes goes with the next pass, the oldest days first", async () => {
  using dir = tempDir();
  const { growing, root, pass } = scene(dir.path, { ...LIMITS, traces_days: 0, max_mb: 3 });
  const at = (days: number) => Date.now() - DAY_MS * days;
  const names = [5, 4, 3, 2, 1].map((days) => writeTrace(root, at(days), 1024 * 1024));
  const { found, isOver } = (await runPass(growing, undefined, signal)) ?? {};
  expect([isOver, pass()?.fits]).toEqual([true, undefined]);
  await runPass({ ...growing, limits: () => ({ ...LIMITS, traces_days: 0 }) }, found, signal);
  expect(readdirSync(join(root, ".papa-yu/traces"))).toHaveLength(names.length); // allowed meanwhile
  const second = await runPass(growing, found, signal);
  const left = readdirSync(join(root, ".papa-yu/traces")).toSorted();
  expect(left).toEqual(names.slice(names.length - left.length).toSorted());
  expect(left.length).toBeWithin(1, 4);
  expect(second?.isOver).toBe(false);
});

test("what others left among traces and before-images makes nothing go, and stops nothing", async () => {
  using dir = tempDir();
  const { growing, root, workspace, store, logged, pass } = scene(dir.path, {
    ...LIMITS,
    max_mb: 50,
  });
  const old = Date.now() - 31 * DAY_MS;
  insertMessage(store, Date.now() - 3 * DAY_MS);
  await applyActions(workspace, [{ kind: "CREATE_FILE", path: "a", content: "a" }]);
  for (let n = 0; n < 3; n++) writeTrace(root, old);
  const folder = `${newId("trace", old - DAY_MS)}.json`;
  mkdirSync(join(root, ".papa-yu/traces", folder));
  const large = [
    "traces/mine.json",
    `traces/${newId("trace")}.json`,
    `objects/${newId("tx")}.tar`,
  ].map((name) => join(root, ".papa-yu", name));
  for (const path of large) {
    writeFileSync(path, "");
    truncateSync(path, 3 * 1024 ** 3);
  }
  const first = await runPass(growing, undefined, signal);
  expect(pass()?.fits).toBeUndefined();
  await runPass(growing, first?.found, signal);
  expect(logged).toEqual(["RETENTION_DONE"]);
  expect(store.query("SELECT 1 FROM messages").all()).toHaveLength(1);
  expect(large.filter((path) => existsSync(path))).toEqual(large);
  expect(readdirSync(join(root, ".papa-yu/traces"))).toContain(folder);
});

/** Segments of this and the last days, each so large and taking no space. */
function writeSegments(root: string, days: number, bytes: number): readonly string[] {
  const dir = join(root, ".papa-yu/traces");
  mkdirSync(dir, { recursive: true });
  return Array.from({ length: days }, (_, n) => {
    const day = new Date(Date.now() - DAY_MS * n).toISOString().slice(0, 10);
    const name = segmentName(day, "0a1b2c3d", 1);
    writeFileSync(join(dir, name), "");
    truncateSync(join(dir, name), bytes);
    return name;
  });
}

test("traces of a workspace are bounded by what is left free, and cost messages and other workspaces nothing", async () => {
  using dir = tempDir();
  const { growing, root, workspace, store, pass } = scene(dir.path, { ...LIMITS, max_mb: 100 });
  const other = workspaceAt(join(dir.path, "other"));
  mkdirSync(other.root);
  const workspaces = () => [workspace, other];
  for (const days of [0, 300]) insertMessage(store, Date.now() - DAY_MS * days);
  const large = writeSegments(root, 20, 30 * 1024 * 1024);
  const small = writeSegments(other.root, 20, 1024 * 1024);
  const first = await runPass({ ...growing, workspaces }, undefined, signal);
  expect(first?.isOver).toBe(true);
  expect(pass()?.fits).toBeUndefined();
  const second = await runPass({ ...growing, workspaces }, first?.found, signal);
  expect(second?.isOver).toBe(false);
  expect(readdirSync(join(root, ".papa-yu/traces"))).toEqual(large.slice(0, 1));
  expect(readdirSync(join(other.root, ".papa-yu/traces"))).toHaveLength(small.length);
  expect(store.query("SELECT 1 FROM messages").all()).toHaveLength(2);
});

test("keptBy() gives traces as many days as are configured or fit, whichever is less", () => {
  const now = Date.UTC(2026, 10, 21, 8);
  const workspace = workspaceAt("/w");
  const from = (traces_days: number, fits?: number) => {
    const fitting = { traces: new Map(fits === undefined ? [] : [["/w", fits]]) };
    const instant = keptBy({ ...LIMITS, traces_days }, fitting, now).tracesFrom(workspace);
    return instant === undefined ? "none" : new Date(instant).toISOString();
  };
  expect(from(0)).toBe("none");
  expect(from(2)).toBe("2026-11-19T08:00:00.000Z");
  expect(from(0, 1)).toBe("2026-11-21T00:00:00.000Z");
  expect(from(2, 1)).toBe("2026-11-21T00:00:00.000Z");
  expect(from(2, 9)).toBe("2026-11-19T08:00:00.000Z");
});

test("keepRetention() keeps to the megabytes with the first pass after a start", async () => {
  using dir = tempDir();
  const { growing, root, slept } = scene(dir.path, { ...LIMITS, max_mb: 50 });
  const names = writeSegments(root, 9, 30 * 1024 * 1024);
  const first = Promise.withResolvers<void>();
  const clock = {
    ...growing.clock,
    async sleep(ms: number, aborted?: AbortSignal) {
      slept.push(ms);
      if (ms < 3_600_000) return;
      first.resolve();
      await new Promise((_, reject) =>
        aborted?.addEventListener("abort", () => reject(aborted.reason)),
      );
    },
  };
  const running = keepRetention({ ...growing, clock });
  await first.promise;
  expect(readdirSync(join(root, ".papa-yu/traces"))).toEqual(names.slice(0, 1));
  await running.stop();
});

test("keepRetention() begins when the start is long over, rests after each step, and stops", async () => {
  using dir = tempDir();
  const { growing, slept, store } = scene(dir.path);
  for (let n = 0; n < 1100; n++) insertMessage(store, 1);
  const first = Promise.withResolvers<void>();
  const clock = {
    ...growing.clock,
    async sleep(ms: number, aborted?: AbortSignal) {
      slept.push(ms);
      if (ms === 3_600_000) {
        first.resolve();
        await new Promise((_, reject) =>
          aborted?.addEventListener("abort", () => reject(aborted.reason)),
        );
      }
    },
  };
  const running = keepRetention({ ...growing, clock });
  await first.promise;
  expect(slept[0]).toBe(60_000);
  expect(slept.filter((ms) => ms === 100).length).toBeGreaterThan(3);
  await running.stop();
  expect(store.query("SELECT 1 FROM messages").all()).toEqual([]);
});

test("fitDays() counts days from now back, one at least", () => {
  const now = 100 * DAY_MS + 5;
  const days = new Map<number, number>();
  spreadBytes(days, 100, { from: now - 10 * DAY_MS, to: now });
  expect(Math.round(sumBytes(days))).toBe(100);
  expect(fitDays(days, 100.5, now)).toBeUndefined();
  expect(fitDays(days, 35, now)).toBe(3);
  expect(fitDays(days, 1, now)).toBe(1);
  spreadBytes(days, 7, { from: now + DAY_MS, to: now });
  expect(Math.round(sumBytes(days))).toBe(107);
});
