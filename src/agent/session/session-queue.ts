import { AppError } from "../../core/app-error.ts";
import { interruption } from "../../core/interruption.ts";
import { untilAborted } from "../../core/until-aborted.ts";

/** Most messages that may wait behind the one that is worked on; more are refused. */
const MAX_WAITING = 20;

/** Far more than people make: what comes by a program must not fill the memory. */
const MAX_LANES = 10_000;

/**
 * Work in progress. Each session has a lane for messages and one for buttons that change something,
 * processed one after another; lanes run concurrently, so that a button overtakes the messages that
 * wait. What is done in a moment has a lane of its own, and waits for nothing.
 */
export interface SessionQueue {
  /**
   * Puts work, which must not throw, at the end of a lane; `ahead` says how much goes first.
   * Undefined: the lane is full. `ending` cancels this work and no other.
   */
  join(
    sessionId: string,
    kind: WorkKind,
    work: (signal: AbortSignal) => Promise<void>,
    ending?: AbortSignal,
  ): { readonly ahead: number; readonly done: Promise<void> } | undefined;
  /** Whether anything of a session runs, or waits to. */
  readonly isBusy: (sessionId: string) => boolean;
  /** Ends what runs in a session, not what waits there; says whether anything ran. */
  readonly cancel: (sessionId: string) => boolean;
  /** Interrupts everything, and what comes later as it begins; resolves when all of it has ended. */
  readonly close: (patience: AbortSignal) => Promise<void>;
}

/** What work waits for: the messages before it, the presses, or nothing. */
export type WorkKind = "messages" | "presses" | "alone";

interface Lane {
  readonly sessionId: string;
  running: AbortController | undefined;
  length: number;
  tail: Promise<void>;
}

/** No lanes yet. */
export function createSessionQueue(): SessionQueue {
  const lanes = new Map<string, Lane>();
  let closed = false;
  let count = 0;
  return {
    join(sessionId, kind, work, ending) {
      const own = kind === "alone" ? ` ${count++}` : "";
      const key = `${kind} ${sessionId}${own}`;
      const lane = lanes.get(key) ?? openLane(sessionId);
      const ahead = lane.length;
      if (ahead > MAX_WAITING || lanes.size > MAX_LANES) return undefined;
      lanes.set(key, lane);
      lane.length += 1;
      lane.tail = lane.tail.then(async () => {
        const running = new AbortController();
        lane.running = running;
        if (closed) running.abort(interruption());
        const end = () => running.abort(cancelled());
        if (ending?.aborted) end();
        ending?.addEventListener("abort", end);
        await work(running.signal);
        ending?.removeEventListener("abort", end);
        lane.running = undefined;
        lane.length -= 1;
        if (lane.length === 0) lanes.delete(key);
      });
      return { ahead, done: lane.tail };
    },
    isBusy: (sessionId) => [...lanes.values()].some((lane) => lane.sessionId === sessionId),
    cancel(sessionId) {
      const own = [...lanes.values()].filter((lane) => lane.sessionId === sessionId);
      return own.filter((lane) => interruptLane(lane, cancelled())).length > 0;
    },
    async close(patience) {
      closed = true;
      const open = [...lanes.values()];
      for (const lane of open) interruptLane(lane, interruption());
      await Promise.race([Promise.all(open.map(({ tail }) => tail)), untilAborted(patience)]);
    },
  };
}

function openLane(sessionId: string): Lane {
  return { sessionId, running: undefined, length: 0, tail: Promise.resolve() };
}

/** False when nothing runs in it. */
function interruptLane({ running }: Lane, reason: AppError): boolean {
  running?.abort(reason);
  return running !== undefined;
}

function cancelled(): AppError {
  return new AppError("ERR_CANCELLED", "Cancelled");
}
