import type { AgentEvent } from "../channels/channel.ts";
import { errorMessage } from "../core/app-error.ts";
import type { Clock } from "../core/clock.ts";
import { isInterrupted } from "../core/interruption.ts";
import type { Log } from "../core/log.ts";
import type { RoutineRun, RoutineRuns } from "../store/routines/routines.ts";
import type { Texts } from "../texts/texts.ts";
import type { Routine } from "./routine.ts";
import type { RunOutcome } from "./run.ts";

/** A run that takes longer is told to stop, with all its tries. */
const RUN_TIMEOUT_MS = 300_000;

/** How long a stopped run may take to say how it ended. */
const STOP_GRACE_MS = 10_000;

const DELIVERY_TIMEOUT_MS = 30_000;

/** A running row older than this belongs to a process that is gone. */
export const RUN_LEASE_MS = RUN_TIMEOUT_MS + STOP_GRACE_MS + DELIVERY_TIMEOUT_MS;

/** Pauses before a run that did nothing is tried again. */
const RETRY_PAUSES_MS: readonly number[] = [5_000, 20_000, 60_000];

/** After so many failures in a row a routine is switched off. */
const MOST_FAILURES = 10;

const DAY_MS = 86_400_000;

/** What executing a claimed run takes. */
export interface ExecuteDeps {
  readonly runs: RoutineRuns;
  readonly run: (routine: Routine, dueAt: number, signal: AbortSignal) => Promise<RunOutcome>;
  /** What a run came to, when the journals know it of one that was cut off. */
  readonly recall?: (routine: Routine, dueAt: number) => RunOutcome | undefined;
  readonly deliver: (
    channel: "telegram" | "terminal",
    text: string,
    events?: readonly AgentEvent[],
  ) => Promise<"delivered" | "queued" | "nobody">;
  /** Switches a routine off that fails again and again. */
  readonly switchOff: (name: string, reason: string) => void;
  readonly texts: () => Texts;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Runs one claimed instant to its end: bounded, recorded, then delivered.
 *
 * A run that `signal` cuts short is recorded as unknown, as a crash would leave it.
 */
export async function execute(
  routine: Routine,
  dueAt: number,
  deps: ExecuteDeps,
  signal: AbortSignal,
): Promise<void> {
  const { runs, clock, log } = deps;
  const { name } = routine;
  const startedAt = clock.now();
  if (!runs.begin(name, dueAt, startedAt, startedAt + RUN_LEASE_MS)) return;
  const ended =
    overRunCap(routine, dueAt, deps) ?? (await runBounded(routine, dueAt, deps, signal));
  const known = isCutOff(ended, signal) ? deps.recall?.(routine, dueAt) : ended;
  const text = known && renderNotice(routine, known, deps);
  const error = isInterrupted(signal)
    ? "papa-yu stopped while it ran"
    : isStopped(signal)
      ? "it was stopped while it ran"
      : ended.error;
  const cutOff = { ...ended, state: "unknown", ...(error !== undefined && { error }) } as const;
  const end = known ?? cutOff;
  const durationMs = clock.now() - startedAt;
  log("ROUTINE_DONE", {
    routine: name,
    state: end.state,
    duration_ms: durationMs,
    error: end.error,
  });
  // Until papa-yu stops it waits for a disk that is full: what came of it must not be lost.
  const until = {
    get aborted() {
      return isInterrupted(signal);
    },
  };
  await settle(routine, dueAt, end, text, { ...deps, until });
}

/** The reason to end a run with that a person stops: nobody knows what it would have come to. */
export function stopped(): Error {
  return new StoppedError("a person stopped it");
}

class StoppedError extends Error {}

function isStopped({ reason }: AbortSignal): boolean {
  return reason instanceof StoppedError;
}

function isCutOff({ state }: RunOutcome, { aborted }: AbortSignal): boolean {
  return aborted && state === "failed";
}

/**
 * Records what a run came to that a crash cut off, where the journals know it, and tells it as if
 * it had just ended; false: nobody knows.
 */
export function settleRecalled(
  routine: Routine,
  { dueAt, cause }: Pick<RoutineRun, "dueAt" | "cause">,
  deps: ExecuteDeps,
): boolean {
  const known = deps.recall?.(routine, dueAt);
  if (!known) return false;
  // Who ran it by hand gets the result from that request.
  const isAsked = cause === "manual";
  const text = isAsked ? undefined : renderNotice(routine, known, deps);
  void settle(routine, dueAt, known, text, deps).catch((error: unknown) => {
    deps.log("ROUTINE_ERROR", { routine: routine.name, error: errorMessage(error) });
  });
  return true;
}

/** Records the end before anything is said, so that a crash in between repeats nothing. */
async function settle(
  routine: Routine,
  dueAt: number,
  end: Omit<RunOutcome, "state"> & { state: RunOutcome["state"] | "unknown" },
  notice: string | undefined,
  deps: ExecuteDeps & { readonly until?: Pick<AbortSignal, "aborted"> },
): Promise<void> {
  const { runs, clock, until } = deps;
  const { name, channel } = routine;
  const isDelivered = notice !== undefined && channel !== "none";
  const told = { ...end, delivery: isDelivered ? "pending" : "none" } as const;
  await runs.finish(name, dueAt, clock.now(), told, until);
  const text = switchOffFailing(routine, end, deps) ?? notice;
  if (text === undefined || channel === "none") return;
  runs.setDelivery(name, dueAt, await deliver(name, channel, text, end.events, deps));
}

/** What a run is refused for that would be one too many today. */
function overRunCap(
  { name, caps }: Routine,
  dueAt: number,
  { runs, clock }: ExecuteDeps,
): RunOutcome | undefined {
  const today = clock.now() - (clock.now() % DAY_MS);
  if (caps.runs === 0 || runs.countStarted(name, today, dueAt) < caps.runs) return undefined;
  const error = `max_runs_per_day = ${caps.runs} is reached; it runs again after midnight UTC`;
  return { state: "skipped", output: "", error, isCapped: true };
}

/** A run that neither ends nor obeys its time-out counts as failed and is left behind. */
async function runBounded(
  routine: Routine,
  dueAt: number,
  { run, clock }: ExecuteDeps,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const timeout = new AbortController();
  const ended = AbortSignal.any([signal, timeout.signal]);
  const outcome = runWithRetries(() => run(routine, dueAt, ended), clock, ended);
  const inTime = await within(outcome, RUN_TIMEOUT_MS, clock);
  if (inTime !== undefined) return inTime;
  timeout.abort(new Error("time-out"));
  const late = await within(outcome, STOP_GRACE_MS, clock);
  if (late?.state === "ok") return late;
  const error = `it took longer than ${RUN_TIMEOUT_MS / 1000} s and was stopped`;
  return { state: "failed", output: late?.output ?? "", error };
}

/** Only what says of itself that nothing happened yet is tried again. */
async function runWithRetries(
  run: () => Promise<RunOutcome>,
  clock: Clock,
  signal: AbortSignal,
): Promise<RunOutcome> {
  for (const pauseMs of RETRY_PAUSES_MS) {
    const outcome = await caught(run);
    if (!outcome.isRetryable || signal.aborted) return outcome;
    await clock.sleep(pauseMs, signal).catch(() => undefined);
    if (signal.aborted) return outcome;
  }
  return caught(run);
}

async function caught(run: () => Promise<RunOutcome>): Promise<RunOutcome> {
  try {
    return await run();
  } catch (error) {
    return { state: "failed", output: "", error: errorMessage(error) };
  }
}

/** What `work` comes to, or undefined when it takes longer. */
async function within<T>(work: Promise<T>, ms: number, clock: Clock): Promise<T | undefined> {
  const done = new AbortController();
  const late = clock.sleep(ms, done.signal).then(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}

/** What was before the routine is as it is now says nothing of it; nor does a clock that was ahead. */
function countsFrom({ name, countsSince = 0 }: Routine, { runs, clock }: ExecuteDeps): number {
  const marks = [countsSince, runs.watchedSince(name) ?? 0];
  return Math.max(0, ...marks.filter((at) => at <= clock.now()));
}

/** The message of a run; undefined is silence. A failure is news only after a good run. */
function renderNotice(
  routine: Routine,
  { state, output, error = "", isCapped, events }: RunOutcome,
  deps: ExecuteDeps,
): string | undefined {
  const { runs, clock, texts } = deps;
  const { name } = routine;
  const previous = runs.lastOutcome(name, countsFrom(routine, deps));
  const said = texts().routines;
  switch (state) {
    case "failed":
      return previous === "failed" ? undefined : said.failed(name, error);
    case "skipped": {
      const today = clock.now() - (clock.now() % DAY_MS);
      if (!isCapped || runs.wasSkipReported(name, today)) return undefined;
      return said.capped(name, error);
    }
    case "ok":
      if (events) return said.shown(name);
      if (previous === "failed") return said.worksAgain(name, output);
      return output === "" ? undefined : said.result(name, output);
    default:
      return state satisfies never;
  }
}

/** The one message of a routine that failed too often in a row, once it is switched off. */
function switchOffFailing(
  routine: Routine,
  { state, error = "" }: { readonly state: string; readonly error?: string },
  deps: ExecuteDeps,
): string | undefined {
  const { runs, switchOff, texts, log } = deps;
  const { name } = routine;
  if (state !== "failed") return undefined;
  if (runs.failuresInARow(name, countsFrom(routine, deps)) < MOST_FAILURES) return undefined;
  switchOff(name, `it failed ${MOST_FAILURES} times in a row`);
  log("ROUTINE_SWITCHED_OFF", { routine: name, failures: MOST_FAILURES });
  return texts().routines.switchedOff(name, MOST_FAILURES, error);
}

async function deliver(
  name: string,
  channel: "telegram" | "terminal",
  text: string,
  events: readonly AgentEvent[] | undefined,
  deps: ExecuteDeps,
): Promise<"delivered" | "queued" | "nobody" | "failed" | "unknown"> {
  try {
    const sent = deps.deliver(channel, text, events);
    return (await within(sent, DELIVERY_TIMEOUT_MS, deps.clock)) ?? "unknown";
  } catch (error) {
    deps.log("ROUTINE_DELIVERY_FAILED", { routine: name, channel, error: errorMessage(error) });
    return "failed";
  }
}
