import { errorMessage } from "../core/app-error.ts";
import { type ExecuteDeps, execute } from "./execute.ts";
import { splitDue } from "./misfire.ts";
import { dueBetween, nextRuns } from "./next-run.ts";
import { type Routine, validateRoutine } from "./routine.ts";

/** Looks at the clock at least this often, so that a changed clock or a suspend is noticed. */
const MAX_SLEEP_MS = 60_000;

/** Of a longer row of missed instants only the newest are recorded. */
const MAX_MISSED = 500;

/** A claimed run may wait this long for another one on its workspace. */
const TURN_LEASE_MS = 3_600_000;

/** What a scheduler works with. */
export interface SchedulerDeps extends ExecuteDeps {
  readonly routines: readonly Routine[];
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
  readonly state: "waiting" | "running" | "disabled" | "invalid";
  /** Why it is invalid. */
  readonly reason?: string;
}

/** Runs routines when they are due, until stopped. */
export interface Scheduler {
  start(): void;
  /** Goes on with other routines; runs under way end as they began. */
  replace(routines: readonly Routine[]): void;
  /** Starts nothing more and waits for what runs; when `signal` aborts, so do the runs. */
  stop(signal: AbortSignal): Promise<void>;
  status(): readonly RoutineStatus[];
}

/**
 * A scheduler over one list of routines.
 *
 * Each due instant is claimed as a row first, so it runs once, whatever the clock does and however
 * many schedulers share the database. An invalid routine is reported and left out.
 */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  return new RoutineScheduler(deps);
}

class RoutineScheduler implements Scheduler {
  readonly #deps: SchedulerDeps;
  #routines: readonly Routine[];
  #problems: ReadonlyMap<Routine, string> = new Map();
  #active: readonly Routine[] = [];
  /** Up to when each routine's instants were looked at, and which comes next. */
  readonly #looks = new Map<string, { readonly at: number; readonly nextAt: number }>();
  /** The runs under way, each with its routine's name. */
  readonly #working = new Map<Promise<void>, string>();
  /** The last run in each workspace's row of turns. */
  readonly #turns = new Map<string, Promise<void>>();
  /** No new runs. */
  readonly #halt = new AbortController();
  /** An end to those under way. */
  readonly #abort = new AbortController();
  /** An end to the sleep of the loop. */
  #wake = new AbortController();
  #loop: Promise<void> | undefined;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
    this.#routines = deps.routines;
    this.#judge();
  }

  start(): void {
    const { runs, clock, log, shared = false } = this.#deps;
    for (const { routine, dueAt, state } of runs.markUnknown(clock.now(), !shared)) {
      log("ROUTINE_LEFT_BY_CRASH", { routine, due_at: new Date(dueAt).toISOString(), state });
    }
    this.#watch();
  }

  replace(routines: readonly Routine[]): void {
    if (Bun.deepEquals(routines, this.#routines)) return;
    this.#routines = routines;
    this.#judge();
    this.#watch();
    this.#wake.abort();
  }

  #judge(): void {
    this.#problems = findProblems(this.#routines, this.#deps.clock.now());
    this.#active = this.#routines.filter((it) => it.enabled && !this.#problems.has(it));
  }

  #watch(): void {
    const { runs, clock, log } = this.#deps;
    for (const [{ name }, reason] of this.#problems) {
      log("ROUTINE_INVALID", { routine: name, reason });
    }
    const watched = this.#active.map(({ name, schedule, timezone }) => ({
      name,
      schedule: `${schedule} ${timezone}`,
    }));
    this.#looks.clear();
    for (const [name, at] of runs.watch(watched, clock.now())) {
      this.#looks.set(name, { at, nextAt: at });
    }
    if (this.#active.length > 0) this.#loop ??= this.#run();
  }

  async stop(signal: AbortSignal): Promise<void> {
    this.#halt.abort();
    await this.#loop;
    await settledOrAborted([...this.#working.keys()], signal);
    this.#abort.abort(signal.reason);
  }

  status(): readonly RoutineStatus[] {
    return this.#routines.map((routine) => this.#statusOf(routine));
  }

  #statusOf(routine: Routine): RoutineStatus {
    const { name, schedule, timezone, enabled } = routine;
    const reason = this.#problems.get(routine);
    if (reason !== undefined) return { name, next_at: null, state: "invalid", reason };
    if (!enabled) return { name, next_at: null, state: "disabled" };
    const next = nextRuns(schedule, timezone, this.#deps.clock.now(), 1)[0];
    return {
      name,
      next_at: next === undefined ? null : new Date(next).toISOString(),
      state: this.#working.values().some((it) => it === name) ? "running" : "waiting",
    };
  }

  async #run(): Promise<void> {
    const { clock } = this.#deps;
    const { signal: halted } = this.#halt;
    while (!halted.aborted) {
      this.#wake = new AbortController();
      const signal = AbortSignal.any([halted, this.#wake.signal]);
      for (const routine of this.#active) this.#guard(routine.name, () => this.#look(routine));
      await clock.sleep(this.#sleepMs(), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
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
    const look = this.#looks.get(name) ?? { at: now, nextAt: now };
    if (now >= look.at && now < look.nextAt) return;
    // A clock set back makes instants come due again; their rows keep them from running again.
    const from = Math.min(now, look.at);
    const dues = dueBetween(schedule, timezone, from, now, MAX_MISSED);
    const { run, missed } = splitDue(dues, now, misfire);
    if (missed.length > 0) runs.recordMissed(name, missed, now);
    if (run.length > 0) this.#start(routine, run, now);
    const nextAt = nextRuns(schedule, timezone, now, 1)[0] ?? Infinity;
    this.#looks.set(name, { at: now, nextAt });
  }

  #start(routine: Routine, dues: readonly number[], now: number): void {
    const { runs, log } = this.#deps;
    const { name } = routine;
    const leaseUntil = now + TURN_LEASE_MS;
    const claimed = runs.claim({ routine: name, dues, cause: "schedule", now, leaseUntil });
    if (claimed.length === 0) return;
    const work = this.#inTurn(routine.workspace, () => this.#runAll(routine, claimed))
      .catch((error: unknown) => {
        log("ROUTINE_ERROR", { routine: name, error: errorMessage(error) });
      })
      .finally(() => this.#working.delete(work));
    this.#working.set(work, name);
  }

  /** One run at a time on a workspace, in the order in which they came due. */
  #inTurn(workspace: string | undefined, work: () => Promise<void>): Promise<void> {
    if (workspace === undefined) return work();
    const turn = (this.#turns.get(workspace) ?? Promise.resolve()).then(work);
    this.#turns.set(
      workspace,
      turn.catch(() => {}),
    );
    return turn;
  }

  async #runAll(routine: Routine, dues: readonly number[]): Promise<void> {
    const { runs, clock } = this.#deps;
    for (const dueAt of dues) {
      if (this.#halt.signal.aborted) {
        const error = "papa-yu stopped before its turn";
        const end = { state: "missed", delivery: "none", output: "", error } as const;
        runs.finish(routine.name, dueAt, clock.now(), end);
      } else await execute(routine, dueAt, this.#deps, this.#abort.signal);
    }
  }
}

/** Why each routine that cannot run cannot. */
function findProblems(routines: readonly Routine[], now: number): ReadonlyMap<Routine, string> {
  const problems = new Map<Routine, string>();
  const names = new Set<string>();
  for (const routine of routines) {
    const failure = validateRoutine(routine, now);
    if (failure !== undefined) problems.set(routine, failure.message);
    else if (names.has(routine.name)) {
      problems.set(routine, `The name "${routine.name}" is used twice; rename one of them`);
    }
    names.add(routine.name);
  }
  return problems;
}

async function settledOrAborted(
  work: readonly Promise<void>[],
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const aborted = Promise.withResolvers<void>();
  const stop = () => aborted.resolve();
  signal.addEventListener("abort", stop, { once: true });
  await Promise.race([Promise.all(work), aborted.promise]);
  signal.removeEventListener("abort", stop);
}
