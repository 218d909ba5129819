import { errorMessage } from "../core/app-error.ts";
import { interruption } from "../core/interruption.ts";
import { untilAborted } from "../core/until-aborted.ts";
import type { RunCause } from "../store/routines/routines.ts";
import type { RoutineState } from "../tools/routine-service.ts";
import { type Missed, renderDigests } from "./digest.ts";
import { type ExecuteDeps, execute, settleRecalled, stopped } from "./execute.ts";
import { splitDue } from "./misfire.ts";
import { dueBetween, nextRuns } from "./next-run.ts";
import type { Routine } from "./routine.ts";
import { findProblems, routineStates } from "./routine-states.ts";
import { createTurns } from "./turns.ts";

/** Looks at the clock at least this often, so that a changed clock or a suspend is noticed. */
const MAX_SLEEP_MS = 60_000;

/** Of a longer row of missed instants only the newest are recorded. */
const MAX_MISSED = 500;

/** A claimed run may wait this long for another one on its workspace. */
const TURN_LEASE_MS = 3_600_000;

/** What a scheduler works with. */
export interface SchedulerDeps extends ExecuteDeps {
  /** Waited for before each look: what it claims is written. */
  readonly ready?: (signal: AbortSignal) => Promise<void> | undefined;
  /** Asked at every look, so that what was added or changed meanwhile counts. */
  readonly routines: () => readonly Routine[];
  /**
   * Other schedulers may be alive on the same database. Without it every run found running at the
   * start is a crash's, which holds for a daemon under its home's lock.
   */
  readonly shared?: boolean;
}

/** One routine for `status`. */
export interface RoutineStatus {
  readonly name: string;
  readonly next_at: string | null;
  readonly state: RoutineState["state"];
  /** Why it is invalid, or was switched off by papa-yu. */
  readonly reason?: string;
}

/** Runs routines when they are due, until stopped. */
export interface Scheduler {
  start(): void;
  /** Looks at once: routines may have changed. */
  readonly wake: () => void;
  /** Makes a routine due now; false while it runs already, or when the scheduler has stopped. */
  trigger(routine: Routine, cause: Exclude<RunCause, "schedule">): boolean;
  /** Ends a run of this routine that is under way; false: none is. */
  end(name: string): boolean;
  /** Starts nothing more and waits for what runs; when `signal` aborts, so do the runs. */
  stop(signal: AbortSignal): Promise<void>;
  status(): readonly RoutineStatus[];
}

/**
 * A scheduler over a list of routines that may change.
 *
 * Each due instant is claimed as a row first, so it runs once, whatever the clock does and however
 * many schedulers share the database. An invalid routine is reported and left out.
 */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  return new RoutineScheduler(deps);
}

/** Up to when a routine's instants were looked at, and which comes next. */
interface Look {
  readonly at: number;
  readonly nextAt: number;
  /** A new schedule is looked at from new on. */
  readonly schedule: string;
}

class RoutineScheduler implements Scheduler {
  readonly #deps: SchedulerDeps;
  #routines: readonly Routine[] = [];
  #active: readonly Routine[] = [];
  /** The routines as they were last read. */
  #seen = "";
  readonly #looks = new Map<string, Look>();
  /** The runs under way, each with its routine's name. */
  readonly #working = new Map<Promise<void>, string>();
  /** What ends one of them, by its routine's name. */
  readonly #ends = new Map<string, AbortController>();
  readonly #turns = createTurns();
  /** What one look found to be missed. */
  #missed: Missed[] = [];
  #nap = new AbortController();
  /** No new runs. */
  readonly #halt = new AbortController();
  /** An end to those under way. */
  readonly #abort = new AbortController();
  #loop: Promise<void> | undefined;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#guard("", () => this.#read());
    this.#guard("", () => this.#takeUp(!this.#deps.shared));
    this.#loop ??= this.#run();
  }

  readonly wake = (): void => this.#nap.abort();

  trigger(routine: Routine, cause: Exclude<RunCause, "schedule">): boolean {
    if (this.#halt.signal.aborted) return false;
    // Files that change while it runs come up again; anything else is reported and recorded.
    const runs = this.#working.values().some((name) => name === routine.name);
    if (runs && cause === "files") return false;
    return this.#start(routine, [this.#deps.clock.now()], cause);
  }

  end(name: string): boolean {
    const end = this.#ends.get(name);
    end?.abort(stopped());
    return end !== undefined;
  }

  async stop(signal: AbortSignal): Promise<void> {
    this.#halt.abort();
    this.wake();
    await this.#loop;
    await Promise.race([Promise.all(this.#working.keys()), untilAborted(signal)]);
    this.#abort.abort(interruption());
  }

  status(): readonly RoutineStatus[] {
    const running = new Set(this.#working.values());
    const states = routineStates(this.#deps.routines(), this.#deps.clock.now(), running);
    return [...states].map(([{ name }, state]) => toStatus(name, state));
  }

  async #run(): Promise<void> {
    const { clock, shared, ready } = this.#deps;
    while (!this.#halt.signal.aborted) {
      this.#nap = new AbortController();
      const wait = ready?.(this.#halt.signal);
      if (wait) await wait;
      this.#guard("", () => this.#read());
      if (shared) this.#guard("", () => this.#takeUp(false));
      for (const routine of this.#active) this.#guard(routine.name, () => this.#look(routine));
      this.#tellMissed();
      const { signal } = this.#nap;
      await clock.sleep(this.#sleepMs(), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
  }

  /** Takes over what was added, changed, switched or removed since the last look. */
  #read(): void {
    const { runs, clock, log } = this.#deps;
    const routines = this.#deps.routines();
    const seen = JSON.stringify(routines);
    if (seen === this.#seen) return;
    const now = clock.now();
    const problems = findProblems(routines, now);
    for (const [{ name }, reason] of problems) log("ROUTINE_INVALID", { routine: name, reason });
    const active = routines.filter((it) => it.enabled && !problems.has(it));
    const watched = active.map((routine) => ({ name: routine.name, schedule: toKey(routine) }));
    const since = runs.watch(watched, now);
    for (const name of this.#looks.keys()) if (!since.has(name)) this.#looks.delete(name);
    for (const { name, schedule } of watched) {
      const at = since.get(name) ?? now;
      if (this.#looks.get(name)?.schedule !== schedule)
        this.#looks.set(name, { at, nextAt: at, schedule });
    }
    log("ROUTINES_READ", { routines: routines.length, active: active.length });
    this.#routines = routines;
    this.#active = active;
    this.#seen = seen;
  }

  /** What dead processes left: begun is in doubt, what never began comes due again. */
  #takeUp(isAlone: boolean): void {
    const { runs, clock, log } = this.#deps;
    const now = clock.now();
    const left = runs.markUnknown(now, isAlone);
    for (const run of left) {
      const { routine: name, dueAt, state } = run;
      log("ROUTINE_LEFT_BY_CRASH", { routine: name, due_at: new Date(dueAt).toISOString(), state });
      const routine = this.#routines.find((it) => it.name === name);
      if (routine && state === "unknown" && !settleRecalled(routine, run, this.#deps)) {
        this.#missed.push({ routine, absence: { kind: "unknown", dueAt } });
      }
    }
    const waited = left.filter(({ state, cause }) => state === "missed" && cause === "schedule");
    for (const routine of this.#active) {
      const own = waited.filter((it) => it.routine === routine.name);
      const dues = own.map(({ dueAt }) => dueAt).toSorted((a, b) => a - b);
      const { run, missed } = splitDue(dues, now, routine.misfire);
      const madeUp = this.#start(routine, run, "schedule") ? run.length : 0;
      if (missed.length > 0) {
        this.#missed.push({ routine, absence: { kind: "missed", dues: missed, madeUp } });
      }
    }
  }

  #sleepMs(): number {
    const now = this.#deps.clock.now();
    const waits = this.#looks.values().map(({ nextAt }) => nextAt - now);
    // What is overdue could not be started just now; it is tried again after a whole sleep.
    return Math.min(MAX_SLEEP_MS, ...waits.filter((wait) => wait > 0));
  }

  /** Keeps one routine's trouble, such as a full disk, from the others; it is tried again. */
  #guard(name: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#deps.log("ROUTINE_ERROR", { routine: name, error: errorMessage(error) });
    }
  }

  /** Records and starts what came due since the last look. */
  #look(routine: Routine): void {
    const { runs, clock } = this.#deps;
    const { name, schedule, timezone, misfire } = routine;
    const now = clock.now();
    const key = toKey(routine);
    const look = this.#looks.get(name) ?? { at: now, nextAt: now };
    if (now >= look.at && now < look.nextAt) return;
    // A clock set back makes instants come due again; their rows keep them from running again.
    const from = Math.min(now, look.at);
    const dues = dueBetween(schedule, timezone, from, now, MAX_MISSED);
    const { run, missed } = splitDue(dues, now, misfire);
    const recorded = missed.length > 0 ? runs.recordMissed(name, missed, now) : [];
    const isStarted = this.#start(routine, run, "schedule");
    if (recorded.length > 0) {
      const madeUp = isStarted ? run.length : 0;
      this.#missed.push({ routine, absence: { kind: "missed", dues: recorded, madeUp } });
    }
    const nextAt = nextRuns(schedule, timezone, now, 1)[0] ?? Infinity;
    this.#looks.set(name, { at: now, nextAt, schedule: key });
  }

  /** One message for all that was missed, however much it is. */
  #tellMissed(): void {
    const { deliver, texts, log } = this.#deps;
    const missed = this.#missed;
    this.#missed = [];
    for (const [channel, text] of renderDigests(missed, texts().routines)) {
      deliver(channel, text).catch((error: unknown) => {
        log("ROUTINE_DELIVERY_FAILED", { channel, error: errorMessage(error) });
      });
    }
  }

  #start(routine: Routine, dues: readonly number[], cause: RunCause): boolean {
    const { runs, clock, log } = this.#deps;
    const { name, workspace } = routine;
    const now = clock.now();
    const leaseUntil = now + TURN_LEASE_MS;
    const claimed = runs.claim({ routine: name, dues, cause, now, leaseUntil });
    if (claimed.length === 0) return false;
    const work = this.#turns
      .take(workspace, () => this.#runAll(routine, claimed))
      .catch((error: unknown) => {
        log("ROUTINE_ERROR", { routine: name, error: errorMessage(error) });
      })
      .finally(() => this.#working.delete(work));
    this.#working.set(work, name);
    return true;
  }

  async #runAll(routine: Routine, dues: readonly number[]): Promise<void> {
    const { runs, clock } = this.#deps;
    for (const dueAt of dues) {
      if (this.#halt.signal.aborted) {
        const error = "papa-yu stopped before its turn";
        const end = { state: "missed", delivery: "none", output: "", error } as const;
        runs.finish(routine.name, dueAt, clock.now(), end);
      } else await this.#execute(routine, dueAt);
    }
  }

  async #execute(routine: Routine, dueAt: number): Promise<void> {
    const end = new AbortController();
    this.#ends.set(routine.name, end);
    const signal = AbortSignal.any([this.#abort.signal, end.signal]);
    await execute(routine, dueAt, this.#deps, signal).finally(() =>
      this.#ends.delete(routine.name),
    );
  }
}

function toStatus(name: string, { state, reason, next: [at] }: RoutineState): RoutineStatus {
  const next_at = at === undefined ? null : new Date(at).toISOString();
  return { name, next_at, state, ...(reason !== undefined && { reason }) };
}

function toKey({ schedule, timezone }: Routine): string {
  return `${schedule} ${timezone}`;
}
