import { watch } from "node:fs";
import type { RoutinesOfChats } from "../../agent/deps.ts";
import type { Channel } from "../../channels/channel.ts";
import { errorMessage } from "../../core/app-error.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import type { Routine } from "../../routines/routine.ts";
import { createRoutineService } from "../../routines/routine-service.ts";
import { type RunDeps, type RunOutcome, runRoutine } from "../../routines/run.ts";
import { createScheduler, type RoutineStatus, type Scheduler } from "../../routines/scheduler.ts";
import { createRoutineRuns } from "../../store/routines/routines.ts";
import type { App } from "../app/app.ts";
import { createRoutineDeps, type OwnerOf, recallRun, toPayer, toWorkId } from "./routine-deps.ts";
import { createFileTriggers } from "./routine-triggers.ts";

/** The daemon's scheduler: what it runs is waited for by a stop, what it says goes to `channels`. */
export function createRoutines(app: App, channels: readonly Channel[], work: Work): Scheduler {
  const { routines, store, clock, log, redactor } = app;
  const find = (name: string) => channels.find((channel) => channel.name === name);
  const ownerOf: OwnerOf = (channel) => find(channel)?.owner?.();
  return createScheduler({
    routines: () => routines.list(),
    runs: createRoutineRuns(store),
    async run(routine, dueAt, signal) {
      // As it is configured now.
      const deps = createRoutineDeps(app, { workId: toWorkId(routine, dueAt), ownerOf });
      const outcome = await work.track(runCharged(app, routine, deps, signal));
      await app.ready(signal);
      return outcome;
    },
    recall: (routine, dueAt) =>
      recallRun(app, { workId: toWorkId(routine, dueAt), ownerOf }, routine),
    ready: app.ready,
    deliver: async (name, text, events) =>
      find(name)?.deliver(redactor.redact(text), events) ?? "nobody",
    switchOff: (name, reason) => void routines.turn(name, false, reason),
    texts: app.texts,
    clock,
    log,
  });
}

/**
 * The routines of an app for everybody who looks after them. Only a daemon has a scheduler, and so
 * knows which of them run.
 */
export function openRoutineService(
  app: App,
  scheduler?: Pick<Scheduler, "status">,
): RoutinesOfChats {
  const { routines: catalog, store, clock, log } = app;
  const isRunning = ({ state }: RoutineStatus) => state === "running";
  return createRoutineService({
    catalog,
    runs: createRoutineRuns(store),
    perform(routine, dueAt, signal, owner) {
      const place = { workId: toWorkId(routine, dueAt), ...(owner && { ownerOf: () => owner }) };
      return runCharged(app, routine, createRoutineDeps(app, place), signal);
    },
    ...(scheduler && {
      running: () =>
        new Set(
          scheduler
            .status()
            .filter(isRunning)
            .map(({ name }) => name),
        ),
    }),
    clock,
    log,
  });
}

/** One run of a routine, paid by it and within its caps. */
export function runCharged(
  { agent }: App,
  routine: Routine,
  deps: RunDeps,
  signal: AbortSignal,
): Promise<RunOutcome> {
  return agent.charge(toPayer(routine), () => runRoutine(routine, deps, signal), routine.caps);
}

/** Lets the daemon notice new routines and changed files, until stopped. */
export function keepUp(
  app: App,
  scheduler: Scheduler,
): {
  /** For changes that do not come by `state.db`: the configuration is another. */
  readonly changed: () => void;
  readonly stop: () => void;
} {
  const files = createFileTriggers(app, scheduler);
  const changed = () => {
    scheduler.wake();
    files.refresh();
  };
  const state = watchState(app.loaded.home, changed, app.log);
  files.refresh();
  return {
    changed,
    stop() {
      state.stop();
      files.stop();
    },
  };
}

/** What is written in quick succession is one change. */
const SETTLE_MS = 200;

/**
 * Calls `onChange` soon after anybody wrote to the database of `home`: a command beside the daemon
 * may have added a routine. The kernel tells; nothing is polled.
 */
function watchState(
  home: string,
  onChange: () => void,
  log: App["log"],
): { readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const settled = () => {
    timer = undefined;
    onChange();
  };
  try {
    const watcher = watch(home, (_event, file) => {
      if (file?.startsWith("state.db")) timer ??= setTimeout(settled, SETTLE_MS);
    });
    watcher.on("error", (error) => log("STATE_WATCH_FAILED", { error: errorMessage(error) }));
    return {
      stop() {
        clearTimeout(timer);
        watcher.close();
      },
    };
  } catch (error) {
    // The scheduler looks once a minute anyway.
    log("STATE_WATCH_FAILED", { error: errorMessage(error) });
    return { stop() {} };
  }
}

/** Work under way, whoever asked for it: a stop has to wait for it, and not for ever. */
export interface Work {
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when what runs now has ended, however it ended, or when `limit` aborts. */
  settled(limit: AbortSignal): Promise<void>;
}

/** Nothing under way. */
export function createWork(): Work {
  const running = new Set<Promise<unknown>>();
  return {
    track(work) {
      const forget = () => running.delete(work);
      running.add(work);
      work.then(forget, forget);
      return work;
    },
    async settled(limit) {
      await Promise.race([Promise.allSettled(running), untilAborted(limit)]);
    },
  };
}
