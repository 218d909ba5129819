import type { Agent, RoutinesOfChats } from "../../agent/deps.ts";
import type { Channel } from "../../channels/channel.ts";
import type { Company } from "../../channels/telegram/telegram-channel.ts";
import { watchFiles } from "../../config/watch-files.ts";
import { errorMessage } from "../../core/app-error.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import type { Routine } from "../../routines/routine.ts";
import { createRoutineService } from "../../routines/routine-service.ts";
import { type RunDeps, type RunOutcome, runRoutine } from "../../routines/run.ts";
import { createScheduler, type RoutineStatus, type Scheduler } from "../../routines/scheduler.ts";
import { statePath } from "../../store/open/open.ts";
import { createRoutineRuns } from "../../store/routines/routines.ts";
import { createFileTriggers, type FileTriggerHost, type HowWatched } from "./file-triggers.ts";
import type { RoutineHost } from "./host.ts";
import { createRoutineDeps, type OwnerOf, recallRun, toPayer, toWorkId } from "./routine-deps.ts";

/** The daemon's scheduler: what it runs is waited for by a stop, what it says goes to `channels`. */
export function createRoutines(
  { current, state, routines, clock, log }: RoutineHost,
  channels: readonly Channel[],
  work: Work,
): Scheduler {
  const find = (name: string) => channels.find((channel) => channel.name === name);
  const ownerOf: OwnerOf = (channel) => find(channel)?.owner?.();
  return createScheduler({
    routines: () => routines.list(),
    // How a run ended must not be lost: not even a full disk ends the wait for it.
    runs: createRoutineRuns(state.store, (write, signal) =>
      state.commit(write, { isLasting: true, ...(signal && { signal }) }),
    ),
    async run(routine, dueAt, signal) {
      // As it is configured now.
      const deps = createRoutineDeps(current, { workId: toWorkId(routine, dueAt), ownerOf });
      const outcome = await work.track(() => runCharged(current.agent, routine, deps, signal));
      await state.ready(signal);
      return outcome;
    },
    recall: (routine, dueAt) =>
      recallRun(current, { workId: toWorkId(routine, dueAt), ownerOf }, routine),
    ready: state.ready,
    deliver: async (name, text, events) =>
      find(name)?.deliver(current.agent.core.redact(text), events) ?? "nobody",
    switchOff: (name, reason) => void routines.turn(name, false, reason),
    texts: current.texts,
    clock,
    log,
  });
}

/**
 * The routines of a home for everything that manages them. Only a daemon has a scheduler, and so
 * knows which of them run.
 */
export function openRoutineService(
  { current, state, routines: catalog, clock, log }: RoutineHost,
  scheduler?: Pick<Scheduler, "status" | "end" | "settleDead" | "runs">,
): RoutinesOfChats {
  const isRunning = (routine: RoutineStatus) => routine.state === "running";
  return createRoutineService({
    catalog,
    runs: scheduler?.runs ?? createRoutineRuns(state.store),
    perform(routine, dueAt, signal, asker) {
      const workId = toWorkId(routine, dueAt);
      asker?.begin(workId);
      const place = { workId, ...(asker && { ownerOf: () => asker.owner }) };
      return runCharged(current.agent, routine, createRoutineDeps(current, place), signal);
    },
    async dry(routine, signal) {
      const { dryRun } = await import("./dry-run.ts"); // few ask for it
      return dryRun({ current, state }, routine, signal);
    },
    ...(scheduler && {
      end: (name: string) => scheduler.end(name),
      settleDead: scheduler.settleDead,
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
  agent: Agent,
  routine: Routine,
  deps: RunDeps,
  signal: AbortSignal,
): Promise<RunOutcome> {
  return agent.charge(toPayer(routine), () => runRoutine(routine, deps, signal), routine.caps);
}

/** Lets the daemon notice new routines and changed files, until stopped. */
export function keepUp(
  host: FileTriggerHost & Pick<RoutineHost, "clock">,
  scheduler: Pick<Scheduler, "wake" | "trigger" | "postpone">,
  how?: HowWatched,
): {
  /** For changes that do not come by `state.db`: the configuration is another. */
  readonly changed: () => void;
  readonly stop: () => void;
} {
  const files = createFileTriggers(host, scheduler, how);
  const changed = () => {
    scheduler.wake();
    files.refresh();
  };
  const halt = new AbortController();
  watchState(host, changed, halt.signal);
  files.refresh();
  return {
    changed,
    stop() {
      halt.abort();
      files.stop();
    },
  };
}

/** A routine that a command added is noticed within so long; the first instant of one is a minute away. */
const STATE_LOOK_MS = 1000;

/**
 * Calls `onChange` soon after anybody wrote to the database: a command next to the daemon may have
 * added a routine. The kernel would tell of each page that a message writes, too.
 */
function watchState(
  { current, clock, log }: Pick<RoutineHost, "current" | "clock" | "log">,
  onChange: () => void,
  signal: AbortSignal,
): void {
  const path = statePath(current.loaded.home);
  const files = () => [path, `${path}-wal`];
  // The scheduler looks once a minute anyway.
  const survive = (error: unknown) => log("STATE_WATCH_FAILED", { error: errorMessage(error) });
  // A list that cannot be read now can be when somebody writes again.
  const look = async () => {
    try {
      onChange();
    } catch (error) {
      log("ROUTINE_ERROR", { routine: "", error: errorMessage(error) });
    }
  };
  watchFiles(files, look, { clock, signal, everyMs: STATE_LOOK_MS }).catch(survive);
}

/** Work under way, whoever asked for it: a stop has to wait for it, and not for ever. */
export interface Work {
  /** Begins work that a channel, or nobody of them, asked for. */
  track<T>(begin: () => Promise<T>, channel?: string): Promise<T>;
  /** Resolves when what runs now has ended, however it ended, or when `limit` aborts. */
  settled(limit: AbortSignal): Promise<void>;
  /** All of it that one channel did not ask for. */
  beside(channel: string): Company;
}

/** Nothing under way. */
export function createWork(): Work {
  const running = new Map<Promise<unknown>, string | undefined>();
  const listeners = new Map<string, () => void>();
  return {
    track(begin, asker) {
      for (const [channel, joined] of listeners) if (channel !== asker) joined();
      const work = begin();
      const forget = () => running.delete(work);
      running.set(work, asker);
      work.then(forget, forget);
      return work;
    },
    async settled(limit) {
      await Promise.race([Promise.allSettled(running.keys()), untilAborted(limit)]);
    },
    beside: (channel) => ({
      isThere: () => running.values().some((asker) => asker !== channel),
      onJoin: (joined) => void listeners.set(channel, joined),
    }),
  };
}
