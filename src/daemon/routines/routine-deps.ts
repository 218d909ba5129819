import { chatTurn } from "../../agent/chat.ts";
import type { AgentCore, PlanDeps, RequestContext, TurnDeps } from "../../agent/deps.ts";
import { filterEvent, filterMarkdown } from "../../agent/filter-event.ts";
import { receiveOutside } from "../../agent/gate/gate.ts";
import { findStayed, makeChange } from "../../agent/interrupted/interrupted.ts";
import {
  applyOffered,
  offerPlan,
  type SessionPlan,
  unlessNamedIn,
} from "../../agent/plans/plans.ts";
import type { AgentEvent, Speaker } from "../../channels/channel.ts";
import { toFixPathsLines } from "../../channels/checked-lines.ts";
import { renderOutcome, renderUnseen } from "../../channels/render-text.ts";
import { newId } from "../../core/ids.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { ApplyOptions, Operations } from "../../planner/operations.ts";
import type { PlanOutcome } from "../../planner/plan.ts";
import { whyNothing } from "../../protocol/why-nothing.ts";
import type { Routine } from "../../routines/routine.ts";
import type { Performed, RunDeps, RunOutcome } from "../../routines/run.ts";
import type { Texts } from "../../texts/texts.ts";
import { readChangeMark } from "./change-mark.ts";
import type { InForce } from "./host.ts";

/** Who can press what a routine shows in its channel; undefined: it shows text only. */
export type OwnerOf = (channel: Routine["channel"]) => Speaker | undefined;

/** What one run of a routine is found by in the journals: no routine is due twice at one instant. */
export function toWorkId({ name }: Pick<Routine, "name">, dueAt: number): string {
  return `routine:${name}:${dueAt}`;
}

/** A run, and for whom it is. */
export interface RunPlace {
  readonly workId?: string;
  readonly ownerOf?: OwnerOf;
}

/** What routines may do in a run, over the same use cases that people use. */
export function createRoutineDeps(current: InForce, place: RunPlace = {}): RunDeps {
  const { loaded } = current;
  const { core } = current.agent;
  const run = { ownerOf: () => undefined, workId: newId("run"), ...place };
  const places = {
    workspace: (name: string) => core.workspaces.get(name),
    allowedHosts: loaded.config.security.http_allowed_hosts,
  };
  const act = (perform: typeof ask) => async (routine: Routine, signal: AbortSignal) => {
    const done = await perform(current, run, routine, signal);
    const text = core.redact(done.text);
    // An answer's links were looked at while it was written; a plan and an error quote them as well.
    if (done.ok && perform === ask) return { ...done, text };
    return { ...done, text: filterMarkdown(text, core.security, routine.task) };
  };
  return {
    ask: act(ask),
    plan: act(plan),
    apply: act(apply),
    changeMark: (routine, signal) => readChangeMark(routine, places, signal),
    seen: core.settings.of("routine.fingerprint."),
  };
}

async function plan(
  current: InForce,
  run: Required<RunPlace>,
  routine: Routine,
  signal: AbortSignal,
): Promise<Performed> {
  const made = await makePlan(current.agent.plans, routine, signal);
  if (!made.ok) return toFailure(made);
  const nothing = whyNothing(made.summary);
  if (nothing !== undefined) return { ok: true, text: nothing };
  const shown = toShown(current, routine, made);
  const text = `${shown.summary}\n\n${current.texts().routines.planKept(shown.planId)}`;
  const stage = openStage(current, run, routine, signal);
  if (!stage) return { ok: true, text };
  await offerPlan(stage.request, current.agent.core, shown);
  return { ok: true, text, events: stage.events };
}

async function apply(
  current: InForce,
  run: Required<RunPlace>,
  routine: Routine,
  signal: AbortSignal,
): Promise<Performed> {
  const made = await makePlan(current.agent.plans, routine, signal);
  if (!made.ok) return toFailure(made);
  const stage = openStage(current, run, routine, signal);
  // A stranger's words may be behind it, and behind rules for agents the folder's.
  const mustAsk = routine.input === undefined ? unlessNamedIn(routine.task) : true;
  if (!stage) {
    const options = { signal, mustAsk, work: run.workId, isRoutine: true };
    return applyUnseen(current, made.planId, options);
  }
  const outcome = await applyOffered(
    stage.request,
    current.agent.plans,
    toShown(current, routine, made),
    {
      mustAsk,
    },
  );
  const done = toPerformed(outcome, made.planId, current.texts());
  return { ...done, ...(done.ok && { events: stage.events }) };
}

/** A plan as its owner is shown it. */
function toShown(
  { texts }: InForce,
  { workspace = "" }: Routine,
  { planId, summary, autoUsed }: Extract<PlanOutcome, { ok: true }>,
): SessionPlan {
  const used = autoUsed ? `\n\n${texts().routines.autoUsed(autoUsed.query)}` : "";
  return { planId, workspace, summary: summary + used };
}

/** Who a routine's spending is counted for. */
export function toPayer({ name }: Pick<Routine, "name">): string {
  return `routine:${name}`;
}

async function ask(
  { agent, texts }: InForce,
  { workId }: Required<RunPlace>,
  routine: Routine,
  signal: AbortSignal,
): Promise<Performed> {
  const { workspace } = routine;
  const speaker = { sessionId: newId("routine"), userId: "owner" };
  if (workspace !== undefined) {
    agent.core.sessions.update(
      speaker.sessionId,
      speaker.userId,
      { workspace },
      agent.core.clock.now(),
    );
  }
  const work = { id: workId, isKept: false };
  const request = { speaker, texts: texts(), emit: () => {}, signal, hasApprover: false, work };
  const { error, text, toolCalls } = await chatTurn(
    request,
    forRoutine(agent.turns),
    toTask(agent.core, routine),
  );
  if (!error) return { ok: true, text };
  const { code, message, isLasting } = error;
  const isUntouched = toolCalls.length === 0;
  return { ok: false, text: message, code, isUntouched, ...(isLasting && { isLasting }) };
}

function makePlan(
  { operations, core }: PlanDeps,
  routine: Routine,
  signal: AbortSignal,
): Promise<PlanOutcome> {
  return operations.plan(core.workspaces.get(routine.workspace), toTask(core, routine), {
    signal,
  });
}

/** What a webhook was sent is data for the task, never part of it. */
function toTask(core: AgentCore, { name, task, input }: Routine): string {
  if (input === undefined) return task;
  return `${task}\n\n${receiveOutside(core, input, { routine: name })}`;
}

/** The owner's own chat: what is shown there can be pressed as if they had asked for it. */
function openStage(
  { agent, texts }: InForce,
  { ownerOf, workId }: Required<RunPlace>,
  { channel }: Routine,
  signal: AbortSignal,
) {
  const speaker = ownerOf(channel);
  if (!speaker) return undefined;
  const events: AgentEvent[] = [];
  const emit = (event: AgentEvent) => {
    if (event.kind !== "progress") events.push(filterEvent(event, agent.core.security, ""));
  };
  const work = { id: workId, isKept: false };
  const own = { speaker, texts: texts(), hasApprover: true };
  const request: RequestContext = { ...own, emit, signal, work };
  return { request, events };
}

async function applyUnseen(
  { agent, texts }: InForce,
  planId: string,
  options: ApplyOptions & { readonly work: string },
): Promise<Performed> {
  const place = { work: { id: options.work }, signal: options.signal };
  const outcome = await makeChange(place, agent.core, { planId }, () =>
    agent.plans.operations.apply(planId, options),
  );
  return toPerformed(outcome, planId, texts());
}

/**
 * What a run came to that papa-yu ended before it could see; undefined: it changed nothing. Nobody takes it up
 * again: parts that it made of a larger goal are its end.
 */
export function recallRun(
  { agent, texts }: InForce,
  { workId = "", ownerOf = () => undefined }: RunPlace,
  { channel }: Pick<Routine, "channel">,
): RunOutcome | undefined {
  const ended = findStayed(agent.core, workId);
  if (!ended) return undefined;
  const { outcome, planId = "" } = ended;
  const { ok, text } = toPerformed(outcome, planId, texts());
  if (!ok) return { state: "failed", output: "", error: text };
  const owner = ownerOf(channel);
  if (owner && outcome.txId !== undefined)
    agent.core.settings.of("undo.").set(outcome.txId, owner.userId);
  const events = owner && [{ kind: "outcome", outcome } as const];
  return { state: "ok", output: text, ...(events && { events }) };
}

type Applied = Awaited<ReturnType<Operations["apply"]>>;

function toPerformed(outcome: Applied, planId: string, texts: Texts): Performed {
  const { ok, preview, errorCode: code, touched = false } = outcome;
  if (!preview) {
    const common = { ok, text: renderOutcome(outcome, texts), isUntouched: !touched };
    return { ...common, ...(code && { code }) };
  }
  const waits = texts.routines.waits(preview.changes.length, planId);
  const beyond = toFixPathsLines(preview.fixPaths, texts, toVisibleText);
  const unseen = preview.unseen ? [renderUnseen(preview, texts)] : [];
  return { ok: true, text: [waits, ...beyond, ...unseen].join("\n") };
}

function toFailure(failed: Extract<PlanOutcome, { ok: false }>): Performed {
  const { code, message, isLasting } = failed;
  const text = `${code}: ${message}`;
  return { ok: false, text, code, isUntouched: true, ...(isLasting && { isLasting }) };
}

/** Nobody watches: nothing that proposes, makes or changes routines, or stays in the memory. */
const WITHHELD: ReadonlySet<string> = new Set([
  "propose_changes",
  "routine",
  "config",
  "remember",
  "forget",
]);

function forRoutine(deps: TurnDeps): TurnDeps {
  return {
    ...deps,
    async toolsFor(...asked) {
      const tools = await deps.toolsFor(...asked);
      return tools.filter(({ schema }) => !WITHHELD.has(schema.name));
    },
  };
}
