import type { DryRun, RoutinesOfChats } from "../agent/deps.ts";
import type { AgentEvent, Speaker } from "../channels/channel.ts";
import { AppError } from "../core/app-error.ts";
import type { Clock } from "../core/clock.ts";
import { fewOf, firstOf } from "../core/few.ts";
import type { Log } from "../core/log.ts";
import type { RoutineRun, RoutineRuns } from "../store/routines/routines.ts";
import { textsIn } from "../texts/texts.ts";
import type { RoutineState, RoutineView } from "../tools/routine-service.ts";
import type { Catalog } from "./catalog.ts";
import { type ExecuteDeps, execute, RUN_LEASE_MS, stopped } from "./execute.ts";
import { machineTimezone } from "./machine-timezone.ts";
import { nextRuns } from "./next-run.ts";
import type { Routine } from "./routine.ts";
import { routineStates } from "./routine-states.ts";
import type { RunOutcome } from "./run.ts";
import { validateRoutine } from "./validate-routine.ts";

/** Who asked for a run in a chat. */
interface Asker {
  /** Can press what it shows. */
  readonly owner: Speaker;
  /** Gets the work id of the run before it begins. */
  readonly begin: (workId: string) => void;
}

/** What managing routines takes. */
export interface RoutineServiceDeps {
  readonly catalog: Catalog;
  readonly runs: RoutineRuns;
  /** Does what a routine is to do, for its schedule or for somebody who asked. */
  readonly perform: (
    routine: Routine,
    dueAt: number,
    signal: AbortSignal,
    asker?: Asker,
  ) => Promise<RunOutcome>;
  /** The names of those that run now; where nothing schedules them, none is known. */
  readonly running?: () => ReadonlySet<string>;
  /** Ends what the schedule runs; false: nothing of this name. */
  readonly end?: (name: string) => boolean;
  /** Records what became of runs whose process died. */
  readonly settleDead?: () => void;
  /** What a routine would do, without anything of it being done. */
  readonly dry?: (routine: Routine, signal: AbortSignal) => Promise<DryRun>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The one way to routines but their schedule. */
export function createRoutineService(deps: RoutineServiceDeps): RoutinesOfChats {
  const { catalog, runs, clock } = deps;
  const ends = new Map<string, AbortController>();

  /** Run by hand, until somebody ends it. */
  async function runEnding(
    name: string,
    perform: ExecuteDeps["run"],
    signal: AbortSignal,
  ): Promise<RoutineRun> {
    const end = new AbortController();
    // A second one is only recorded as skipped: what runs is the first.
    const isFirst = !ends.has(name);
    if (isFirst) ends.set(name, end);
    try {
      const both = AbortSignal.any([signal, end.signal]);
      return await runNow(catalog.find(name), deps, perform, both);
    } finally {
      if (isFirst) ends.delete(name);
    }
  }

  function list(): readonly RoutineView[] {
    const states = routineStates(catalog.list(), clock.now(), deps.running?.() ?? new Set());
    return [...states].map(([routine, state]) => toView(routine, state, runs.last(routine.name)));
  }

  function find(name: string): RoutineView {
    const routine = catalog.find(name);
    const found = list().find((view) => view.name === routine.name);
    if (found) return found;
    throw new Error(`The list has no "${name}"`);
  }

  return {
    list,
    find,
    timezone: () => machineTimezone(),
    async readSchedule(words, timezone) {
      // Three languages' worth of phrases, which nobody needs who makes no routine.
      const { parseSchedule } = await import("./parse-schedule.ts");
      const parsed = parseSchedule(words, timezone, clock.now());
      if (!parsed.ok) throw new AppError(parsed.code, parsed.message);
      return parsed;
    },
    check: async (job) => void (await catalog.check(job)),
    async entry(name) {
      const { job, mark } = (await catalog.changes()).entry(name);
      const { timezone } = catalog.find(name);
      const { schedule, mode, workspace, channel, task } = job;
      return { mark, schedule, timezone, mode, ...(workspace && { workspace }), channel, task };
    },
    async checkChange(name, keys) {
      const { job } = (await catalog.changes()).entry(name);
      await catalog.check({ ...job, ...keys, name }, "changed");
    },
    async change(name, keys, mark) {
      await (await catalog.changes()).change(name, keys, mark);
      return find(name);
    },
    add: async (job) => find((await catalog.add(job)).name),
    remove: (name) => catalog.remove(name),
    turn: (name, enabled) => void catalog.turn(name, enabled),
    logs(name, limit) {
      deps.settleDead?.();
      const rows = runs.list(name, Number.isFinite(limit) ? limit : -1);
      if (name !== undefined && rows.length === 0) catalog.find(name);
      return fewOf(rows, rows.length < limit ? rows.length : runs.count(name));
    },
    older: (name, before, limit) => runs.before(name, before, limit),
    ahead(name, until, most) {
      const routine = catalog.find(name);
      const { task, channel, schedule, timezone, enabled } = routine;
      const isOn = enabled && validateRoutine(routine, clock.now()) === undefined;
      const next = isOn ? nextRuns(schedule, timezone, clock.now(), most + 1) : [];
      const dues = next.filter((at) => at <= until);
      let isMore = false;
      const shown = firstOf(dues, most).take(() => (isMore = true));
      return { task, channel, dues: shown, isMore };
    },
    stop(name) {
      const end = ends.get(name);
      end?.abort(stopped());
      return end !== undefined || deps.end?.(name) === true;
    },
    run: (name, signal) => runEnding(name, deps.perform, signal),
    async dry(name, signal) {
      if (!deps.dry) throw new Error("nothing plans what a routine would do here");
      return deps.dry(catalog.find(name), signal);
    },
    async runFor(owner, name, signal, begin) {
      let events: readonly AgentEvent[] = [];
      const perform: ExecuteDeps["run"] = async (routine, dueAt, end) => {
        const outcome = await deps.perform(routine, dueAt, end, { owner, begin });
        events = outcome.events ?? [];
        return outcome;
      };
      const run = await runEnding(name, perform, signal);
      return { run, events };
    },
  };
}

function toView(
  { name, source, schedule, timezone, mode, workspace }: Routine,
  state: RoutineState,
  last: RoutineRun | undefined,
): RoutineView {
  const place = workspace !== undefined && { workspace };
  return { name, source, schedule, timezone, mode, ...place, ...state, ...(last && { last }) };
}

async function runNow(
  routine: Routine,
  { runs, clock, log }: RoutineServiceDeps,
  run: ExecuteDeps["run"],
  signal: AbortSignal,
): Promise<RoutineRun> {
  const now = clock.now();
  const failure = validateRoutine(routine, now);
  if (failure !== undefined) throw new AppError(failure.code, failure.message);
  const { name } = routine;
  runs.claim({ routine: name, dues: [now], cause: "manual", now, leaseUntil: now + RUN_LEASE_MS });
  const asked: Routine = { ...routine, channel: "none", onlyIfChanged: false };
  await execute(asked, now, { runs, run, clock, log, ...UNREPORTED }, signal).finally(() =>
    runs.letGo(name, [now]),
  );
  const done = runs.get(name, now);
  if (done === undefined) throw new Error(`The run of "${name}" left no row`);
  return done;
}

/** Who asked sees what came of it. */
const UNREPORTED: Pick<ExecuteDeps, "deliver" | "switchOff" | "texts"> = {
  deliver: async () => "nobody",
  switchOff() {},
  texts: () => textsIn("en"),
};
