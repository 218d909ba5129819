import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { changeSetOf, leaveUnfinished, requestFor, workspaceAt } from "../transaction/scene.ts";

/** What can become of `dir/x.txt` behind the back of whoever saw it. */
const SWAPS: readonly (readonly [string, (root: string) => void])[] = [
  ["a link out", (at) => swap(at, "dir/x.txt", (path) => symlinkSync("../../safevil/x.txt", path))],
  ["a pipe", (at) => swap(at, "dir/x.txt", (path) => Bun.spawnSync(["mkfifo", path]))],
  ["a folder", (at) => swap(at, "dir/x.txt", (path) => mkdirSync(path))],
  [
    "in a folder that is a link out",
    (at) => swap(at, "dir", (path) => symlinkSync("../safevil", path)),
  ],
  ["below a file", (at) => swap(at, "dir", (path) => writeFileSync(path, "mine"))],
];

function swap(at: string, path: string, make: (absolute: string) => void): void {
  rmSync(join(at, path), { recursive: true });
  make(join(at, path));
}

/** `safe/dir/x.txt` with the text, and a twin of it in `safevil`. */
function openTwins(text: string) {
  const parent = tempDir("papayu-twins-");
  writeTree(parent.path, { "safe/dir/x.txt": text, "safevil/x.txt": text });
  const at = join(parent.path, "safe");
  return {
    at,
    workspace: workspaceAt(at),
    tree: () => JSON.stringify([lookAt(at), readTree(join(parent.path, "safevil"))]),
    [Symbol.dispose]: () => parent[Symbol.dispose](),
  };
}

/** Without opening a pipe, which would wait for a writer. A folder's size is the file system's own. */
function lookAt(at: string): string {
  const shown = ["-type", "d", "-printf", "%P %y %m\\n", "-o", "-printf", "%P %y %m %s %l\\n"];
  return execFileSync("find", [at, "-not", "-path", "*/.papa-yu*", "(", ...shown, ")"]).toString();
}

const CHANGES: readonly Action[] = [
  { kind: "DELETE_FILE", path: "dir/x.txt" },
  {
    kind: "REPLACE_RANGE",
    path: "dir/x.txt",
    base_sha256: sha256("old\n"),
    start_line: 1,
    end_line: 1,
    content: "new",
  },
];

describe("What was swapped behind the preview's back", () => {
  for (const action of CHANGES) {
    test.each([...SWAPS])(`stops a ${action.kind}: %s`, async (_, swapIn) => {
      using twins = openTwins("old\n");
      const request = requestFor(twins.workspace, changeSetOf(twins.workspace, [action]));
      swapIn(twins.at);
      const before = twins.tree();
      expect(await runTransaction(request)).toMatchObject({ code: "ERR_CHANGE_SET_STALE" });
      expect(twins.tree()).toBe(before);
    });

    test.each([...SWAPS])(`stops the undo of a ${action.kind}: %s`, async (_, swapIn) => {
      using twins = openTwins("old\n");
      const request = requestFor(twins.workspace, changeSetOf(twins.workspace, [action]));
      await runTransaction(request);
      writeTree(twins.at, { "dir/x.txt": "", "../safevil/x.txt": "new\n" });
      swapIn(twins.at);
      const before = twins.tree();
      expect(await undo({ ...request })).toMatchObject({
        code: "UNDO_CONFLICT",
        conflicts: ["dir/x.txt"],
      });
      expect(twins.tree()).toBe(before);
    });

    test.each([...SWAPS])(`stops recovery after a ${action.kind}: %s`, (_, swapIn) => {
      using twins = openTwins("old\n");
      const { changes } = changeSetOf(twins.workspace, [action]);
      leaveUnfinished(twins.workspace, changes);
      writeTree(twins.at, { "dir/x.txt": "", "../safevil/x.txt": "new\n" });
      swapIn(twins.at);
      const before = twins.tree();
      const [recovery] = recover(twins.workspace, { log: silentLog });
      expect(recovery?.looked.kept.map(({ path }) => path)).toEqual(["dir/x.txt"]);
      expect(twins.tree()).toBe(before);
    });
  }
});

describe("A state folder with something else in its place", () => {
  const state = { sha256: sha256("old\n"), mode: 0o644, sizeBytes: 4 };

  test("has recovery touch nothing outside and nothing protected", () => {
    using twins = openTwins("old\n");
    writeTree(twins.at, { ".env": "old\n" });
    symlinkSync("../safevil", join(twins.at, "out"));
    const before = twins.tree();
    const paths = ["out/x.txt", ".env"];
    leaveUnfinished(
      twins.workspace,
      paths.map((path) => ({ kind: "create", path, after: state })),
    );
    const [recovery] = recover(twins.workspace, { log: silentLog });
    const { kept = [], pending = [] } = recovery?.looked ?? {};
    expect([...kept, ...pending].map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
    expect(twins.tree()).toBe(before);
  });

  test.each(["lock", "lock.holder", "tx", "objects", "traces"])(
    "is refused when %p in it is a link",
    async (name) => {
      using twins = openTwins("old\n");
      leaveUnfinished(twins.workspace, []);
      rmSync(join(twins.at, ".papa-yu", name), { recursive: true, force: true });
      writeTree(twins.at, { "../safevil/tx_1/x": "x" });
      const isFile = name.startsWith("lock");
      symlinkSync(`../../safevil${isFile ? "/x.txt" : ""}`, join(twins.at, ".papa-yu", name));
      const before = twins.tree();
      const { workspace } = twins;
      const { signal } = new AbortController();
      const request = { workspace, clock: systemClock, log: silentLog, signal };
      const refusal = { code: "ERR_IO", message: expect.stringContaining(`"${name}" in it is`) };
      expect(await undo(request)).toMatchObject(refusal);
      expect(twins.tree()).toBe(before);
    },
  );

  test("is not followed where a transaction is a link", () => {
    using twins = openTwins("old\n");
    mkdirSync(join(twins.at, ".papa-yu/tx"), { recursive: true });
    symlinkSync("../../../safevil", join(twins.at, ".papa-yu/tx/tx_1"));
    const before = twins.tree();
    expect(recover(twins.workspace, { log: silentLog })).toEqual([]);
    expect(twins.tree()).toBe(before);
  });

  test("is not followed where a journal is a link", () => {
    using twins = openTwins("old\n");
    leaveUnfinished(twins.workspace, []);
    const journal = join(twins.at, ".papa-yu/tx/tx_1/journal.jsonl");
    renameSync(journal, join(twins.at, "../safevil/journal.jsonl"));
    symlinkSync("../../../../safevil/journal.jsonl", journal);
    const before = twins.tree();
    expect(recover(twins.workspace, { log: silentLog })).toMatchObject([{ txId: "tx_1" }]);
    expect(lstatSync(journal).isFile()).toBe(true);
    expect(twins.tree()).toBe(before);
  });
});
