import { describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findLockHolder, takeLock } from "../../src/system/locks/kernel-lock.ts";
import { tempDir } from "../support/temp.ts";

const HOLD = `
import { takeLock } from ${JSON.stringify(join(import.meta.dir, "../../src/system/locks/kernel-lock.ts"))};
const lock = takeLock(process.argv[1], "child");
console.log(lock.ok);
await new Promise(() => setInterval(() => {}, 1000));
`;

describe("takeLock()", () => {
  test("refuses a second holder within one process and names the first", () => {
    using dir = tempDir();
    const path = join(dir.path, "lock");
    const first = takeLock(path, "first", 42);
    expect(takeLock(path, "second")).toEqual({
      ok: false,
      holder: { pid: process.pid, since: 42, what: "first" },
    });
    expect(findLockHolder(path)?.what).toBe("first");
    if (first.ok) first.release();
    expect(findLockHolder(path)).toBeUndefined();
    expect(takeLock(path, "second").ok).toBe(true);
  });

  test("is dropped by the kernel when its process is killed", async () => {
    using dir = tempDir();
    const path = join(dir.path, "lock");
    const child = Bun.spawn([process.execPath, "-e", HOLD, path], { stdout: "pipe" });
    const { value } = await child.stdout.getReader().read();
    expect(new TextDecoder().decode(value)).toBe("true\n");
    expect(takeLock(path, "parent")).toMatchObject({ ok: false, holder: { pid: child.pid } });
    child.kill("SIGKILL");
    await child.exited;
    expect(takeLock(path, "parent").ok).toBe(true);
  });

  test("replaces what one left who was killed before the file had its name", () => {
    using dir = tempDir();
    const path = join(dir.path, "lock");
    writeFileSync(`${path}.holder.tmp`, '{"pid":');
    const taken = takeLock(path, "next");
    expect(findLockHolder(path)?.what).toBe("next");
    if (taken.ok) taken.release();
    expect(readdirSync(dir.path).toSorted()).toEqual(["lock", "lock.holder"]);
  });

  test("has one winner among many at once, and the file names it", async () => {
    using dir = tempDir();
    const path = join(dir.path, "lock");
    const spawn = () => Bun.spawn([process.execPath, "-e", HOLD, path], { stdout: "pipe" });
    const children = Array.from({ length: 8 }, spawn);
    const said = await Promise.all(
      children.map(async ({ stdout }) =>
        new TextDecoder().decode((await stdout.getReader().read()).value),
      ),
    );
    const winners = children.filter((_, index) => said[index] === "true\n");
    expect(winners.map(({ pid }) => pid)).toEqual([findLockHolder(path)?.pid ?? 0]);
    for (const child of children) child.kill("SIGKILL");
  });

  test("is held until it is released, also where nobody kept what it gave", () => {
    using dir = tempDir();
    const path = join(dir.path, "lock");
    const script = `${HOLD.split("const lock")[0]}
      const path = process.argv[1];
      takeLock(path, "kept by nobody");
      for (let round = 0; round < 20; round++) {
        Bun.gc(true);
        await Bun.sleep(1);
      }
      console.log(takeLock(path, "second").ok);`;
    const { stdout } = Bun.spawnSync([process.execPath, "-e", script, path]);
    expect(stdout.toString()).toBe("false\n");
  });

  test("says which file is no lock, and what to do", () => {
    using dir = tempDir();
    const path = join(dir.path, "lock");
    writeFileSync(path, "damaged ".repeat(1000));
    for (const use of [() => takeLock(path, "x"), () => findLockHolder(path)]) {
      expect(use).toThrow(
        /Cannot use the lock ".*lock": (file is not a database|it is not empty); delete it/,
      );
    }
    expect(() => takeLock(join(path, "below"), "x")).toThrow("Cannot use the lock");
  });
});

describe("findLockHolder()", () => {
  test("makes no file where there is none", () => {
    using dir = tempDir();
    const path = join(dir.path, "lock");
    expect(findLockHolder(path)).toBeUndefined();
    expect(Bun.file(path).size).toBe(0);
  });
});
