import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { LOOK_MS, LOOKS_A_COPY, rescueState, watchState } from "../../src/daemon/watch-state.ts";
import { readHomeId } from "../../src/store/open/home-identity.ts";
import { openState } from "../../src/store/open/open.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { listCopies } from "../../src/store/open/state-files.ts";
import { openPages } from "../../src/store/repair/pages.ts";
import { createSettings } from "../../src/store/settings/settings.ts";
import { rememberFile } from "../../src/system/remember-file.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { tempDir } from "../support/temp.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function watched(home: string) {
  const said: string[] = [];
  const store = openState(home);
  const isInPlace = rememberFile(join(home, "state.db"));
  const state = {
    home,
    store,
    clock: systemClock,
    texts: () => textsIn("en"),
    log: (event: string) => void said.push(event),
    isInPlace,
  };
  return { state, said };
}

test("watchState() tells once that the database was replaced, and copies what is still open now and then", () => {
  using dir = tempDir();
  const path = join(dir.path, "state.db");
  const { state, said } = watched(dir.path);
  const watch = watchState(state, { tell: async (text) => void said.push(text) });
  jest.advanceTimersByTime(3 * LOOK_MS);
  expect(said).toEqual([]);
  createSettings(state.store).of("undo.").set("only", "in the open file");
  writeFileSync(`${path}.other`, "1");
  renameSync(`${path}.other`, path);
  jest.advanceTimersByTime(LOOKS_A_COPY * LOOK_MS);
  const first = ["STATE_COPIED", "STATE_GONE", textsIn("en").status.stateGone];
  expect(said).toEqual(first);
  jest.advanceTimersByTime(LOOK_MS);
  expect(said).toEqual([...first, "STATE_COPIED"]);
  watch.stop();
  jest.advanceTimersByTime(99 * LOOK_MS);
  expect(said).toHaveLength(4);
  using copy = openStore(listCopies(dir.path)[0]?.path ?? "");
  expect(createSettings(copy).of("undo.").get("only")).toBe("in the open file");
  state.store.close();
});

test("rescueState() copies what was written after the file was deleted, and nothing while it exists", () => {
  using dir = tempDir();
  const { state, said } = watched(dir.path);
  expect(rescueState(state)).toBeUndefined();
  expect(said).toEqual([]);
  rmSync(join(dir.path, "state.db"));
  createSettings(state.store).of("undo.").set("late", "1");
  expect(rescueState(state)).toBeUndefined();
  using copy = openStore(listCopies(dir.path)[0]?.path ?? "");
  expect(createSettings(copy).of("undo.").get("late")).toBe("1");
  state.store.close();
});

test("watchState() brings the log into the file again and again", () => {
  using dir = tempDir();
  const { state } = watched(dir.path);
  createSettings(state.store).of("undo.").set("only", "in the log");
  const watch = watchState(state, { tell: async () => {} });
  jest.advanceTimersByTime(LOOK_MS);
  watch.stop();
  // What a log that is lost leaves.
  copyFileSync(join(dir.path, "state.db"), join(dir.path, "alone.db"));
  using alone = openStore(join(dir.path, "alone.db"));
  expect(createSettings(alone).of("undo.").get("only")).toBe("in the log");
  state.store.close();
});

test("rememberFile() knows a file that is written to, and one that is gone", () => {
  using dir = tempDir();
  const path = join(dir.path, "state.db");
  writeFileSync(path, "1");
  const isInPlace = rememberFile(path);
  writeFileSync(path, "2");
  expect(isInPlace()).toBe(true);
  rmSync(path);
  expect(isInPlace()).toBe(false);
});

test("watchState() has each log begin with whose it is, and leaves one alone that nothing was written to", () => {
  using dir = tempDir();
  const path = join(dir.path, "state.db");
  const { state } = watched(dir.path);
  const watch = watchState(state, { tell: async () => {} });
  const isSaid = () => {
    using log = openPages(path, { withLog: true, withFile: false });
    return log.inLog.some((page) => log.page(page)?.includes(readHomeId(state.store) ?? "none"));
  };
  for (let round = 0; round < 3; round++) {
    state.store.query("INSERT INTO routines VALUES (?, '{}', 1, 0)").run(`r${round}`);
    jest.advanceTimersByTime(LOOK_MS);
    // What is written next does not go over it, as it is not yet in the file itself.
    state.store.query("UPDATE routines SET created_at = created_at + 1").run();
    expect(isSaid()).toBe(true);
    jest.advanceTimersByTime(LOOK_MS);
    const before = readFileSync(`${path}-wal`);
    jest.advanceTimersByTime(5 * LOOK_MS);
    expect(readFileSync(`${path}-wal`).equals(before)).toBe(true);
    expect(isSaid()).toBe(true);
  }
  watch.stop();
  state.store.close();
});
