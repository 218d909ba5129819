import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openState } from "../../src/store/open/open.ts";
import { listCopies } from "../../src/store/open/state-files.ts";
import { tendHere, tendState } from "../../src/store/tend/tend.ts";
import { overwrite } from "../support/overwrite.ts";
import { tempDir } from "../support/temp.ts";

const NOON = Date.UTC(2026, 4, 1, 12);
const CHILD = Bun.fileURLToPath(import.meta.resolve("../../src/store/tend/tend-child.ts"));

/** A home whose database has a page that cannot be read. */
function damagedHome() {
  const dir = tempDir();
  {
    using store = openState(dir.path);
    store.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  overwrite(join(dir.path, "state.db"), 4096 * 3, Buffer.alloc(4096, 0xff));
  return dir;
}

/** What the program says that looks after the database of a home. */
async function runChild(task: object): Promise<unknown> {
  const child = Bun.spawn([process.execPath, CHILD, JSON.stringify(task)], { stderr: "inherit" });
  return JSON.parse(await child.stdout.text());
}

describe("tendHere()", () => {
  test("looks, or copies where it is told when", () => {
    using dir = tempDir();
    using store = openState(dir.path);
    expect(tendHere(store, dir.path, undefined)).toEqual({ ok: true });
    expect(listCopies(dir.path)).toEqual([]);
    const copied = tendHere(store, dir.path, NOON);
    expect(copied).toEqual({ ok: true, copy: listCopies(dir.path)[0]?.path ?? "none" });
  });

  test("says what is damaged, and copies none of it", () => {
    using dir = damagedHome();
    using store = openState(dir.path);
    for (const copyAt of [undefined, NOON]) {
      expect(tendHere(store, dir.path, copyAt)).toMatchObject({
        ok: false,
        code: "ERR_STORE_DAMAGED",
        message: expect.stringContaining("state.db"),
      });
    }
    expect(listCopies(dir.path)).toEqual([]);
  });
});

describe("tendState()", () => {
  const { signal } = new AbortController();

  test("says the same of the home of another process", async () => {
    using dir = tempDir();
    openState(dir.path).close();
    expect(await tendState(dir.path, { copyAt: undefined, signal })).toEqual({ ok: true });
    expect(await runChild({ home: dir.path })).toEqual({ ok: true });
    const copied = await runChild({ home: dir.path, copyAt: NOON });
    expect(copied).toEqual({ ok: true, copy: listCopies(dir.path)[0]?.path });
    // Whoever closes it last brings the log into the file.
    expect(existsSync(join(dir.path, "state.db-wal"))).toBe(false);
  });

  test("says what went wrong, whatever it is", async () => {
    using dir = tempDir();
    using damaged = damagedHome();
    const gone = await runChild({ home: dir.path });
    expect(gone).toMatchObject({ ok: false, message: expect.stringContaining("open") });
    expect(await runChild({ home: damaged.path })).toMatchObject({
      ok: false,
      code: "ERR_STORE_DAMAGED",
    });
    const stopped = AbortSignal.abort();
    expect(await tendState(dir.path, { copyAt: undefined, signal: stopped })).toEqual({
      ok: false,
      code: "ERR_STORE_COPY",
      message: expect.stringMatching(/^Cannot copy the database: ./u),
    });
  });
});
