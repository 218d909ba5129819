import { AppError } from "../core/app-error.ts";
import type { Clock } from "../core/clock.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { newId } from "../core/ids.ts";
import type { MemoryPatch, ModelResponse } from "../protocol/response.ts";
import type { ProtocolVersion } from "../protocol/version.ts";
import type { StoredResearch } from "../store/online/online.ts";
import type { PlanStore } from "../store/plans.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { createCallRecord, type Verdict } from "./answer.ts";
import { filesSeen, filesSeenWhole } from "./context/context.ts";
import { type DiscussDeps, discuss, type OnlineContext } from "./discuss.ts";
import type { TracePlanner } from "./trace-call.ts";

/** Where the planner keeps what its calls gave. */
export interface PlanRecords {
  readonly plans: PlanStore;
  readonly trace: TracePlanner;
  readonly clock: Clock;
  /** Keeps what a model wants to be remembered; absent while the switch is off. */
  readonly remember?: (workspace: Workspace, patch: MemoryPatch) => void;
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
  | { readonly ok: true; readonly planId: string; readonly summary: string }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
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
  assertGoal(goal);
  const { protocolVersion: version = deps.protocolVersion, online, signal } = options;
  const { discussion: parts, records } = deps;
  const { redact } = parts.sources;
  const traceId = newId("trace");
  const startedAt = records.clock.now();
  const record = createCallRecord(version);
  const topic = { workspace, goal, version, ...(online && { online: online.block }) };
  const discussion = await discuss(parts, topic, record, signal);
  const verdict = toPlanVerdict(discussion.verdict);
  const { requestsServed, messages, blocks, cacheStats } = discussion;
  const contextStats = { ...discussion.contextStats };
  const call = { traceId, startedAt, record, verdict, contextStats };
  records.trace(workspace, { ...call, shown: { mode: "plan", blocks, cacheStats, online } });
  const onlineUsed = blocks.some(({ kind }) => kind === "online");
  const common = { requestsServed, protocolVersion: version, traceId, onlineUsed };
  if (!verdict.ok) {
    const { code, response } = verdict;
    const message = redact(verdict.message);
    const query = researchQuery(response?.summary ?? "");
    return { ok: false, code, message, ...(query !== undefined && { query }), ...common };
  }

  const { memory_patch: memory } = verdict.value;
  const summary = redact(verdict.value.summary?.trim() ?? "");
  if (memory) records.remember?.(workspace, memory);
  const planId = newId("plan");
  records.plans.savePlan({
    planId,
    workspaceRoot: workspace.root,
    workspaceName: workspace.name,
    ...(workspace.entry !== undefined && { workspaceEntry: workspace.entry }),
    goal,
    summary,
    protocolVersion: version,
    messages,
    files: filesSeen(blocks),
    wholeFiles: filesSeenWhole(blocks),
    contextStats,
    traceId,
    createdAt: startedAt,
  });
  return { ok: true, planId, summary, ...common };
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
  return /^\s*NEEDS_ONLINE_RESEARCH:\s*(.*)/u.exec(summary)?.[1]?.slice(0, MOST_QUERY_CHARS);
}

const MOST_QUERY_CHARS = 400;

function assertGoal(goal: string): void {
  if (goal.trim() === "") {
    throw new AppError("ERR_USAGE", "Cannot plan without a goal; say what shall change");
  }
  if (goal.length <= MOST_GOAL_CHARS) return;
  const message = `Cannot plan for a goal of ${goal.length} characters: at most ${MOST_GOAL_CHARS} are taken; put the text into a file of the workspace and name it`;
  throw new AppError("ERR_USAGE", message);
}
