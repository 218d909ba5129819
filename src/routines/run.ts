import type { AgentEvent } from "../channels/channel.ts";
import { errorMessage, toAppError } from "../core/app-error.ts";
import { sha256 } from "../core/sha256.ts";
import type { Routine } from "./routine.ts";

/** How one run went; `output` is for people, `error` says why it failed or was left out. */
export interface RunOutcome {
  readonly state: "ok" | "failed" | "skipped";
  readonly output: string;
  readonly error?: string;
  /** It failed before it did anything, and may do better in a while. */
  readonly isRetryable?: boolean;
  /** It was skipped for a cap, which people are told once a day. */
  readonly isCapped?: boolean;
  /** What the owner is shown instead of the output, with buttons. */
  readonly events?: readonly AgentEvent[];
}

/** What came of a task. */
export interface Performed {
  readonly ok: boolean;
  /** For people: the answer, or why there is none. */
  readonly text: string;
  /** One of the error codes. */
  readonly code?: string;
  /** Nothing was changed, asked or called: it can be tried again. */
  readonly isUntouched?: boolean;
  /** Trying again does not help, whatever its code says: a wrong key, say. */
  readonly isLasting?: true;
  readonly events?: readonly AgentEvent[];
}

/** What a routine may do by its mode, and where it remembers the workspace it saw. */
export interface RunDeps extends Readonly<Record<Routine["mode"], Perform>> {
  /** Changes exactly when what the routine watches does; undefined: it runs in any case. */
  changeMark(routine: Routine, signal: AbortSignal): Promise<string | undefined>;
  /** By the routine's name. */
  readonly seen: {
    get(routine: string): string | undefined;
    set(routine: string, fingerprint: string): void;
  };
}

/** Does a routine's task once. */
export type Perform = (routine: Routine, signal: AbortSignal) => Promise<Performed>;

/** Failures that may pass by themselves. */
const PASSING: ReadonlySet<string> = new Set(["LLM_REQUEST", "LLM_REQUEST_TIMEOUT", "unavailable"]);

/**
 * Runs a routine's task once; failures come back as an outcome and never throw.
 *
 * With `onlyIfChanged` a workspace that is as the last good run of the same task left it is
 * skipped before any model is asked.
 */
export async function runRoutine(
  routine: Routine,
  deps: RunDeps,
  signal: AbortSignal,
): Promise<RunOutcome> {
  let before: string | undefined;
  try {
    before = await fingerprint(routine, deps, signal);
  } catch (error) {
    const { code, message: text } = toAppError(error);
    return toFailure({ ok: false, text, code, isUntouched: true });
  }
  try {
    if (before !== undefined && before === deps.seen.get(routine.name)) {
      return { state: "skipped", output: "", error: "nothing changed since the last good run" };
    }
    const done = await perform(routine, deps, signal);
    if (!done.ok) return toFailure(done);
    // An apply changes the workspace itself; the others must not miss edits made while they ran.
    // What was applied stays applied when the workspace cannot be read again.
    const seen =
      routine.mode === "apply"
        ? await fingerprint(routine, deps, signal).catch(() => undefined)
        : before;
    if (seen !== undefined) deps.seen.set(routine.name, seen);
    return { state: "ok", output: done.text, ...(done.events && { events: done.events }) };
  } catch (error) {
    return { state: "failed", output: "", error: errorMessage(error) };
  }
}

/** What is thrown is no proof that nothing happened. */
async function perform(routine: Routine, deps: RunDeps, signal: AbortSignal): Promise<Performed> {
  try {
    return await deps[routine.mode](routine, signal);
  } catch (error) {
    const { code, message } = toAppError(error);
    return { ok: false, text: message, code };
  }
}

function toFailure({ text: error, code, isUntouched, isLasting }: Performed): RunOutcome {
  if (code === "LLM_BUDGET") return { state: "skipped", output: "", error, isCapped: true };
  const isRetryable = isUntouched === true && !isLasting && PASSING.has(code ?? "");
  return { state: "failed", output: "", error, ...(isRetryable && { isRetryable }) };
}

async function fingerprint(
  routine: Routine,
  deps: RunDeps,
  signal: AbortSignal,
): Promise<string | undefined> {
  const mark = await deps.changeMark(routine, signal);
  if (mark === undefined) return undefined;
  const { workspace, mode, task, input } = routine;
  return sha256(JSON.stringify([workspace, mode, task, mark, input]));
}
