import type { RoutineService, RoutineView, RunView } from "../../agent/routine-service.ts";
import type { AgentEvent } from "../../channels/channel.ts";
import { renderInstant } from "../../routines/digest.ts";
import type { ExecuteDeps } from "../../routines/execute.ts";
import type { Routine } from "../../routines/routine.ts";
import { runNow } from "../../routines/run-now.ts";
import type { RoutineStatus, Scheduler } from "../../routines/scheduler.ts";
import { createRoutineRuns, type RoutineRun } from "../../store/routines/routines.ts";
import type { App } from "../app/app.ts";
import { runCharged } from "./create-routines.ts";
import { createRoutineDeps, toWorkId } from "./routine-deps.ts";

/** What the chats of a daemon see of its routines. */
export function createRoutineService(
  app: App,
  scheduler: Pick<Scheduler, "status">,
): RoutineService {
  const { routines, store, clock, log } = app;
  const runs = createRoutineRuns(store);

  function views(): readonly RoutineView[] {
    const statuses = new Map(scheduler.status().map((status) => [status.name, status]));
    return routines.list().flatMap((routine) => {
      const status = statuses.get(routine.name);
      return status ? [toView(routine, status, runs.last(routine.name))] : [];
    });
  }

  return {
    list: views,
    find(name) {
      const routine = routines.find(name);
      const found = views().find((view) => view.name === routine.name);
      if (found) return found;
      throw new Error(`The scheduler does not know "${name}"`);
    },
    turn: (name, enabled) => void routines.turn(name, enabled),
    logs(name, limit) {
      const { timezone } = routines.find(name);
      return runs.list(name, limit).map((run) => toRunView(run, timezone));
    },
    async run(name, speaker, signal) {
      const routine = routines.find(name);
      let events: readonly AgentEvent[] = [];
      const run: ExecuteDeps["run"] = async (it, dueAt, end) => {
        const deps = createRoutineDeps(app, {
          workId: toWorkId(it, dueAt),
          ownerOf: () => speaker,
        });
        const outcome = await runCharged(app, it, deps, end);
        events = outcome.events ?? [];
        return outcome;
      };
      const done = await runNow(routine, { runs, run, clock, log }, signal);
      return { done: toRunView(done, routine.timezone), events };
    },
  };
}

function toView(
  { name, schedule, timezone }: Routine,
  { state, reason, next_at }: RoutineStatus,
  last: RoutineRun | undefined,
): RoutineView {
  return {
    name,
    schedule,
    timezone,
    state,
    ...(reason !== undefined && { reason }),
    ...(next_at !== null && { next: renderInstant(Date.parse(next_at), timezone) }),
    ...(last && { last: toRunView(last, timezone) }),
  };
}

function toRunView(run: RoutineRun, timezone: string): RunView {
  const { dueAt, state, finishedAt, output, error } = run;
  return {
    at: renderInstant(dueAt, timezone),
    state,
    ...(finishedAt !== null && { endedAt: finishedAt }),
    text: error ?? output,
  };
}
