import { expect, test } from "bun:test";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { runTransaction } from "../../src/transaction/run.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";
import { writeRaceFolder } from "./race-scene.ts";
import { changeSetOf, requestFor, workspaceAt } from "./scene.ts";

const CHILD = Bun.fileURLToPath(new URL("./race-child.ts", import.meta.url));

/** In memory where that is possible: a disk would leave too few applies to race with. */
const PARENT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

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

/** Applies, and takes back every third time, until the other process has had all its swaps. */
async function race(kind: "file" | "folder"): Promise<Readonly<Record<string, number>>> {
  using dir = tempDir("papayu-race-", PARENT);
  using outside = tempDir("papayu-outside-", PARENT);
  writeRaceFolder(join(dir.path, "sub"));
  writeRaceFolder(outside.path);
  const workspace = workspaceAt(dir.path);
  const changeSet = changeSetOf(workspace, ACTIONS);
  const before = fingerprint(outside.path);
  const argv = [process.execPath, CHILD, dir.path, outside.path, kind];
  const child = Bun.spawn(argv, { stdout: "inherit", stderr: "inherit" });
  const ends: Record<string, number> = {};
  for (let count = 0; child.exitCode === null && child.signalCode === null; count++) {
    const onStep = (step: string) => {
      if (step === "synced" && count % 3 === 0) throw new Error("the way back writes as well");
    };
    const { status } = await runTransaction(requestFor(workspace, changeSet, { onStep }));
    ends[status] = (ends[status] ?? 0) + 1;
    expect(fingerprint(outside.path)).toEqual(before);
    await Bun.sleep(0); // the end of the other process is heard of
  }
  expect(await child.exited).toBe(0);
  return ends;
}

test.each(["file", "folder"] as const)(
  "runTransaction() writes nothing outside while a %s is swapped for a link 10,000 times",
  async (kind) => {
    const ends = await race(kind);
    expect(ends["rolled_back"]).toBeGreaterThan(10);
  },
  60_000,
);
