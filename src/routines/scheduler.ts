import { errorMessage } from "../core/app-error.ts";
import { untilAborted } from "../core/until-aborted.ts";
import type { RoutineRuns, RunCause } from "../store/routines/routines.ts";
import type { RoutineState } from "../tools/routine-service.ts";
import { type Missed, tellMissed } from "./digest.ts";
import { type ExecuteDeps, settleRecalled } from "./execute.ts";
import {
  findDue,
  firstLook,
  groupLeft,
  isDue,
  type Left,
  type Look,
  nextLook,
  toSchedule,
  toSleepMs,
  toWatched,
} from "./look.ts";
import type { Routine } from "./routine.ts";
import { findProblems, routineStates } from "./routine-states.ts";
import { createUnderWay, type UnderWay } from "./under-way.ts";

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
  /** `heldUntil`: up to when another daemon ran the routines of this home, whatever the log of runs says. */
  start(heldUntil?: number): void;
  /** Looks at once: routines may have changed. */
  readonly wake: () => void;
  /** Makes a routine due now; false while it runs already, or the scheduler does not. */
  trigger(routine: Routine, cause: Exclude<RunCause, "schedule">): boolean;
  /** Has a routine run with the next start: nothing is to begin here any more. */
  postpone(routine: Routine, cause: Exclude<RunCause, "schedule">): void;
  /** Ends a run of this routine that is under way; false: none is. */
  end(name: string): boolean;
  /** Records what became of runs whose process died: a terminal that ran one by hand may be killed. */
  readonly settleDead: () => void;
  /** Starts nothing more and waits for what runs; when `signal` aborts, so do the runs. */
  stop(signal: AbortSignal): Promise<void>;
  status(): readonly RoutineStatus[];
  /** The log of runs, which knows what is under way in this process. */
  readonly runs: RoutineRuns;
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

class RoutineScheduler implements Scheduler {
  readonly #deps: SchedulerDeps;
  #routines: readonly Routine[] = [];
  #active: readonly Routine[] = [];
  /** The routines as they were last read. */
  #seen = "";
  readonly #looks = new Map<string, Look>();
  /** What was claimed and never began, by routine, until it is claimed again. */
  readonly #left = new Map<string, Left>();
  readonly #underWay: UnderWay;
  /** What one look found to be missed. */
  readonly #missed: Missed[] = [];
  #nap = new AbortController();
  /** No new runs. */
  readonly #halt = new AbortController();
  #loop: Promise<void> | undefined;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
    // What could not begin is claimed again at the next look.
    const onLeft = (name: string, asked: readonly number[]) =>
      void this.#left.set(name, { waited: [], asked });
    this.#underWay = createUnderWay({ ...deps, halt: this.#halt.signal, onLeft });
  }

  get runs(): RoutineRuns {
    return this.#deps.runs;
  }

  start(heldUntil?: number): void {
    if (this.#halt.signal.aborted) return;
    if (heldUntil !== undefined) {
      this.#guard("", () => this.#deps.runs.takeOver(this.#deps.clock.now(), heldUntil));
    }
    this.#guard("", () => this.#read());
    this.#guard("", () => this.#takeUp(!this.#deps.shared));
    this.#loop ??= this.#run();
  }

  readonly wake = (): void => this.#nap.abort();

  trigger(routine: Routine, cause: Exclude<RunCause, "schedule">): boolean {
    if (!this.#loop || this.#halt.signal.aborted) return false;
    // Files that change while it runs come up again; anything else is reported and recorded.
    if (cause === "files" && this.#underWay.names().has(routine.name)) return false;
    return this.#underWay.start(routine, [this.#deps.clock.now()], cause).length > 0;
  }

  postpone({ name }: Routine, cause: Exclude<RunCause, "schedule">): void {
    this.#deps.runs.keepDue(name, this.#deps.clock.now(), cause);
  }

  readonly settleDead = (): void => {
    if (this.#loop && !this.#halt.signal.aborted) this.#guard("", () => this.#takeUp(false));
  };

  end(name: string): boolean {
    return this.#underWay.end(name);
  }

  async stop(signal: AbortSignal): Promise<void> {
    this.#halt.abort();
    this.wake();
    await this.#loop;
    await Promise.race([this.#underWay.settled(), untilAborted(signal)]);
    this.#underWay.abort();
  }

  status(): readonly RoutineStatus[] {
    const { routines, clock } = this.#deps;
    const states = routineStates(routines(), clock.now(), this.#underWay.names());
    return [...states].map(([{ name }, state]) => toStatus(name, state));
  }

  async #run(): Promise<void> {
    const { clock, ready } = this.#deps;
    while (!this.#halt.signal.aborted) {
      this.#nap = new AbortController();
      const wait = ready?.(this.#halt.signal);
      if (wait) await wait;
      this.#guard("", () => this.#read());
      this.settleDead();
      this.#guard("", () => this.#dropLeft());
      for (const routine of this.#active) this.#guard(routine.name, () => this.#look(routine));
      tellMissed(this.#missed.splice(0), this.#deps);
      const { signal } = this.#nap;
      await clock
        .sleep(toSleepMs(this.#looks.values(), clock.now()), signal)
        .catch((error: unknown) => {
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
    const since = runs.watch(active.map(toWatched), now);
    for (const name of this.#looks.keys()) if (!since.has(name)) this.#looks.delete(name);
    for (const routine of active) {
      const { name, timezone } = routine;
      const watched = since.get(name);
      const { movedFrom } = watched ?? {};
      if (movedFrom !== undefined) {
        log("TIMEZONE_CHANGED", { routine: name, from: movedFrom, to: timezone });
        this.#missed.push({ routine, absence: { kind: "moved", from: movedFrom } });
      }
      if (this.#looks.get(name)?.schedule !== toSchedule(routine))
        this.#looks.set(name, firstLook(routine, watched, now));
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
    for (const [name, own] of groupLeft(left)) this.#left.set(name, own);
  }

  /**
   * What never began of a routine that is off, or gone, is over, with what a webhook sent: once it is
   * told, nothing of it may wait for another routine of that name.
   */
  #dropLeft(): void {
    for (const [name, { waited, asked }] of this.#left) {
      if (this.#active.some((it) => it.name === name)) continue;
      this.#deps.runs.drop(name, [...waited, ...asked]);
      this.#left.delete(name);
      const routine = this.#routines.find((it) => it.name === name);
      if (asked.length === 0 || !routine) continue;
      this.#missed.push({ routine, absence: { kind: "missed", dues: asked, madeUp: 0 } });
    }
  }

  /** Keeps one routine's trouble, such as a full disk, from the others; it is tried again. */
  #guard(name: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#deps.log("ROUTINE_ERROR", { routine: name, error: errorMessage(error) });
    }
  }

  /** Records and starts what came due since the last look, and what had not begun before. */
  #look(routine: Routine): void {
    const { runs, clock } = this.#deps;
    const { name } = routine;
    const now = clock.now();
    const look = this.#looks.get(name) ?? firstLook(routine, undefined, now);
    const left = this.#left.get(name);
    if (!left && !isDue(routine, look, now)) return;
    const { run, missed, waited, asked } = findDue(routine, look, left, now);
    const recorded = new Set(missed.length > 0 ? runs.recordMissed(name, missed, now) : []);
    const dues = missed.filter((dueAt) => recorded.has(dueAt) || waited.includes(dueAt));
    const wanted = [...asked, ...run].toSorted((a, b) => a - b);
    const claimed = this.#underWay.start(routine, wanted, "schedule");
    this.#left.delete(name);
    if (dues.length > 0) {
      const madeUp = claimed.filter((dueAt) => run.includes(dueAt)).length;
      this.#missed.push({ routine, absence: { kind: "missed", dues, madeUp } });
    }
    this.#looks.set(name, nextLook(routine, look, now));
  }
}

function toStatus(name: string, { state, reason, next: [at] }: RoutineState): RoutineStatus {
  const next_at = at === undefined ? null : new Date(at).toISOString();
  return { name, next_at, state, ...(reason !== undefined && { reason }) };
}
