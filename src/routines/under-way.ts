import { errorMessage } from "../core/app-error.ts";
import { interruption } from "../core/interruption.ts";
import type { RunCause } from "../store/routines/routines.ts";
import { type ExecuteDeps, execute, stopped } from "./execute.ts";
import type { Routine } from "./routine.ts";
import { findProblems } from "./routine-states.ts";
import { createTurns } from "./turns.ts";

/** A claimed run may wait this long for another one on its workspace. */
const TURN_LEASE_MS = 3_600_000;

/** What runs work with. */
export interface UnderWayDeps extends ExecuteDeps {
  readonly routines: () => readonly Routine[];
  /** Once it aborts, nothing begins any more. */
  readonly halt: AbortSignal;
  /** Told what could not begin, for a full disk say. */
  readonly onLeft: (name: string, dues: readonly number[]) => void;
}

/** Runs from the moment they are claimed: those that wait for their turn, and those that have begun. */
export interface UnderWay {
  /** Claims these instants and returns those that it got. */
  start(routine: Routine, dues: readonly number[], cause: RunCause): readonly number[];
  /** The names of routines that have any. */
  readonly names: () => ReadonlySet<string>;
  /** Ends a run of this routine that has begun; false: none has. */
  end(name: string): boolean;
  /** Resolves when all have ended. */
  settled(): Promise<unknown>;
  /** Ends those that have begun. */
  abort(): void;
}

/** None yet. What has not begun when nothing may begin any more stays due, for the next start. */
export function createUnderWay(deps: UnderWayDeps): UnderWay {
  const { runs, clock, log, halt } = deps;
  /** Each with its routine's name. */
  const working = new Map<Promise<void>, string>();
  /** What ends one of them, by its routine's name. */
  const ends = new Map<string, AbortController>();
  const turns = createTurns();
  const all = new AbortController();

  /**
   * The routine as it is when its turn comes, which may be long after it was claimed: another
   * workspace is another row to wait in.
   */
  async function workOff(claimed: Routine, dues: readonly number[]): Promise<void> {
    const { name } = claimed;
    const waiting = [...dues];
    const inTurn = async (place: string | undefined): Promise<string | undefined> => {
      for (let dueAt = waiting[0]; dueAt !== undefined && !halt.aborted; dueAt = waiting[0]) {
        const now = findRunnable(name, deps);
        if (now && now.workspace !== place) return now.workspace;
        waiting.shift();
        if (now) await runOne(now, dueAt);
        else await leaveOut(claimed, dueAt, deps);
      }
      waiting.length = 0;
      return place;
    };
    let place = claimed.workspace;
    while (waiting.length > 0) {
      await turns.take(place, async () => {
        place = await inTurn(place);
      });
    }
  }

  async function runOne(routine: Routine, dueAt: number): Promise<void> {
    const { name } = routine;
    const input = runs.input(name, dueAt);
    const end = new AbortController();
    ends.set(name, end);
    const signal = AbortSignal.any([all.signal, end.signal]);
    const asked = { ...routine, ...(input !== undefined && { input }) };
    await execute(asked, dueAt, deps, signal).finally(() => ends.delete(name));
  }

  return {
    start(routine, dues, cause) {
      const { name, input } = routine;
      const now = clock.now();
      const leaseUntil = now + TURN_LEASE_MS;
      const sent = input === undefined ? {} : { input };
      const claimed = runs.claim({ routine: name, dues, cause, now, leaseUntil, ...sent });
      if (claimed.length === 0) return claimed;
      const work = workOff(routine, claimed)
        .catch((error: unknown) => {
          log("ROUTINE_ERROR", { routine: name, error: errorMessage(error) });
        })
        .finally(() => {
          working.delete(work);
          const left = runs.letGo(name, claimed);
          if (left.length > 0) deps.onLeft(name, left);
        });
      working.set(work, name);
      return claimed;
    },
    names: () => new Set(working.values()),
    end(name) {
      const end = ends.get(name);
      end?.abort(stopped());
      return end !== undefined;
    },
    settled: () => Promise.all(working.keys()),
    abort: () => all.abort(interruption()),
  };
}

/** Undefined: it is gone, off or cannot run. */
function findRunnable(name: string, { routines, clock }: UnderWayDeps): Routine | undefined {
  const all = routines();
  const found = all.find((it) => it.name === name);
  return found?.enabled && !findProblems(all, clock.now()).has(found) ? found : undefined;
}

/** Its owner was told that it was started, or counts on it: it is recorded, and said. */
async function leaveOut(
  { name, channel }: Routine,
  dueAt: number,
  { runs, clock, log, deliver, texts, halt }: UnderWayDeps,
): Promise<void> {
  const state = runs.get(name, dueAt)?.state;
  const isTold = channel !== "none";
  if (state === "due") {
    const error = "when its turn came, it had been removed, switched off or could not run any more";
    const end = {
      state: "skipped",
      delivery: isTold ? "pending" : "none",
      output: "",
      error,
    } as const;
    await runs.finish(name, dueAt, clock.now(), end, halt);
  } else if (state !== "skipped") return; // somebody else has it
  if (!isTold) return;
  try {
    const sent = await deliver(channel, texts().routines.leftOut(name));
    runs.setDelivery(name, dueAt, sent);
  } catch (failure) {
    log("ROUTINE_DELIVERY_FAILED", { routine: name, channel, error: errorMessage(failure) });
    runs.setDelivery(name, dueAt, "failed");
  }
}
