import { isInterrupted } from "../../core/interruption.ts";
import type { ValueOf } from "../../store/settings/settings.ts";
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
  readonly id: string;
  readonly value: ValueOf<"untold.">;
}

type Place = Pick<RequestContext, "deps" | "speaker" | "workId" | "isKept">;

/** Notes that a change begins of which somebody has to be told. */
export function noteUntold({ deps, speaker, workId, isKept }: Place): void {
  if (isKept) return;
  const id = `${startOf(speaker.sessionId)}${workId}`;
  deps.settings.of("untold.").set(id, { workId, runner: nameProcess() });
}

/** Notes that they were. */
export function noteTold({ deps, speaker, workId, isKept }: Place): void {
  if (!isKept) deps.settings.of("untold.").remove(`${startOf(speaker.sessionId)}${workId}`);
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
  for (const { value } of listLeft(deps, startOf(speaker.sessionId))) {
    const { workId } = value;
    const ended = findLast(deps, workId);
    if (ended) await tellOutcome({ ...request, workId }, ended.outcome);
  }
}

/** For the report of a start: how such changes ended, each once. */
export function reportUntold(deps: AgentDeps): readonly OutcomeView[] {
  const untolds = deps.settings.of("untold.");
  return listLeft(deps, "").flatMap(({ id, value: untold }) => {
    const ended = findLast(deps, untold.workId);
    if (!ended) untolds.remove(id);
    // What was put back is reported as that.
    if (!ended || untold.isReported || isCutOff(ended.outcome)) return [];
    untolds.set(id, { ...untold, isReported: true });
    return [ended.outcome];
  });
}

function listLeft({ settings }: Pick<AgentDeps, "settings">, start: string): readonly Untold[] {
  const all = settings.of("untold.").below(start);
  const isLeft = (runner: string) => runner !== nameProcess() && !isNamedRunning(runner);
  return all.filter(({ value }) => isLeft(value.runner));
}

/** Quoted, so that no session's name is the beginning of another's. */
function startOf(sessionId: string): string {
  return `${JSON.stringify(sessionId)}.`;
}
