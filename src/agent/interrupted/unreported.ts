import { isInterrupted } from "../../core/interruption.ts";
import type { ValueOf } from "../../store/settings/settings.ts";
import { isNamedRunning, nameProcess } from "../../system/processes/processes.ts";
import type { OutcomeView } from "../../transaction/views.ts";
import type { AgentCore, RequestContext } from "../deps.ts";
import { findLast, isCutOff } from "./begun-change.ts";

/**
 * Changes of which nobody was told how they ended, and that nobody asks for again: papa-yu ended
 * first, and a terminal or a program has no inbox. The next start reports them, and the session
 * reads them before its next answer.
 */
interface UnreportedChange {
  readonly id: string;
  readonly value: ValueOf<"untold.">;
}

type Place = Pick<RequestContext, "speaker" | "workId" | "isKept">;

/** Notes that a change begins of which somebody has to be told. */
export function noteUnreported(
  { speaker, workId, isKept }: Place,
  { settings }: Pick<AgentCore, "settings">,
): void {
  if (isKept) return;
  const id = `${startOf(speaker.sessionId)}${workId}`;
  settings.of("untold.").set(id, { workId, runner: nameProcess() });
}

/** Notes that they were. */
export function noteReported(
  { speaker, workId, isKept }: Place,
  { settings }: Pick<AgentCore, "settings">,
): void {
  if (!isKept) settings.of("untold.").remove(`${startOf(speaker.sessionId)}${workId}`);
}

/** Tells how a change ended; what is cut off hears nothing, and is told later. */
export async function tellOutcome(
  request: RequestContext,
  core: AgentCore,
  outcome: OutcomeView,
): Promise<void> {
  await request.emit({ kind: "outcome", outcome });
  if (!isInterrupted(request.signal)) noteReported(request, core);
}

/** Tells a session of its changes that an earlier process did not live to tell of. */
export async function tellUnreported(request: RequestContext, core: AgentCore): Promise<void> {
  const { speaker, isKept } = request;
  if (isKept) return;
  for (const { value } of listLeft(core, startOf(speaker.sessionId))) {
    const { workId } = value;
    const ended = findLast(core, workId);
    if (ended) await tellOutcome({ ...request, workId }, core, ended.outcome);
  }
}

/** For the report of a start: how such changes ended, each once. */
export function listUnreported(core: AgentCore): readonly OutcomeView[] {
  const unreported = core.settings.of("untold.");
  return listLeft(core, "").flatMap(({ id, value: change }) => {
    const ended = findLast(core, change.workId);
    if (!ended) unreported.remove(id);
    // What was put back is reported as that.
    if (!ended || change.isReported || isCutOff(ended.outcome)) return [];
    unreported.set(id, { ...change, isReported: true });
    return [ended.outcome];
  });
}

function listLeft(
  { settings }: Pick<AgentCore, "settings">,
  start: string,
): readonly UnreportedChange[] {
  const all = settings.of("untold.").below(start);
  const isLeft = (runner: string) => runner !== nameProcess() && !isNamedRunning(runner);
  return all.filter(({ value }) => isLeft(value.runner));
}

/** Quoted, so that no session's name is the beginning of another's. */
function startOf(sessionId: string): string {
  return `${JSON.stringify(sessionId)}.`;
}
