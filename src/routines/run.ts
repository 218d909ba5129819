import { errorMessage } from "../core/app-error.ts";
import { sha256 } from "../core/sha256.ts";
import type { Routine } from "./routine.ts";

/** How one run went; `output` is for people, `error` says why it failed or was left out. */
export interface RunOutcome {
  readonly state: "ok" | "failed" | "skipped";
  readonly output: string;
  readonly error?: string;
}

/** What a routine may do, and where it remembers the workspace it saw. */
export interface RunDeps {
  /** One message to a fresh agent; its answer. */
  ask(task: string, workspace: string | undefined, signal: AbortSignal): Promise<string>;
  plan(
    workspace: string,
    goal: string,
    signal: AbortSignal,
  ): Promise<{ readonly ok: boolean; readonly text: string; readonly planId?: string }>;
  apply(
    workspace: string,
    goal: string,
    signal: AbortSignal,
  ): Promise<{ readonly ok: boolean; readonly text: string }>;
  /** Changes exactly when the workspace's files do. */
  fingerprint(workspace: string, signal: AbortSignal): Promise<string>;
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

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
  try {
    const before = await fingerprint(routine, deps, signal);
    const key = `routine.fingerprint.${routine.name}`;
    if (before !== undefined && before === deps.get(key)) {
      return { state: "skipped", output: "", error: "nothing changed since the last good run" };
    }
    const { ok, text } = await perform(routine, deps, signal);
    if (!ok) return { state: "failed", output: "", error: text };
    // An apply changes the workspace itself; the others must not miss edits made while they ran.
    // What was applied stays applied when the workspace cannot be read again.
    const seen =
      routine.mode === "apply"
        ? await fingerprint(routine, deps, signal).catch(() => undefined)
        : before;
    if (seen !== undefined) deps.set(key, seen);
    return { state: "ok", output: text };
  } catch (error) {
    return { state: "failed", output: "", error: errorMessage(error) };
  }
}

async function fingerprint(
  routine: Routine,
  deps: RunDeps,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!routine.onlyIfChanged || routine.workspace === undefined) return undefined;
  const files = await deps.fingerprint(routine.workspace, signal);
  return sha256(JSON.stringify([routine.workspace, routine.mode, routine.task, files]));
}

async function perform(
  { mode, task, workspace }: Routine,
  deps: RunDeps,
  signal: AbortSignal,
): Promise<{ ok: boolean; text: string }> {
  if (mode === "ask") return { ok: true, text: await deps.ask(task, workspace, signal) };
  if (workspace === undefined) throw new Error(`A routine with mode "${mode}" has no workspace`);
  switch (mode) {
    case "plan":
      return deps.plan(workspace, task, signal);
    case "apply":
      return deps.apply(workspace, task, signal);
    default:
      return mode satisfies never;
  }
}
