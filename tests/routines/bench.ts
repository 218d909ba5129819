import type { Database } from "bun:sqlite";
import type { LogValue } from "../../src/core/log.ts";
import type { Routine, RoutineJob } from "../../src/routines/routine.ts";
import type { RunOutcome } from "../../src/routines/run.ts";
import { createScheduler, type SchedulerDeps } from "../../src/routines/scheduler.ts";
import { createRoutineRuns } from "../../src/store/routines/routines.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { memoryStore } from "../support/fresh-store.ts";
import type { FakeClock } from "./fake-clock.ts";

/** A routine that says hello at eight, with what a test wants otherwise. */
export function routine(change: Partial<Routine> = {}): Routine {
  return {
    name: "hello",
    source: "config",
    schedule: "0 8 * * *",
    timezone: "UTC",
    mode: "ask",
    task: "Say hello",
    channel: "none",
    misfire: "once",
    onlyIfChanged: false,
    enabled: true,
    caps: { runs: 0, tokens: 0, cost: 0 },
    ...change,
  };
}

/** The entry of a configuration that is read as this routine. */
export function toJob(it: Routine): RoutineJob {
  return {
    ...it,
    only_if_changed: it.onlyIfChanged,
    max_runs_per_day: it.caps.runs,
    max_tokens_per_day: it.caps.tokens,
    max_cost_per_day: it.caps.cost,
    watch: it.watch ?? "",
    trigger_secret: it.triggerSecret ?? "",
  };
}

/** A scheduler on a real database, with everything that happened to it. */
export function bench(
  clock: FakeClock,
  routines: readonly Routine[],
  change: Partial<SchedulerDeps> & { database?: Database } = {},
) {
  const database = change.database ?? memoryStore();
  const runs = createRoutineRuns(database);
  const started: string[] = [];
  const sent: string[] = [];
  const logged: string[] = [];
  const scheduler = createScheduler({
    routines: () => routines,
    texts: () => textsIn("en"),
    switchOff: (name, reason) => logged.push(`OFF ${name}: ${reason}`),
    runs,
    clock,
    log: (event: string, fields: Readonly<Record<string, LogValue>> = {}) => {
      logged.push(`${event} ${JSON.stringify(fields)}`);
    },
    deliver: async (channel, text) => {
      sent.push(`${channel}: ${text}`);
      return "delivered";
    },
    ...change,
    run: async (it, dueAt, signal): Promise<RunOutcome> => {
      started.push(`${it.name} ${new Date(dueAt).toISOString()}`);
      return (await change.run?.(it, dueAt, signal)) ?? { state: "ok", output: "done" };
    },
  });
  const states = (name = "hello") =>
    runs
      .list(name, 100)
      .toReversed()
      .map((run) => `${new Date(run.dueAt).toISOString().slice(5, 16)} ${run.state}`);
  return { scheduler, database, runs, started, sent, logged, states };
}

/** A signal for stops that may take as long as they need. */
export const patient = new AbortController().signal;
