import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { openState } from "../../src/store/open/open.ts";
import { createSettings } from "../../src/store/settings/settings.ts";
import { stopBlocking, untilWritten } from "../../src/store/when-writable.ts";
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

/** Counts turns of the event loop. */
async function countTurns(most: number): Promise<number> {
  let turns = 0;
  while (turns < most) {
    await Bun.sleep(1);
    turns++;
  }
  return turns;
}

describe("untilWritten()", () => {
  test("writes once another process lets go, and meanwhile the loop goes round", async () => {
    using dir = tempDir();
    using store = openState(dir.path);
    stopBlocking(store, systemClock);
    const holder = await holdLock(dir.path);
    const settings = createSettings(store);
    let tries = 0;
    let isWritten = false;
    const write = () => {
      tries++;
      settings.of("undo.").set("a", "1");
      isWritten = true;
    };
    const written = untilWritten(write, { clock: systemClock });
    // Were the loop to wait with the write, this would take minutes.
    const turns = await countTurns(500);
    expect(isWritten).toBe(false);
    await holder.letGo();
    await written;
    expect(settings.of("undo.").get("a")).toBe("1");
    expect(turns / tries).toBeGreaterThan(5);
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

describe("stopBlocking()", () => {
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
