import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDiskLimit } from "../../src/system/run/disk-growth.ts";
import { memoryDir, tempDir } from "../support/temp.ts";

const MB = 1024 * 1024;

test("createDiskLimit() sees at the end what was written, though others gave back as much", async () => {
  using dir = tempDir("papayu-test-", memoryDir());
  using others = tempDir("papayu-test-", memoryDir());
  const theirs = join(others.path, "theirs");
  writeFileSync(theirs, Buffer.alloc(64 * MB, 1));
  const limit = createDiskLimit([dir.path], 8 * MB);
  writeFileSync(join(dir.path, "a"), Buffer.alloc(10 * MB, 1));
  rmSync(theirs);
  expect(await limit.isExceeded(0, true)).toBe(true);
});

test("createDiskLimit() sees at the end that there are many empty files, though others took theirs away", async () => {
  using dir = tempDir("papayu-test-", memoryDir());
  using others = tempDir("papayu-test-", memoryDir());
  const fill = (path: string) => {
    for (let n = 0; n < 2500; n += 1) writeFileSync(join(path, String(n)), "");
  };
  const theirs = join(others.path, "theirs");
  mkdirSync(theirs);
  fill(theirs);
  const limit = createDiskLimit([dir.path], 8 * MB);
  fill(dir.path);
  rmSync(theirs, { recursive: true });
  expect(await limit.isExceeded(0, true)).toBe(true);
});
