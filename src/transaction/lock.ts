import { lstatSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../core/app-error.ts";
import type { Clock } from "../core/clock.ts";
import { interruption, isInterrupted } from "../core/interruption.ts";
import { type LockHolder, type LockResult, takeLock } from "../system/locks/locks.ts";
import { inStateFolder } from "../workspace/state-folder.ts";
import { STATE_DIR, type Workspace } from "../workspace/workspace.ts";

const LOCK = "lock";
const DEFAULT_WAIT_MS = 10_000;
const POLL_MS = 100;

/** Who wants the lock, and how long they would wait for it. */
export interface LockRequest {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly waitMs?: number;
}

/**
 * Runs `work` as the only writer of the workspace, of all processes.
 *
 * @throws AppError ERR_WORKSPACE_BUSY with who has it, ERR_CANCELLED, ERR_INTERRUPTED
 */
export async function withWorkspaceLock<T>(
  request: LockRequest,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const release = await waitForLock(request, what);
  try {
    return await work();
  } finally {
    attemptRelease(release);
  }
}

/** What was done is done: a lock that cannot be given back goes with the process. */
function attemptRelease(release: () => void): void {
  try {
    release();
  } catch {
    // whoever is refused the lock can be shown who holds it
  }
}

/** Takes the lock at once or not at all. */
export function takeWorkspaceLock(workspace: Workspace, what: string, now: number): () => void {
  const taken = tryLock(workspace, what, now);
  if (taken.ok) return taken.release;
  throw busy(workspace, taken.holder);
}

/** SQLite needs a path; what it opened there must be the lock of the folder that was looked at. */
function tryLock({ root }: Workspace, what: string, now: number): LockResult {
  return inStateFolder(root, (folder) => {
    const path = join(root, STATE_DIR, LOCK);
    const taken = takeLock(path, what, now);
    const [expected, actual] = [lstatSync(folder.entry(LOCK)), lstatSync(path)];
    if (!taken.ok || (expected.ino === actual.ino && expected.dev === actual.dev)) return taken;
    taken.release();
    throw new AppError("ERR_IO", `Cannot use "${path}": it was swapped just now; try again`);
  });
}

async function waitForLock(request: LockRequest, what: string): Promise<() => void> {
  const { workspace, clock, signal, waitMs = DEFAULT_WAIT_MS } = request;
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    if (isInterrupted(signal)) throw interruption();
    if (signal.aborted) throw new AppError("ERR_CANCELLED", `Cancelled before ${what} began`);
    const taken = tryLock(workspace, what, clock.now());
    if (taken.ok) return taken.release;
    if (waitedMs >= waitMs) throw busy(workspace, taken.holder);
    await clock.sleep(POLL_MS, signal).catch(() => {}); // an abort is seen above
  }
}

function busy(workspace: Workspace, holder: LockHolder | undefined): AppError {
  const since = holder && new Date(holder.since).toISOString();
  const who = holder ? `process ${holder.pid} has it since ${since} for ${holder.what}` : "in use";
  return new AppError(
    "ERR_WORKSPACE_BUSY",
    `Cannot write to "${workspace.name}": ${who}; wait for it or stop it`,
    { details: { ...holder } },
  );
}
