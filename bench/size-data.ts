import type { Database } from "bun:sqlite";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../src/core/clock.ts";
import { newId } from "../src/core/ids.ts";
import { sha256 } from "../src/core/sha256.ts";
import type { Action } from "../src/protocol/response.ts";
import { createLedger } from "../src/store/ledger.ts";
import { createMemoryStore } from "../src/store/memories/memories.ts";
import { openState } from "../src/store/open/open.ts";
import { dayOf, segmentName, toLine } from "../src/trace/segments.ts";
import { computeChangeSet } from "../src/transaction/compute/compute.ts";
import { runTransaction } from "../src/transaction/run/run.ts";
import type { Workspace } from "../src/workspace/workspace.ts";
import { silentLog } from "../tests/support/silent-log.ts";

/** How much of everything there is at full size. */
export interface Sizes {
  readonly files: number;
  readonly logBytes: number;
  /** Of messages, and of the inbox, the outbox and answered questions each. */
  readonly rows: number;
  readonly transactions: number;
  readonly notes: number;
  readonly traces: number;
}

export const FULL: Sizes = {
  files: 1_000_000,
  logBytes: 200 * 1024 * 1024,
  rows: 1_000_000,
  transactions: 10_000,
  notes: 100_000,
  traces: 100_000,
};

/** A line that one file of the folder holds, beyond the 200,000 first and beyond 2 MB of a log. */
export const NEEDLE = "the needle in the hay";

/** Writes all of it below `dir`: folders `files`, `log` and `past`, and the home. */
export async function makeData(
  dir: string,
  home: string,
  sizes: Sizes,
  botId: number,
): Promise<void> {
  writeFiles(join(dir, "files"), sizes.files);
  mkdirSync(join(dir, "log"));
  writeLog(join(dir, "log/server.log"), sizes.logBytes);
  mkdirSync(join(home, "logs"), { recursive: true });
  writeLog(join(home, "logs/papayu.log.1"), sizes.logBytes);
  writeTraces(join(dir, "past/.papa-yu/traces"), sizes.traces);
  using store = openState(home);
  store.run("PRAGMA synchronous = OFF");
  fillTables(store, sizes.rows, botId);
  writeNotes(store, sizes.notes);
  await writePast(join(dir, "past"), home, store, sizes.transactions);
}

function writeFiles(root: string, count: number): void {
  for (let file = 0; file < count; file++) {
    const folder = join(root, `part-${Math.floor(file / 10_000)}`, `sub-${Math.floor(file / 100)}`);
    if (file % 100 === 0) mkdirSync(folder, { recursive: true });
    const text = file === count - 1 ? `${NEEDLE}\n` : "";
    writeFileSync(join(folder, `file-${file}.txt`), text);
  }
}

function writeLog(path: string, bytes: number): void {
  const line = "2026-01-02T03:04:05.678Z [info] a request was served path=/index.html ms=12\n";
  const block = line.repeat(10_000);
  for (let written = 0; written < bytes; written += block.length) appendFileSync(path, block);
  appendFileSync(path, `2026-01-02T03:04:05.678Z [error] ${NEEDLE}\n`);
}

const DAY_MS = 86_400_000;
/** Old rows, most of them over every limit of their kind. */
const OLDEST_DAYS = 500;

function fillTables(store: Database, rows: number, botId: number): void {
  const now = Date.now();
  const at = (n: number) => Math.floor(now - ((rows - n) / rows) * OLDEST_DAYS * DAY_MS);
  const said = JSON.stringify({ role: "user", content: "words ".repeat(20) });
  const message = store.query(
    "INSERT INTO messages (session_id, message_json, created_at, turn_id) VALUES (?, ?, ?, ?)",
  );
  const update = store.query(
    `INSERT INTO inbox (bot_id, update_id, session_id, lane, update_json, state, received_at)
     VALUES (${botId}, ?, ?, 'turn', '', 'done', ?)`,
  );
  const sent = store.query(
    `INSERT INTO outbox (chat_id, method, payload_json, state, created_at, turn, part)
     VALUES (?, 'sendMessage', '', 'sent', ?, ?, 0)`,
  );
  const approval = store.query(
    `INSERT INTO approvals (approval_id, session_id, user_id, plan_id, change_set_id, state,
       created_at, expires_at) VALUES (?, ?, 'u', 'p', 'c', 'approved', ?, ?)`,
  );
  const session = store.query(
    "INSERT OR IGNORE INTO sessions (session_id, user_id, updated_at) VALUES (?, 'u', ?)",
  );
  store.transaction(() => {
    for (let n = 0; n < rows; n++) {
      const name = `telegram:${100_000 + (n % 1000)}`;
      session.run(name, at(n));
      message.run(name, said, at(n), `telegram:${botId}:${n - rows}`);
      update.run(n - rows, name, at(n)); // numbers that the server has behind it
      sent.run(String(100_000 + (n % 1000)), at(n), `turn ${n}`);
      if (n % 10 === 0) approval.run(newId("approval", at(n)), name, at(n), at(n) + DAY_MS);
    }
  })();
}

/** Each person has as many as one may have. */
function writeNotes(store: Database, count: number): void {
  const memories = createMemoryStore(store);
  store.transaction(() => {
    for (let n = 0; n < count; n++) {
      const userId = n < 500 ? "owner" : `user-${Math.floor(n / 500)}`;
      const text = `the ${n}th note says what colour${n % 977} the house has`;
      const memory = { key: `note ${n}`, category: "house", text, isEverywhere: true };
      memories.save({ userId, workspaceRoot: "" }, memory, n);
    }
  })();
}

/** Two applies for a plan, spread over minutes that end before now. */
export function writeTraces(dir: string, count: number): void {
  mkdirSync(dir, { recursive: true });
  const validated_json = { summary: "s".repeat(400), actions: [{ content: "x\n".repeat(600) }] };
  for (let n = 0; n < count; n++) {
    const at = Date.now() - (count - n) * 60_000;
    const id = newId("trace", at);
    const line = toLine(id, {
      event: "LLM_APPLY_OK",
      mode: n % 3 === 0 ? "plan" : "apply",
      started_at: new Date(at).toISOString(),
      protocol_repair_attempt: n % 10 === 0 ? 1 : 0,
      validated_json,
      tokens: { input: 1000, output: 100 },
    });
    appendFileSync(join(dir, segmentName(dayOf(id), "0a1b2c3d", 1)), line);
  }
}

/** Real transactions, each over the file of the one before. */
async function writePast(root: string, home: string, store: Database, count: number) {
  const rules = { check: "none", checkTimeoutMs: 0, maxActions: 0, protectedPaths: [] } as const;
  const workspace: Workspace = { name: "past", root, ...rules, ledger: createLedger(store, home) };
  const { signal } = new AbortController();
  for (let n = 0; n < count; n++) {
    const computed = computeChangeSet(workspace, [changeTo(n)]);
    if (!computed.ok) throw new Error(computed.problems[0]?.message);
    const intent = {
      changeSet: computed.changeSet,
      kind: "apply",
      summary: `change ${n}`,
    } as const;
    const request = { workspace, intent, clock: systemClock, log: silentLog, signal };
    const result = await runTransaction(request);
    if (!result.ok) throw new Error(result.message);
  }
}

function changeTo(n: number): Action {
  const [path, content] = ["a.txt", `${n}\n`];
  if (n === 0) return { kind: "CREATE_FILE", path, content };
  const base_sha256 = sha256(`${n - 1}\n`);
  return { kind: "REPLACE_RANGE", path, base_sha256, start_line: 1, end_line: 1, content: `${n}` };
}
