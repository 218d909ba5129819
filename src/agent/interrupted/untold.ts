import { isInterrupted } from "../../core/interruption.ts";
import { isNamedRunning, nameProcess } from "../../system/processes/processes.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import type { AgentDeps, RequestContext } from "../deps.ts";
import { findLast, isCutOff } from "./begun-change.ts";

/**
 * Changes of which nobody was told how they ended, and that nobody asks for again: papa-yu ended
 * first, and a terminal or a program has no inbox. The next start reports them, and the session
 * reads them before its next answer.
 */
interface Untold {
  readonly key: string;
  readonly workId: string;
  /** The process that makes the change, by its name. */
  readonly runner: string;
  readonly isReported?: true;
}

type Place = Pick<RequestContext, "deps" | "speaker" | "workId" | "isKept">;

/** Notes that a change begins of which somebody has to be told. */
export function noteUntold({ deps, speaker, workId, isKept }: Place): void {
  if (isKept) return;
  const key = `${prefixOf(speaker.sessionId)}${workId}`;
  keep(deps, { key, workId, runner: nameProcess() });
}

/** Notes that they were. */
export function noteTold({ deps, speaker, workId, isKept }: Place): void {
  if (!isKept) deps.settings.remove(`${prefixOf(speaker.sessionId)}${workId}`);
}

/** Tells how a change ended; what is cut off hears nothing, and is told later. */
export async function tellOutcome(request: RequestContext, outcome: OutcomeView): Promise<void> {
  await request.emit({ kind: "outcome", outcome });
  if (!isInterrupted(request.signal)) noteTold(request);
}

/** Tells a session of its changes that an earlier process did not live to tell of. */
export async function tellUntold(request: RequestContext): Promise<void> {
  const { deps, speaker, isKept } = request;
  if (isKept) return;
  for (const { workId } of listLeft(deps, prefixOf(speaker.sessionId))) {
    const ended = findLast(deps, workId);
    if (ended) await tellOutcome({ ...request, workId }, ended.outcome);
  }
}

/** For the report of a start: how such changes ended, each once. */
export function reportUntold(deps: AgentDeps): readonly OutcomeView[] {
  return listLeft(deps, PREFIX).flatMap((untold) => {
    const ended = findLast(deps, untold.workId);
    if (!ended) deps.settings.remove(untold.key);
    // What was put back is reported as that.
    if (!ended || untold.isReported || isCutOff(ended.outcome)) return [];
    keep(deps, { ...untold, isReported: true });
    return [ended.outcome];
  });
}

function listLeft({ settings }: Pick<AgentDeps, "settings">, prefix: string): readonly Untold[] {
  const all = settings.below(prefix).map((value): Untold => JSON.parse(value));
  return all.filter(({ runner }) => runner !== nameProcess() && !isNamedRunning(runner));
}

function keep({ settings }: Pick<AgentDeps, "settings">, untold: Untold): void {
  settings.set(untold.key, JSON.stringify(untold));
}

const PREFIX = "untold.";

/** Quoted, so that no session's name is the beginning of another's. */
function prefixOf(sessionId: string): string {
  return `${PREFIX}${JSON.stringify(sessionId)}.`;
}
