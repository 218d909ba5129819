import { readOrEmpty } from "../read-or-empty.ts";
import { type Hunt, listProcesses } from "./list-processes.ts";

/** How long a stopped command may tidy up before it is killed. */
const GRACE_MS = 1000;
/** A process may fork while the list is read; what was born in between is in the next list. */
const MAX_ROUNDS = 50;
const ROUND_PAUSE_MS = 1;

/**
 * Ends a running command and everything it started: its process group, its descendants, and all
 * that carries its mark. First they are asked to end, then they are killed.
 */
export async function stopTree(
  leaderId: number,
  mark: string,
  exited: Promise<unknown>,
): Promise<void> {
  const seen = findTree(mark, leaderId);
  signalAll([-leaderId, ...seen], "SIGTERM");
  await Promise.race([exited, Bun.sleep(GRACE_MS)]);
  // Who dropped the mark is known by its parent alone, and the parent may be gone by now.
  signalAll([-leaderId, ...seen, ...findTree(mark)], "SIGKILL");
  killMarked(mark);
}

/**
 * Kills a command that grows faster than a list of it can be read. In a sandbox the first process
 * takes all others along; elsewhere all are stopped first, so that none is born meanwhile.
 */
export function killTree(leaderId: number, mark: string): void {
  const first = readOrEmpty(`/proc/${leaderId}/task/${leaderId}/children`).trim().split(" ");
  signalAll([...first.map(Number).filter((id) => id > 0), leaderId, -leaderId], "SIGKILL");
  for (let round = 0, known = 0; round < MAX_ROUNDS; round++) {
    const found = findTree(mark);
    signalAll(found, "SIGSTOP");
    if (found.length <= known) break;
    known = found.length;
  }
  killMarked(mark);
}

/** So soon the kernel does not give all its numbers away. */
const SOON_MS = 5000;

/**
 * Kills what a command that ended left running. Of one that began a moment ago only what was started
 * since is looked at: to read of every process of the machine takes longer than most commands.
 */
export function killLeftovers(leaderId: number, mark: string, ranMs = Infinity): void {
  signalAll([-leaderId], "SIGKILL");
  killMarked(mark, huntAfter(leaderId, ranMs));
}

/** Where to look for what a command started that has run so long. */
export function huntAfter(leaderId: number, ranMs: number): Hunt {
  return ranMs < SOON_MS ? { startedAfter: leaderId } : {};
}

/**
 * Kills every process that carries the mark, of a command or of the process that ran it, with its
 * descendants; gives up after a moment.
 */
export function killMarked(mark: string, hunt: Hunt = {}): void {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = findTree(mark, undefined, hunt);
    if (found.length === 0) return;
    signalAll(found, "SIGKILL");
    Bun.sleepSync(ROUND_PAUSE_MS);
  }
}

/** The marked processes and those below `leaderId`, with all that descend from them. */
export function findTree(mark: string, leaderId?: number, hunt: Hunt = {}): readonly number[] {
  const hunted = { ...hunt, ...(leaderId !== undefined && { leaderId }) };
  const entries = listProcesses(mark, hunted).filter(({ pid }) => pid !== process.pid);
  const found = new Set(leaderId === undefined ? [] : [leaderId]);
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (const { pid, parentId, isMarked } of entries) {
      if (isMarked || found.has(parentId)) found.add(pid);
    }
  }
  return [...found];
}

/** A negative id is a process group; it is no error when something is gone. */
function signalAll(ids: readonly number[], signal: "SIGTERM" | "SIGKILL" | "SIGSTOP"): void {
  for (const id of ids) {
    try {
      process.kill(id, signal);
    } catch {
      // already gone
    }
  }
}
