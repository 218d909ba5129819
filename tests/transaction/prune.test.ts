import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { listForeign } from "../../src/transaction/journal/foreign.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { findOwn } from "../../src/transaction/journal/own-journals.ts";
import {
  forgetPast,
  listArchives,
  listSurplus,
  pruneAfter,
  pruneImages,
} from "../../src/transaction/run/prune.ts";
import { imagesPath } from "../../src/transaction/stage/objects.ts";
import { redo, undo } from "../../src/transaction/undo/undo.ts";
import type { Ledger } from "../../src/workspace/ledger.ts";
import type { UndoLimits, Workspace } from "../../src/workspace/workspace.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { applyActions, bunCheck, workspaceAt } from "./scene.ts";

const DAY_MS = 86_400_000;
const { signal } = new AbortController();

/** Changes the file's one line and returns the id. */
async function edit(workspace: Workspace, content: string): Promise<string> {
  const old = readFileSync(join(workspace.root, "a"), "utf8");
  const place = { path: "a", base_sha256: sha256(old), start_line: 1, end_line: 1 };
  const result = await applyActions(workspace, [{ kind: "REPLACE_RANGE", ...place, content }]);
  return result.ok ? result.txId : "";
}

function scene(root: string, undoLimits?: UndoLimits): Workspace {
  writeFileSync(join(root, "a"), "0\n");
  return { ...workspaceAt(root), ...(undoLimits && { undoLimits }) };
}

function kept({ root }: Workspace, ids: readonly string[]): readonly boolean[] {
  return ids.map((id) => existsSync(join(root, imagesPath(id))));
}

function prune(workspace: Workspace, now: number): number {
  return pruneImages(workspace, listSurplus(workspace, now));
}

describe("pruneImages()", () => {
  test("removes the oldest once all together are over the quota", async () => {
    using dir = tempDir();
    const roomy = scene(dir.path);
    const ids = [await edit(roomy, "1"), await edit(roomy, "2"), await edit(roomy, "3")];
    const { size } = statSync(join(dir.path, imagesPath(ids[0] ?? "")));
    const tight = { ...roomy, undoLimits: { maxAgeMs: Infinity, maxBytes: 3 * size } };
    prune(tight, Date.now());
    expect(kept(tight, ids)).toEqual([true, true, true]);
    ids.push(await edit(tight, "4"));
    expect(kept(tight, ids)).toEqual([false, true, true, true]);
  });

  test("keeps the newest though it alone is over the quota", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path, { maxAgeMs: Infinity, maxBytes: 1 });
    const ids = [await edit(workspace, "1"), await edit(workspace, "2")];
    expect(kept(workspace, ids)).toEqual([false, true]);
  });

  test("removes what is too old, and what is older than that whatever its date", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path, { maxAgeMs: 7 * DAY_MS, maxBytes: Infinity });
    const ids = [
      await edit(workspace, "1"),
      await edit(workspace, "2"),
      await edit(workspace, "3"),
    ];
    const old = new Date(Date.now() - 8 * DAY_MS);
    utimesSync(join(dir.path, imagesPath(ids[1] ?? "")), old, old);
    prune(workspace, Date.now());
    expect(kept(workspace, ids)).toEqual([false, false, true]);
  });

  test("touches no file that is not an archive of a transaction", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path, { maxAgeMs: 0, maxBytes: 0 });
    const txId = await edit(workspace, "1");
    writeFileSync(join(dir.path, ".papa-yu/objects/notes.tar"), "mine");
    prune(workspace, Date.now() + DAY_MS);
    expect(readdirSync(join(dir.path, ".papa-yu/objects")).toSorted()).toEqual([
      "notes.tar",
      `${txId}.tar`,
    ]);
  });

  test("goes by steps of its caller, oldest first, and says what the disk refuses", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path, { maxAgeMs: 7 * DAY_MS, maxBytes: Infinity });
    const ids: string[] = [];
    for (const content of ["1", "2", "3", "4"]) ids.push(await edit(workspace, content));
    const surplus = listSurplus(workspace, Date.now() + 8 * DAY_MS);
    expect(surplus).toEqual(ids.slice(0, 3));
    expect(pruneImages(workspace, surplus.slice(0, 1))).toBe(1);
    expect(kept(workspace, ids)).toEqual([false, true, true, true]);
    const stuck = join(dir.path, imagesPath(ids[1] ?? ""));
    rmSync(stuck);
    mkdirSync(stuck); // as if the disk refused
    expect(() => pruneImages(workspace, surplus.slice(1))).toThrow(`Cannot remove ".papa-yu`);
    expect(kept(workspace, ids)).toEqual([false, true, false, true]);
    mkdirSync(join(dir.path, imagesPath(ids[2] ?? "")));
    const why = "the disk refuses, or something that is not papa-yu's is there";
    expect(() => pruneImages(workspace, surplus)).toThrow(
      `Cannot remove "${imagesPath(ids[1] ?? "")}" and 1 more in "${dir.path}": ${why}`,
    );
  });

  test("goes by the age of each to the millisecond, and lists when each was written", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path, { maxAgeMs: 7 * DAY_MS, maxBytes: Infinity });
    using other = tempDir();
    expect(listArchives(workspaceAt(other.path))).toEqual([]);
    const ids = [await edit(workspace, "1"), await edit(workspace, "2")];
    const at = Date.UTC(2026, 0, 1);
    const archives = ids.map((id) => join(dir.path, imagesPath(id)));
    for (const path of archives) utimesSync(path, at / 1000, at / 1000);
    expect(listSurplus(workspace, at + 7 * DAY_MS)).toEqual([]);
    expect(listSurplus(workspace, at + 7 * DAY_MS + 1)).toEqual(ids.slice(0, 1));
    const sizes = archives.map((path) => statSync(path).size);
    expect(listArchives(workspace)).toEqual(sizes.toReversed().map((bytes) => ({ at, bytes })));
  });

  test("is no reason to fail where nothing was ever stored, or nothing was overwritten", async () => {
    using dir = tempDir();
    expect(prune(workspaceAt(dir.path), 0)).toBe(0);
    expect(readdirSync(dir.path)).toEqual([]);
    const workspace = workspaceAt(dir.path);
    await applyActions(workspace, [{ kind: "CREATE_FILE", path: "b", content: "b" }]);
    expect(prune(workspace, Infinity)).toBe(0);
  });
});

describe("forgetPast()", () => {
  const limits = { maxAgeMs: 7 * DAY_MS, maxBytes: Infinity };
  const later = () => Date.now() + 8 * DAY_MS;
  const summaries = (workspace: Workspace) => readHistory(workspace).map(({ txId }) => txId);

  test("forgets the oldest transactions without before-images, so many at a time", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path, limits);
    const ids = [
      await edit(workspace, "1"),
      await edit(workspace, "2"),
      await edit(workspace, "3"),
    ];
    expect(forgetPast(workspace, later(), 9)).toBe(0);
    prune(workspace, later());
    expect(forgetPast(workspace, Date.now(), 9)).toBe(0);
    expect(forgetPast(workspace, later(), 1)).toBe(1);
    expect(summaries(workspace)).toEqual(ids.slice(1));
    // The newest keeps what it stored, and with it its place.
    expect([forgetPast(workspace, later(), 9), forgetPast(workspace, later(), 9)]).toEqual([1, 0]);
    expect(readdirSync(join(dir.path, ".papa-yu/tx"))).toEqual(ids.slice(2));
    const request = { workspace, clock: systemClock, log: silentLog, signal };
    expect(await undo(request)).toMatchObject({ ok: true });
    expect(await undo(request)).toMatchObject({ ok: false, code: "UNDO_NOTHING" });
    expect(await redo(request)).toMatchObject({ ok: true });
    expect(readFileSync(join(dir.path, "a"), "utf8")).toBe("3\n");
  });

  test("goes on where it was cut off between the journal and the home", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path, limits);
    const ids = [await edit(workspace, "1"), await edit(workspace, "2")];
    prune(workspace, later());
    rmSync(join(dir.path, ".papa-yu/tx", ids[0] ?? ""), { recursive: true });
    expect(summaries(workspace)).toEqual(ids.slice(1));
    expect(listForeign(workspace).items).toEqual([]);
    expect(forgetPast(workspace, later(), 9)).toBe(1);
    expect(summaries(workspace)).toEqual(ids.slice(1));
  });

  test("goes on past a folder in which others left something, and leaves that", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path, limits);
    const ids = [await edit(workspace, "1")];
    for (let n = 2; n < 5; n++) ids.push(await edit(workspace, `${n}`));
    prune(workspace, later());
    const mine = join(dir.path, ".papa-yu/tx", ids[0] ?? "", "mine");
    writeFileSync(mine, "");
    expect(forgetPast(workspace, later(), 1)).toBe(1);
    expect(forgetPast(workspace, later(), 9)).toBe(1);
    expect(forgetPast(workspace, later(), 9)).toBe(0);
    expect(summaries(workspace)).toEqual(ids.slice(3));
    expect(existsSync(mine)).toBe(true);
  });

  test("says what stays where it keeps all from going", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path, limits);
    const first = await edit(workspace, "1");
    const { ledger } = workspace;
    const own = findOwn(workspace);
    if (!ledger || !own) throw new Error("no home");
    prune(workspace, Infinity);
    rmSync(join(dir.path, imagesPath(first)), { force: true });
    for (let n = 0; n < 70; n++) {
      const txId = newId("tx", 1e12 + n);
      ledger.keep({ workspaceId: own.workspaceId, txId }, "seal");
      mkdirSync(join(dir.path, ".papa-yu/tx", txId));
      writeFileSync(join(dir.path, ".papa-yu/tx", txId, "mine"), "");
    }
    writeFileSync(join(dir.path, ".papa-yu/tx", first, "mine"), "");
    expect(() => forgetPast(workspace, later(), 1)).toThrow(/Cannot remove "\.papa-yu\/tx\/tx_/u);
  });

  test("forgets nothing where history has no limit", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path, { maxAgeMs: Infinity, maxBytes: 1 });
    await edit(workspace, "1");
    await edit(workspace, "2");
    expect(forgetPast(workspace, later(), 9)).toBe(0);
  });
});

test("pruneAfter() looks at a few archives a commit, however many there are", async () => {
  using dir = tempDir();
  const workspace = scene(dir.path);
  await edit(workspace, "1");
  const { ledger } = workspace;
  const own = findOwn(workspace);
  if (!ledger || !own) throw new Error("no home");
  const [archives, commits] = [640, 40];
  for (let n = 0; n < archives; n++) {
    const txId = newId("tx");
    writeFileSync(join(dir.path, imagesPath(txId)), "");
    ledger.keep({ workspaceId: own.workspaceId, txId }, "seal");
  }
  let looks = 0;
  const counted: Ledger = { ...ledger, has: (key) => (looks++, ledger.has(key)) };
  for (let n = 0; n < commits; n++) {
    pruneAfter({ ...workspace, ledger: counted }, newId("tx"), Date.now());
  }
  expect(looks).toBeLessThan((commits * archives) / 2);
  const looksAt = (end: string) => {
    looks = 0;
    pruneAfter({ ...workspace, ledger: counted }, `tx_${end}`, Date.now());
    return looks > 0;
  };
  // Of 641 archives every eleventh of 64: an id that ends with a multiple of it.
  const ends = ["0000", "0001", "000a", "000b", "000c", "000m"];
  expect(ends.filter(looksAt)).toEqual(["0000", "000b", "000m"]);
  prune({ ...workspace, ledger: counted, undoLimits: { maxAgeMs: 0, maxBytes: 0 } }, Infinity);
  expect(readdirSync(join(dir.path, ".papa-yu/objects"))).toHaveLength(1);
});

test("pruneAfter() forgets what is too old, though an archive cannot be removed", async () => {
  using dir = tempDir();
  const workspace = scene(dir.path, { maxAgeMs: 7 * DAY_MS, maxBytes: Infinity });
  const ids = [await edit(workspace, "1"), await edit(workspace, "2"), await edit(workspace, "3")];
  const [first = "", second = ""] = ids.map((id) => join(dir.path, imagesPath(id)));
  rmSync(first);
  rmSync(second);
  mkdirSync(second); // as if the disk refused
  pruneAfter(workspace, "tx_0000", Date.now() + 8 * DAY_MS);
  const left = readHistory(workspace).map(({ txId }) => txId);
  expect(left).not.toContain(ids[0]);
  expect(left).toContain(ids[2] ?? "");
});

describe("undo() and redo()", () => {
  test("say that a before-image is not kept any more, and change nothing", async () => {
    using dir = tempDir();
    const workspace = scene(dir.path);
    const request = { workspace, clock: systemClock, log: silentLog, signal };
    const ids = [await edit(workspace, "1"), await edit(workspace, "2")];
    rmSync(join(dir.path, imagesPath(ids[0] ?? "")));
    expect(await undo(request)).toMatchObject({ ok: true });
    expect(await undo(request)).toMatchObject({ status: "rejected", code: "UNDO_PRUNED" });
    expect(readFileSync(join(dir.path, "a"), "utf8")).toBe("1\n");
    const [, , undone] = readHistory(workspace);
    rmSync(join(dir.path, imagesPath(undone?.txId ?? "")));
    expect(await redo(request)).toMatchObject({ status: "rejected", code: "UNDO_PRUNED" });
  });

  test("take back a change that only created files without any before-image", async () => {
    using dir = tempDir();
    const workspace = workspaceAt(dir.path);
    await applyActions(workspace, [{ kind: "CREATE_FILE", path: "new", content: "x" }]);
    rmSync(join(dir.path, ".papa-yu/objects"), { recursive: true });
    const request = { workspace, clock: systemClock, log: silentLog, signal };
    expect(await undo(request)).toMatchObject({ ok: true });
  });
});

test("runTransaction() keeps no before-images of what it rolled back whole", async () => {
  using dir = tempDir();
  const workspace = scene(dir.path);
  const actions = [{ kind: "DELETE_FILE", path: "a" }] as const;
  await applyActions(workspace, actions, { checks: [bunCheck("process.exit(1)")] });
  expect(readdirSync(join(dir.path, ".papa-yu/objects"))).toEqual([]);
});

test("runTransaction() stores a content once, and of an update only what differs", async () => {
  using dir = tempDir();
  const text = "line\n".repeat(4000);
  for (const name of ["a", "b", "c"]) writeFileSync(join(dir.path, name), text);
  const workspace = workspaceAt(dir.path);
  const base_sha256 = sha256(text);
  const actions = ["a", "b", "c"].map((path): Action => {
    return { kind: "REPLACE_RANGE", path, base_sha256, start_line: 9, end_line: 9, content: "new" };
  });
  const result = await applyActions(workspace, actions);
  const { size } = statSync(join(dir.path, imagesPath(result.ok ? result.txId : "")));
  expect(size).toBeLessThan(text.length + 4096);
});
