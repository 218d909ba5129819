import { AppError } from "../../core/app-error.ts";
import { interruption } from "../../core/interruption.ts";
import { untilAborted } from "../../core/until-aborted.ts";

/** Most messages that may wait behind the one that is worked on; more are refused. */
const MAX_WAITING = 20;

/**
 * Work in progress. Each session has a line for messages and one for buttons, worked off one
 * after another; lines run side by side, so that a button overtakes the messages that wait.
 */
export interface Lines {
  /**
   * Puts work, which must not throw, at the end of a line; `ahead` says how much goes first.
   * Undefined: the line is full.
   */
  join(
    sessionId: string,
    kind: "messages" | "presses",
    work: (signal: AbortSignal) => Promise<void>,
  ): { readonly ahead: number; readonly done: Promise<void> } | undefined;
  /** Ends what runs in a session, not what waits there; says whether anything ran. */
  readonly cancel: (sessionId: string) => boolean;
  /** Interrupts everything, and what comes later as it begins; resolves when all of it has ended. */
  readonly close: (patience: AbortSignal) => Promise<void>;
}

interface Line {
  readonly sessionId: string;
  running: AbortController | undefined;
  length: number;
  tail: Promise<void>;
}

/** No lines yet. */
export function createLines(): Lines {
  const lines = new Map<string, Line>();
  let closed = false;
  return {
    join(sessionId, kind, work) {
      const key = `${kind} ${sessionId}`;
      const line = lines.get(key) ?? openLine(sessionId);
      const ahead = line.length;
      if (ahead > MAX_WAITING) return undefined;
      lines.set(key, line);
      line.length += 1;
      line.tail = line.tail.then(async () => {
        line.running = new AbortController();
        if (closed) line.running.abort(interruption());
        await work(line.running.signal);
        line.running = undefined;
        line.length -= 1;
        if (line.length === 0) lines.delete(key);
      });
      return { ahead, done: line.tail };
    },
    cancel(sessionId) {
      const own = [...lines.values()].filter((line) => line.sessionId === sessionId);
      return own.filter((line) => endLine(line, cancelled())).length > 0;
    },
    async close(patience) {
      closed = true;
      const open = [...lines.values()];
      for (const line of open) endLine(line, interruption());
      await Promise.race([Promise.all(open.map(({ tail }) => tail)), untilAborted(patience)]);
    },
  };
}

function openLine(sessionId: string): Line {
  return { sessionId, running: undefined, length: 0, tail: Promise.resolve() };
}

/** False when nothing runs in it. */
function endLine({ running }: Line, reason: AppError): boolean {
  running?.abort(reason);
  return running !== undefined;
}

function cancelled(): AppError {
  return new AppError("ERR_CANCELLED", "Cancelled");
}
