import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Clock, onceATick, systemClock } from "../../src/core/clock.ts";
import { openState } from "../../src/store/open/open.ts";
import { createSettings } from "../../src/store/settings/settings.ts";
import {
  isLocked,
  isOfStore,
  stopBlocking,
  untilWritten,
} from "../../src/store/writer/when-writable.ts";
import { tempDir } from "../support/temp.ts";

const CHILD = Bun.fileURLToPath(new URL("./hold-lock-child.ts", import.meta.url));

/** Another process that writes to the database until it is told to let go. */
async function holdLock(home: string) {
  const child = Bun.spawn([process.execPath, CHILD, join(home, "state.db")], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  await reader.read();
  return {
    async letGo() {
      await child.stdin.end();
      await child.exited;
    },
  };
}

describe("untilWritten()", () => {
  test("writes once another process lets go, and meanwhile the loop goes round", async () => {
    using dir = tempDir();
    using store = openState(dir.path);
    stopBlocking(store, systemClock);
    const slept: number[] = [];
    const clock: Clock = {
      ...systemClock,
      sleep(ms, signal) {
        slept.push(ms);
        return systemClock.sleep(ms, signal);
      },
    };
    const holder = await holdLock(dir.path);
    const settings = createSettings(store);
    let tries = 0;
    let isWritten = false;
    const write = () => {
      tries++;
      settings.of("undo.").set("a", "1");
      isWritten = true;
    };
    const written = untilWritten(write, { clock });
    for (let turns = 0; turns < 500; turns++) await Bun.sleep(1);
    expect(isWritten).toBe(false);
    await holder.letGo();
    await written;
    expect(settings.of("undo.").get("a")).toBe("1");
    // Each try may hold up the loop for a glance, and is rarer than the one before.
    expect(store.query("PRAGMA busy_timeout").get()).toEqual({ timeout: 100 });
    expect(slept).toEqual(slept.map((_, pause) => Math.min(20 * 2 ** pause, 500)));
    expect(tries).toBe(slept.length + 1);
  });

  test("gives up at once for any other reason, unless it must last", async () => {
    using dir = tempDir();
    using store = openState(dir.path);
    const pages = store.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count;
    store.run(`PRAGMA max_page_count = ${pages}`);
    const settings = createSettings(store);
    let tries = 0;
    const write = () => {
      tries++;
      settings.of("undo.").set("long", "x".repeat(100_000));
    };
    expect(untilWritten(write, { clock: systemClock })).rejects.toThrow(/full/);
    expect(tries).toBe(1);
    const clock = {
      ...systemClock,
      async sleep() {
        if (tries === 5) store.run("PRAGMA max_page_count = 100000");
        await Bun.sleep(0);
      },
    };
    await untilWritten(write, { clock, isLasting: true });
    expect(tries).toBe(6);
  });
});

describe("untilWritten() of a write that is always refused", () => {
  const refused = (code: string) => Object.assign(new Error(code), { code });
  /** How often it is tried, and why it ends. */
  async function tried(
    code: (tries: number) => string,
    patience: Partial<Parameters<typeof untilWritten>[1]> = {},
  ) {
    let tries = 0;
    const clock = { ...systemClock, sleep: async () => {} };
    const write = () => {
      tries++;
      throw refused(code(tries));
    };
    const end = await untilWritten(write, { clock, ...patience }).catch(String);
    return [tries, end];
  }

  test("tries 121 times while it is locked, and once for anything else", async () => {
    expect(await tried(() => "SQLITE_BUSY")).toEqual([121, "Error: SQLITE_BUSY"]);
    expect(await tried(() => "SQLITE_LOCKED_SHAREDCACHE")).toEqual([
      121,
      "Error: SQLITE_LOCKED_SHAREDCACHE",
    ]);
    for (const code of ["SQLITE_FULL", "EIO", "XSQLITE_BUSY"]) {
      expect(await tried(() => code)).toEqual([1, `Error: ${code}`]);
    }
  });

  test("goes on for ever where it must, as long as it is the database and nobody aborts", async () => {
    const lasting = { isLasting: true };
    const late = (tries: number) => (tries < 500 ? "SQLITE_FULL" : "EIO");
    expect(await tried(late, lasting)).toEqual([500, "Error: EIO"]);
    const signal = { aborted: false };
    const abort = (tries: number) => {
      signal.aborted = tries === 300;
      return "SQLITE_IOERR";
    };
    expect(await tried(abort, { ...lasting, signal })).toEqual([300, "Error: SQLITE_IOERR"]);
    expect(await tried(() => "SQLITE_BUSY", { signal: AbortSignal.abort() })).toEqual([
      1,
      "Error: SQLITE_BUSY",
    ]);
  });

  test("knows by its code what passes, and what is of the database at all", () => {
    const codes = ["SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE", "EBUSY"].map(refused);
    expect(codes.map(isLocked)).toEqual([true, true, false, false, false]);
    expect(codes.map(isOfStore)).toEqual([true, true, true, false, false]);
    expect([isLocked("SQLITE_BUSY"), isOfStore(undefined)]).toEqual([false, false]);
  });
});

describe("stopBlocking()", () => {
  test("asks nobody where this process has just written, and calls free what cannot be asked", async () => {
    using dir = tempDir();
    using store = openState(dir.path);
    let isOwn = true;
    const ready = stopBlocking(store, systemClock, () => isOwn);
    const holder = await holdLock(dir.path);
    expect(ready()).toBeUndefined();
    isOwn = false;
    const waiting = ready();
    expect(waiting).toBeInstanceOf(Promise);
    isOwn = true;
    // Who waits already is waited for.
    expect(ready()).toBeInstanceOf(Promise);
    await holder.letGo();
    await waiting;
    isOwn = false;
    store.close();
    await new Promise(setImmediate);
    expect(ready()).toBeUndefined();
  });

  test("gives what waits for another process, or for the end of patience", async () => {
    using dir = tempDir();
    using store = openState(dir.path);
    const ready = stopBlocking(store, systemClock);
    expect(ready()).toBeUndefined();
    const holder = await holdLock(dir.path);
    let isFree = false;
    const waiting = ready()?.then(() => {
      isFree = true;
    });
    const cancelled = new AbortController();
    const given = ready(cancelled.signal);
    cancelled.abort();
    await given;
    expect(isFree).toBe(false);
    await holder.letGo();
    await waiting;
    expect(ready()).toBeUndefined();
  });
});

test("onceATick() looks once for all that ask in a tick, and again in the next", async () => {
  let looks = 0;
  const look = onceATick(() => ++looks);
  expect([look(), look()]).toEqual([1, 1]);
  await Promise.resolve();
  expect(look()).toBe(1);
  await new Promise(setImmediate);
  expect([look(), look()]).toEqual([2, 2]);
});

test("onceATick() asks again for what could not be had", () => {
  let looks = 0;
  const look = onceATick(() => {
    if (++looks === 1) throw new Error("not yet");
    return looks;
  });
  expect(look).toThrow("not yet");
  expect(look()).toBe(2);
});
