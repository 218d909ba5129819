import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keepCopies } from "../../src/daemon/keep-copies.ts";
import { openState } from "../../src/store/open/open.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { listCopies } from "../../src/store/open/state-files.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";

/** Looks at once, and again when a day is over. */
function keeping(home: string) {
  const said: string[] = [];
  const store = openState(home);
  let now = Date.now();
  let looksDue = 1;
  let wake = () => {};
  const state = {
    home,
    store,
    clock: {
      now: () => now,
      sleep: (_ms: number, signal?: AbortSignal) =>
        new Promise<void>((resolve, reject) => {
          wake = () => {
            if (looksDue === 0) return;
            looksDue -= 1;
            resolve();
            wake = () => {};
          };
          wake();
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    },
    texts: () => textsIn("en"),
    log: (event: string) => void said.push(event),
    isInPlace: () => true,
  };
  const tell = async (text: string) => void said.push(text);
  const copies = keepCopies(state, { tell });
  return {
    store,
    said,
    /** Resolves when something was said after it. */
    async passADay() {
      const before = said.length;
      now += 24 * 3_600_000;
      looksDue += 1;
      wake();
      await until(() => said.length > before);
    },
    async [Symbol.asyncDispose]() {
      await copies.stop();
      store.close();
    },
  };
}

test("keepCopies() copies a new database once, and again when a day is over", async () => {
  using dir = tempDir();
  await using kept = keeping(dir.path);
  await until(() => kept.said.length === 1);
  kept.store.run("CREATE TABLE later (x)");
  await kept.passADay();
  expect(kept.said).toEqual(["STATE_COPIED", "STATE_COPIED"]);
  using newest = openStore(listCopies(dir.path)[0]?.path ?? "");
  expect(newest.query("SELECT * FROM later").all()).toEqual([]);
});

test("keepCopies() copies a large database, too", async () => {
  using dir = tempDir();
  {
    using store = openState(dir.path);
    store.run("CREATE TABLE large (x)");
    store.run("INSERT INTO large VALUES (zeroblob(6000000))");
  }
  await using kept = keeping(dir.path);
  await until(() => kept.said.length > 0);
  expect(kept.said).toEqual(["STATE_COPIED"]);
  using copy = openStore(listCopies(dir.path)[0]?.path ?? "");
  expect(copy.query("SELECT length(x) AS bytes FROM large").get()).toEqual({ bytes: 6_000_000 });
});

test("keepCopies() tells once why there is no copy", async () => {
  using dir = tempDir();
  await using kept = keeping(dir.path);
  await until(() => kept.said.length === 1);
  rmSync(join(dir.path, "backups"), { recursive: true });
  writeFileSync(join(dir.path, "backups"), "in the way");
  await kept.passADay();
  await until(() => kept.said.length === 3);
  expect(kept.said.slice(0, 2)).toEqual(["STATE_COPIED", "STATE_COPY_FAILED"]);
  expect(kept.said[2]).toContain("backups");
  await kept.passADay();
  expect(kept.said.slice(3)).toEqual(["STATE_COPY_FAILED"]);
});
