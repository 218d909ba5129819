import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "../../src/core/app-error.ts";
import { systemClock } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import { createLedger } from "../../src/store/ledger.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { readTraces } from "../../src/trace/read-traces.ts";
import { writeTrace } from "../../src/trace/recorder.ts";
import { listForeign } from "../../src/transaction/journal/foreign.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { readLastCheck } from "../../src/transaction/last-check.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import type { Ledger } from "../../src/workspace/ledger.ts";
import { applyMemoryPatch, readProjectMemory } from "../../src/workspace/project-memory.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { TRACE } from "../trace/traces-scene.ts";
import { changeSetOf, requestFor, workspaceAt } from "./scene.ts";

/** Puts everything in the place of every state file and asks papa-yu to work all the same. */
const log = silentLog;
const { signal } = new AbortController();

const JUNK: Readonly<Record<string, (path: string, outside: string) => void>> = {
  pipe: (path) => void Bun.spawnSync(["mkfifo", path]),
  folder: (path) => mkdirSync(path),
  "link to a file": (path, outside) => symlinkSync(join(outside, "precious"), path),
  "link to a folder": (path, outside) => symlinkSync(outside, path),
  "link to a device": (path) => symlinkSync("/dev/zero", path),
  "second name": (path, outside) => void Bun.spawnSync(["ln", join(outside, "precious"), path]),
  "binary file": (path) => writeFileSync(path, Buffer.from([0, 255, 10, 13, 10, 0])),
  "huge file": (path) => {
    const fd = openSync(path, "w");
    ftruncateSync(fd, 64 * 1024 ** 3); // takes no space
    closeSync(fd);
  },
};

const FILES = [
  "lock",
  "lock.holder",
  "workspace.id",
  "project.json",
  "last-check.log",
  ".gitignore",
  "traces",
  "traces/trace_1.json",
  "traces/2026-01-01-0a1b2c3d.jsonl",
  "tx",
  "tx/TX",
  "tx/TX/journal.jsonl",
  "objects",
  "objects/TX.tar",
  "cache",
];

async function tryOne(file: string, kind: string, ledger: Ledger): Promise<object> {
  using dir = tempDir();
  const [root, outside] = [join(dir.path, "ws"), join(dir.path, "outside")];
  writeTree(dir.path, { "ws/a.txt": "old\n", "outside/precious": "precious\n" });
  const workspace = { ...workspaceAt(root), ledger };
  const create = (name: string) =>
    changeSetOf(workspace, [{ kind: "CREATE_FILE", path: name, content: "new\n" }]);
  const applied = await runTransaction(requestFor(workspace, create("b.txt")));
  const path = join(root, ".papa-yu", file.replace("TX", applied.ok ? applied.txId : ""));
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  const before = readTree(root);
  const kept = JSON.stringify(readTree(outside));
  JUNK[kind]?.(path, outside);
  const reported: string[] = [];
  const attempt = async (name: string, work: () => unknown) => {
    try {
      await work();
    } catch (error) {
      reported.push(`${name}: ${errorMessage(error)}`);
    }
  };
  await attempt("history", () => readHistory(workspace));
  await attempt("foreign", () => listForeign(workspace));
  await attempt("recover", () => recover(workspace, { log }));
  await attempt("memory", () => readProjectMemory(workspace));
  await attempt("patch", () => applyMemoryPatch(workspace, { "project.ci_notes": "x" }));
  await attempt("check", () => readLastCheck(workspace));
  await attempt("traces", async () => {
    for await (const found of readTraces(workspace, { now: Date.now(), signal })) {
      if (found.kind === "unreadable") throw new Error(found.reason);
    }
  });
  const isOld = JSON.stringify(readTree(root)) === JSON.stringify(before);
  const trace = { ...TRACE, trace_id: newId("trace", Date.UTC(2026, 0, 1)) };
  writeTrace(workspace, trace, { home: () => "0a1b2c3d", redact: String, log, raw: false });
  const result = await runTransaction(requestFor(workspace, create("c.txt")));
  const undone = await undo({ workspace, clock: systemClock, log, signal });
  return {
    file,
    kind,
    reported,
    isOld,
    isOutsideOld: JSON.stringify(readTree(outside)) === kept,
    isWhole: readFileSync(join(root, "a.txt"), "utf8") === "old\n",
    apply: result.ok ? "ok" : `${result.status} ${result.message}`,
    undo: undone.status,
  };
}

using home = tempDir();
using store = openStore(join(home.path, "state.db"));
const ledger = createLedger(store, home.path);
const rows: object[] = [];
for (const file of FILES) {
  for (const kind of Object.keys(JUNK)) {
    process.stderr.write(`${file}: ${kind}\n`); // the last one names what hangs
    rows.push(await tryOne(file, kind, ledger));
  }
}
process.stdout.write(JSON.stringify(rows));
