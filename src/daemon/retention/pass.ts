import type { Database } from "bun:sqlite";
import { lstatSync } from "node:fs";
import type { KnownRows } from "../../store/known-rows.ts";
import { createForgettingRows } from "../../store/retention/retention.ts";
import { listRotated, removeRotated } from "../../system/logs/logs.ts";
import { forgetTraces } from "../../trace/forget-traces.ts";
import { findOwn } from "../../transaction/journal/journal.ts";
import { takeWorkspaceLock } from "../../transaction/lock.ts";
import { forgetPast, listArchives, listSurplus, pruneImages } from "../../transaction/run/run.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { logPath } from "../app/app.ts";
import { addBytes, type Found, type KeptBy, spreadBytes } from "./fit-days.ts";

/** What a pass goes over, and how long things are kept. */
export interface PassSources extends KeptBy {
  readonly store: Database;
  readonly known: KnownRows;
  readonly home: string;
  readonly workspaces: readonly Workspace[];
  readonly now: number;
}

/** One kind of things that grow: its steps, each with how many it removed. */
export interface Part {
  readonly name: string;
  readonly steps: () => AsyncGenerator<number, void, undefined>;
}

const DAY_MS = 86_400_000;
/** Transactions that one step forgets, or whose before-images it removes. */
const MOST_FORGOTTEN = 100;

/** Everything that grows, in parts of which none keeps another from its turn; `found` learns its size. */
export function partsOf(sources: PassSources, found: Found): readonly Part[] {
  const ofWorkspaces = sources.workspaces.flatMap((workspace): readonly Part[] => [
    { name: `traces of ${workspace.name}`, steps: () => traceSteps(workspace, sources, found) },
    { name: `history of ${workspace.name}`, steps: () => pastSteps(workspace, sources, found) },
  ]);
  return [
    { name: "rows", steps: () => rowSteps(sources) },
    { name: "size of the database", steps: () => measureRows(sources, found) },
    { name: "logs", steps: () => logSteps(sources, found) },
    ...ofWorkspaces,
  ];
}

async function* rowSteps({ store, known, limits, now }: PassSources) {
  const forgetting = createForgettingRows(store, known);
  const rowLimits = {
    messagesDays: limits.messages_days,
    historyDays: limits.history_days,
    approvalsDays: limits.approvals_days,
  };
  for (let isLast = false; !isLast; ) {
    const step = forgetting.step(rowLimits, now);
    isLast = step.isLast;
    yield step.removed;
  }
}

/** A part of its own: what is there counts, though nothing of it can go. */
async function* measureRows({ store, now }: PassSources, { own }: Found) {
  const row = store.query<{ bytes: number; oldest: number | null }, []>(SIZE).get();
  if (row) spreadBytes(own, row.bytes, { from: row.oldest ?? now, to: now });
  yield 0;
}

/** Pages in use; what is freed is used again. */
const SIZE = `SELECT (SELECT (page_count - freelist_count) * page_size
    FROM pragma_page_count, pragma_freelist_count, pragma_page_size) AS bytes,
  (SELECT created_at FROM messages WHERE id > 0 ORDER BY id LIMIT 1) AS oldest`;

async function* logSteps({ home, limits, now }: PassSources, { own }: Found) {
  const path = logPath(home);
  if (limits.logs_days > 0) yield removeRotated(path, now - limits.logs_days * DAY_MS);
  for (const file of listRotated(path)) {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat?.isFile()) addBytes(own, stat.mtimeMs, stat.size);
  }
}

async function* traceSteps(workspace: Workspace, { tracesFrom }: PassSources, { traces }: Found) {
  const days = new Map<number, number>();
  traces.set(workspace.root, days);
  for await (const { removed, kept } of forgetTraces(workspace, tracesFrom(workspace))) {
    for (const { at, bytes } of kept) addBytes(days, at, bytes);
    yield removed;
  }
}

/** Each step holds the folder's lock: a change that comes meanwhile waits for one, not for all. */
async function* pastSteps(workspace: Workspace, { limits, now }: PassSources, { own }: Found) {
  if (!findOwn(workspace)) return;
  const maxAgeMs = (limits.history_days || Infinity) * DAY_MS;
  const limited = { ...workspace, undoLimits: { maxAgeMs, maxBytes: Infinity } };
  const surplus = locked(workspace, now, () => listSurplus(limited, now));
  for (let start = 0; start < surplus.length; start += MOST_FORGOTTEN) {
    const some = surplus.slice(start, start + MOST_FORGOTTEN);
    yield locked(workspace, now, () => pruneImages(limited, some));
  }
  for (let count = MOST_FORGOTTEN; count === MOST_FORGOTTEN; ) {
    count = locked(workspace, now, () => forgetPast(limited, now, MOST_FORGOTTEN));
    yield count;
  }
  for (const { at, bytes } of listArchives(workspace)) addBytes(own, at, bytes);
}

/** @throws AppError ERR_WORKSPACE_BUSY while a change is made there */
function locked<T>(workspace: Workspace, now: number, work: () => T): T {
  const release = takeWorkspaceLock(workspace, "retention", now);
  try {
    return work();
  } finally {
    release();
  }
}
