import { expect, test } from "bun:test";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { tellFigures } from "../support/figures.ts";
import { memoryDir, tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";
import { RACE_KINDS, RACE_SWAPS, writeRaceFolder } from "./race-scene.ts";
import { changeSetOf, requestFor, workspaceAt } from "./scene.ts";

const CHILD = Bun.fileURLToPath(new URL("./race-child.ts", import.meta.url));

/** In memory where that is possible: a disk would leave too few applies to race with. */
const PARENT = memoryDir();

const ACTIONS: readonly Action[] = [
  { kind: "CREATE_FILE", path: "sub/new.txt", content: "new\n" },
  {
    kind: "REPLACE_RANGE",
    path: "sub/a.txt",
    base_sha256: sha256("one\n"),
    start_line: 1,
    end_line: 1,
    content: "two",
  },
  { kind: "DELETE_FILE", path: "sub/b.txt" },
];

/** Everything about a folder that a write would change, times included. */
function fingerprint(path: string) {
  const times = readdirSync(path).map((name) => lstatSync(join(path, name), { bigint: true }));
  const own = lstatSync(path, { bigint: true });
  return { tree: readTree(path), times: [own, ...times].map(({ ctimeNs, ino }) => [ctimeNs, ino]) };
}

test(`runTransaction() writes nothing outside while a file and a folder are swapped for links ${RACE_SWAPS} times`, async () => {
  using dir = tempDir("papayu-race-", PARENT);
  using outside = tempDir("papayu-outside-", PARENT);
  writeRaceFolder(outside.path);
  const races = RACE_KINDS.map((kind) => {
    writeRaceFolder(join(dir.path, kind, "sub"));
    const workspace = workspaceAt(join(dir.path, kind));
    return { kind, workspace, changeSet: changeSetOf(workspace, ACTIONS) };
  });
  const before = fingerprint(outside.path);
  const argv = [process.execPath, CHILD, dir.path, outside.path];
  await using child = Bun.spawn(argv, { stdout: "pipe", stderr: "inherit" });
  const enough = child.stdout.getReader().read();
  const ends: Record<string, number> = {};
  const isSeen = (kind: string) => ends[`${kind} rolled_back`] !== undefined;
  // On a busy machine the other process may have swapped enough before there was an apply.
  for (let count = 0; Bun.peek.status(enough) === "pending" || !RACE_KINDS.every(isSeen); count++) {
    const onStep = (step: string) => {
      if (step === "synced" && count % 3 === 0) throw new Error("the roll-back writes as well");
    };
    for (const { kind, workspace, changeSet } of races) {
      const { status } = await runTransaction(requestFor(workspace, changeSet, { onStep }));
      ends[`${kind} ${status}`] = (ends[`${kind} ${status}`] ?? 0) + 1;
      expect(fingerprint(outside.path)).toEqual(before);
    }
    await Bun.sleep(0); // what the other process says arrives
    if (child.exitCode !== null) throw new Error("nobody swaps any more");
  }
  tellFigures("race", ends);
  expect(RACE_KINDS.filter((kind) => !isSeen(kind))).toEqual([]);
});
