import { errorMessage } from "../core/app-error.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { RoutineRuns } from "../store/routine-runs.ts";
import type { Routine } from "./routine.ts";
import type { RunOutcome } from "./run.ts";

/** A run that takes longer is told to stop. */
const RUN_TIMEOUT_MS = 300_000;

/** How long a stopped run may take to say how it ended. */
const STOP_GRACE_MS = 10_000;

const DELIVERY_TIMEOUT_MS = 30_000;

/** A running row older than this belongs to a process that is gone. */
export const RUN_LEASE_MS = RUN_TIMEOUT_MS + STOP_GRACE_MS + DELIVERY_TIMEOUT_MS;

/** What executing a claimed run takes. */
export interface ExecuteDeps {
  readonly runs: RoutineRuns;
  readonly run: (routine: Routine, dueAt: number, signal: AbortSignal) => Promise<RunOutcome>;
  readonly deliver: (
    channel: "telegram" | "terminal",
    text: string,
  ) => Promise<"delivered" | "queued" | "nobody">;
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
  const { name, channel } = routine;
  const startedAt = clock.now();
  if (!runs.begin(name, dueAt, startedAt, startedAt + RUN_LEASE_MS)) return;
  const outcome = await runBounded(routine, dueAt, deps, signal);
  const cut = signal.aborted && outcome.state === "failed";
  const notice = cut ? undefined : renderNotice(name, outcome, runs.lastOutcome(name));
  const end = { ...outcome, ...(cut && { state: "unknown" as const }) };
  const durationMs = clock.now() - startedAt;
  log("ROUTINE_DONE", {
    routine: name,
    state: end.state,
    duration_ms: durationMs,
    error: end.error,
  });
  if (notice === undefined || channel === "none") {
    return runs.finish(name, dueAt, clock.now(), { ...end, delivery: "none" });
  }
  runs.finish(name, dueAt, clock.now(), { ...end, delivery: "pending" });
  runs.setDelivery(name, dueAt, await deliver(name, channel, notice, deps));
}

/** A run that neither ends nor obeys its time-out counts as failed and is left behind. */
async function runBounded(
  routine: Routine,
  dueAt: number,
  { run, clock }: ExecuteDeps,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const timeout = new AbortController();
  const outcome = settle(() => run(routine, dueAt, AbortSignal.any([signal, timeout.signal])));
  const inTime = await within(outcome, RUN_TIMEOUT_MS, clock);
  if (inTime !== undefined) return inTime;
  timeout.abort(new Error("time-out"));
  const late = await within(outcome, STOP_GRACE_MS, clock);
  if (late?.state === "ok") return late;
  const error = `it took longer than ${RUN_TIMEOUT_MS / 1000} s and was stopped`;
  return { state: "failed", output: late?.output ?? "", error };
}

async function settle(run: () => Promise<RunOutcome>): Promise<RunOutcome> {
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

/** The message of a run; undefined is silence. A failure is news only after a good run. */
function renderNotice(
  name: string,
  { state, output, error }: RunOutcome,
  previous: "ok" | "failed" | undefined,
): string | undefined {
  if (state === "failed") {
    if (previous === "failed") return undefined;
    return `Routine "${name}" failed: ${error}\npapayu routine logs ${name} shows its runs`;
  }
  if (state === "ok" && previous === "failed") return `Routine "${name}" works again\n${output}`;
  return state === "ok" && output !== "" ? `Routine "${name}"\n${output}` : undefined;
}

async function deliver(
  name: string,
  channel: "telegram" | "terminal",
  text: string,
  deps: ExecuteDeps,
): Promise<"delivered" | "queued" | "nobody" | "failed" | "unknown"> {
  try {
    return (
      (await within(deps.deliver(channel, text), DELIVERY_TIMEOUT_MS, deps.clock)) ?? "unknown"
    );
  } catch (error) {
    deps.log("ROUTINE_DELIVERY_FAILED", { routine: name, channel, error: errorMessage(error) });
    return "failed";
  }
}
