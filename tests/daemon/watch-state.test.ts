import { expect, test } from "bun:test";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { watchState } from "../../src/daemon/watch-state.ts";
import { rememberFile } from "../../src/system/remember-file.ts";
import { tempDir } from "../support/temp.ts";

test("watchState() tells once that the database was replaced", async () => {
  using dir = tempDir();
  const path = join(dir.path, "state.db");
  writeFileSync(path, "1");
  const isInPlace = rememberFile(path);
  const said: string[] = [];
  const looked = Promise.withResolvers<void>();
  let looks = 0;
  const watch = watchState({
    isInPlace() {
      if (++looks === 3) looked.resolve();
      return isInPlace();
    },
    log: (event) => said.push(event),
    tell: async () => void said.push("told"),
    everyMs: 1,
  });
  await looked.promise;
  expect(said).toEqual([]);
  writeFileSync(`${path}.copy`, "1");
  renameSync(`${path}.copy`, path);
  while (said.length < 2) await Bun.sleep(1);
  const before = looks;
  await Bun.sleep(10);
  expect(said).toEqual(["STATE_GONE", "told"]);
  expect(looks).toBe(before);
  watch.stop();
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
