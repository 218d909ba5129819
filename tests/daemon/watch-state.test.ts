import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { copyFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { LOOK_MS, LOOKS_A_COPY, rescueState, watchState } from "../../src/daemon/watch-state.ts";
import { openState } from "../../src/store/open/open.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { listCopies } from "../../src/store/open/state-files.ts";
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
