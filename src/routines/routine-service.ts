import type { RoutinesOfChats } from "../agent/deps.ts";
import type { AgentEvent, Speaker } from "../channels/channel.ts";
import { AppError } from "../core/app-error.ts";
import type { Clock } from "../core/clock.ts";
import { fewOf } from "../core/few.ts";
import type { Log } from "../core/log.ts";
import type { RoutineRun, RoutineRuns } from "../store/routines/routines.ts";
import { textsIn } from "../texts/texts.ts";
import type { RoutineState, RoutineView } from "../tools/routine-service.ts";
import type { Catalog } from "./catalog.ts";
import { type ExecuteDeps, execute, RUN_LEASE_MS } from "./execute.ts";
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
  readonly clock: Clock;
  readonly log: Log;
}

/** The one way to routines but their schedule. */
export function createRoutineService(deps: RoutineServiceDeps): RoutinesOfChats {
  const { catalog, runs, clock } = deps;

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
    async readSchedule(words, timezone) {
      // Three languages' worth of phrases, which nobody needs who makes no routine.
      const { parseSchedule } = await import("./parse-schedule.ts");
      const parsed = parseSchedule(words, timezone, clock.now());
      if (!parsed.ok) throw new AppError(parsed.code, parsed.message);
      return parsed;
    },
    check: async (job) => void (await catalog.check(job)),
    add: async (job) => find((await catalog.add(job)).name),
    remove: (name) => catalog.remove(name),
    turn: (name, enabled) => void catalog.turn(name, enabled),
    logs(name, limit) {
      const rows = runs.list(name, Number.isFinite(limit) ? limit : -1);
      if (name !== undefined && rows.length === 0) catalog.find(name);
      return fewOf(rows, rows.length < limit ? rows.length : runs.count(name));
    },
    run: (name, signal) => runNow(catalog.find(name), deps, deps.perform, signal),
    async runFor(owner, name, signal, begin) {
      let events: readonly AgentEvent[] = [];
      const perform: ExecuteDeps["run"] = async (routine, dueAt, end) => {
        const outcome = await deps.perform(routine, dueAt, end, { owner, begin });
        events = outcome.events ?? [];
        return outcome;
      };
      const run = await runNow(catalog.find(name), deps, perform, signal);
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
  await execute(asked, now, { runs, run, clock, log, ...UNREPORTED }, signal);
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
