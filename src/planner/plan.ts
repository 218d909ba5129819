import type { Clock } from "../core/clock.ts";
import { shorten } from "../core/cut-text.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { newId } from "../core/ids.ts";
import { MOST_APPLY_REQUESTS } from "../protocol/fallback.ts";
import type { MemoryPatch, ModelResponse } from "../protocol/response.ts";
import type { ProtocolVersion } from "../protocol/version.ts";
import { whyNothing } from "../protocol/why-nothing.ts";
import type { StoredResearch } from "../store/online/online.ts";
import type { GoalNote, PlannedBy, PlannedPart, PlanStore } from "../store/plans/plans.ts";
import { Refusal } from "../texts/texts.ts";
import type { PlannedSeries } from "../transaction/views.ts";
import { mostActionsIn } from "../workspace/profile.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type CallRecord, createCallRecord, type Verdict } from "./answer.ts";
import {
  type Block,
  cutIntoParts,
  filesSeen,
  filesSeenWhole,
  measureFiles,
  partLimits,
} from "./context/context.ts";
import { type DiscussDeps, type Discussion, discuss, type OnlineContext } from "./discuss.ts";
import { MOST_NOTES_CHARS, renderGoal } from "./prompts/prompts.ts";
import type { TracePlanner } from "./trace-call.ts";

/** Where the planner keeps what its calls gave. */
export interface PlanRecords {
  readonly plans: PlanStore;
  readonly trace: TracePlanner;
  readonly clock: Clock;
  /** Keeps what a model wants to be remembered; absent while the switch is off. */
  readonly remember?: (workspace: Workspace, patch: Readonly<Record<string, unknown>>) => void;
  /** Who pays for the work at hand; absent where nobody counts. */
  readonly payer?: () => NonNullable<PlannedBy["payer"]>;
}

/** Has what an author wants remembered kept: at once, or of one of several ways once that is made. */
export function rememberFor(
  { plans, remember }: PlanRecords,
  workspace: Workspace,
  planId: string,
  patch: MemoryPatch,
): void {
  if (remember && !plans.ways.keepPatch(planId, patch)) remember(workspace, patch);
}

/** Keeps what waited for the change set of a plan to be made. */
export function rememberMade(
  { plans, remember }: PlanRecords,
  workspace: Workspace,
  planId: string,
) {
  for (const patch of plans.ways.takePatches(planId)) remember?.(workspace, patch);
}

/** What planning needs. */
export interface PlannerDeps {
  readonly discussion: DiscussDeps;
  readonly records: PlanRecords;
  /** `protocol.version`, for calls that name none. */
  readonly protocolVersion: ProtocolVersion;
}

/** Options of a call for a plan. */
export interface PlanOptions {
  readonly signal: AbortSignal;
  readonly protocolVersion?: ProtocolVersion;
  /** Who may use what is researched for this plan. */
  readonly userId?: string;
  /** What research on the web found, for this plan only. */
  readonly online?: OnlineContext;
  /** What was said of plans for the goal before, the oldest first. */
  readonly notes?: readonly GoalNote[];
  /** It is one of several ways to its goal. */
  readonly way?: PlannedWay;
  /** Somebody wants the web asked first, whatever a plan without it would come to. */
  readonly isResearched?: boolean;
}

/** A plan as one of several ways to a goal. */
export interface PlannedWay {
  /** The one that was begun for it; without one it has a goal of its own for now. */
  readonly wayId?: number;
  /** What was planned before. */
  readonly tried?: Block;
}

/** A stored plan, or why there is none. */
export type PlanOutcome = {
  readonly requestsServed: number;
  readonly protocolVersion: ProtocolVersion;
  readonly traceId: string;
  /** Whether findings from the web were in its context. */
  readonly onlineUsed: boolean;
  /** The findings, when they were used without asking. */
  readonly autoUsed?: StoredResearch;
} & (
  | {
      readonly ok: true;
      readonly planId: string;
      readonly summary: string;
      /** Of a plan that is carried out part by part. */
      readonly row?: PlannedSeries;
    }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
      /** Trying again does not help, as with a wrong key. */
      readonly isLasting?: true;
      /** What the model wants to know from the web. */
      readonly query?: string;
      /** What research is suggested for; absent where it is off or was tried. */
      readonly onlineSuggested?: string;
    }
);

/** A goal leaves room for context; a longer text belongs into a file. */
const MOST_GOAL_CHARS = 40_000;

/**
 * Makes and stores a plan for a goal.
 *
 * @throws AppError ERR_USAGE for an empty or over-long goal, ERR_NOT_FOUND or ERR_IO when the
 * folder cannot be read, and the signal's reason when it ends before the author is asked
 */
export async function makePlan(
  deps: PlannerDeps,
  workspace: Workspace,
  goal: string,
  options: PlanOptions,
): Promise<PlanOutcome> {
  assertGoal(goal, options.notes?.at(-1));
  const { protocolVersion: version = deps.protocolVersion, online, signal, way, notes } = options;
  const { discussion: asking, records } = deps;
  const { redact } = asking.sources;
  const traceId = newId("trace");
  const startedAt = records.clock.now();
  const record = createCallRecord(version, records.clock.now);
  const beside = [...(online ? [online.block] : []), ...(way?.tried ? [way.tried] : [])];
  const topic = { workspace, goal: renderGoal(goal, notes), version, beside };
  const discussion = await discuss(asking, topic, record, signal);
  const verdict = toPlanVerdict(discussion.verdict);
  const { requestsServed, messages, blocks, cacheStats } = discussion;
  const contextStats = { ...discussion.contextStats };
  const call = { traceId, startedAt, record, verdict, contextStats };
  records.trace(workspace, { ...call, shown: { mode: "plan", blocks, cacheStats, online } });
  const onlineUsed = blocks.some(({ kind }) => kind === "online");
  const common = { requestsServed, protocolVersion: version, traceId, onlineUsed };
  if (!verdict.ok) {
    const { code, response, isLasting } = verdict;
    const message = redact(verdict.message);
    const query = researchQuery(response?.summary ?? "");
    const more = { ...(query !== undefined && { query }), ...(isLasting && { isLasting }) };
    return { ok: false, code, message, ...more, ...common };
  }

  const { memory_patch: memory } = verdict.value;
  const summary = redact(verdict.value.summary?.trim() ?? "");
  const planId = newId("plan");
  const isEmpty = whyNothing(summary) !== undefined;
  const parts = isEmpty ? [] : await cutBeyond(asking, workspace, discussion);
  const plan = {
    planId,
    workspaceRoot: workspace.root,
    workspaceName: workspace.name,
    ...(workspace.entry !== undefined && { workspaceEntry: workspace.entry }),
    goal,
    ...(notes && { notes }),
    summary,
    protocolVersion: version,
    messages,
    files: filesSeen(blocks),
    wholeFiles: filesSeenWhole(blocks),
    contextStats,
    traceId,
    createdAt: startedAt,
    ...(parts.length > 0 && { parts }),
  };
  records.plans.savePlan(plan, plannedBy(deps, record, options), way?.wayId);
  if (way) records.plans.ways.putOff(planId);
  if (memory) rememberFor(records, workspace, planId, memory);
  const row = parts.length > 0 ? { row: sizeOf(parts) } : {};
  return { ok: true, planId, summary, ...row, ...common };
}

/** Most parts of one plan: so many requests at least, and so many transactions. */
const MOST_PARTS = 40;

/** The parts of a plan over more files than one request can show; none where they fit after all. */
async function cutBeyond(
  { limits }: DiscussDeps,
  workspace: Workspace,
  { beyond = [] }: Discussion,
): Promise<readonly PlannedPart[]> {
  if (beyond.length < 2) return [];
  const most = partLimits(limits, await mostActionsIn(workspace));
  const parts = cutIntoParts(await measureFiles(workspace, beyond), most);
  if (parts.length > MOST_PARTS) {
    const { length } = parts;
    throw new Refusal("ERR_USAGE", ({ manyParts }) => manyParts(beyond.length, length, MOST_PARTS));
  }
  return parts.length < 2 ? [] : parts.map((paths) => ({ planId: newId("plan"), paths }));
}

function sizeOf(parts: readonly PlannedPart[]): PlannedSeries {
  const files = parts.reduce((sum, { paths }) => sum + paths.length, 0);
  return { files, parts: parts.length, mostRequests: parts.length * MOST_APPLY_REQUESTS };
}

/** Who wrote the last answer, for whom and at whose cost. */
function plannedBy(
  { discussion, records }: PlannerDeps,
  { last }: CallRecord,
  { userId }: PlanOptions,
): PlannedBy {
  const { name, model, temperature } = discussion.answers.author;
  const { provider, model: served } = last.servedBy ?? { provider: name, model };
  // A person's requests are paid for by whoever presses: what is nobody's goal has its own account.
  const payer = userId === undefined ? records.payer?.() : undefined;
  return {
    provider,
    model: served,
    ...(temperature !== undefined && { temperature }),
    ...(userId !== undefined && { userId }),
    ...(payer && { payer }),
  };
}

/** An answer that asks for research, or that says nothing, is no plan. */
function toPlanVerdict(verdict: Verdict<ModelResponse>): Verdict<ModelResponse> {
  if (!verdict.ok) return verdict;
  const { value: response } = verdict;
  const summary = response.summary?.trim() ?? "";
  if (summary === "") {
    const message = "The model gave no plan: its last answer has no summary; ask again or say more";
    return { ok: false, code: "ERR_SCHEMA_VALIDATION", stage: "schema", message, response };
  }
  const query = researchQuery(summary);
  if (query === undefined) return verdict;
  const topic = query === "" ? "" : `, on "${query}"`;
  const message = `The model cannot plan without facts from the web${topic}; put them into the goal or into a file that it names`;
  return { ok: false, code: "NEEDS_ONLINE_RESEARCH", message, response };
}

/** The query of an answer that asks for research instead of planning; "" where it names none. */
function researchQuery(summary: string): string | undefined {
  const query = /^\s*NEEDS_ONLINE_RESEARCH:\s*(.*)/u.exec(summary)?.[1];
  return query === undefined ? undefined : shorten(query, MOST_QUERY_CHARS);
}

const MOST_QUERY_CHARS = 400;

/** What was said before is cut where it is too long; what is said now is taken whole, or not at all. */
function assertGoal(goal: string, newest?: GoalNote): void {
  if (goal.trim() === "") {
    throw new Refusal("ERR_USAGE", ({ noGoal }) => noGoal);
  }
  for (const [{ length }, most] of [
    [goal, MOST_GOAL_CHARS],
    [newest?.said ?? "", MOST_NOTES_CHARS],
  ] as const) {
    if (length > most) throw new Refusal("ERR_USAGE", ({ longGoal }) => longGoal(length, most));
  }
}
