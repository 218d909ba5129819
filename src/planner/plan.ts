import { AppError } from "../core/app-error.ts";
import type { Clock } from "../core/clock.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { newId } from "../core/ids.ts";
import type { PlanStore } from "../store/plans.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { createCallRecord } from "./answer.ts";
import { filesSeen } from "./context.ts";
import { type DiscussDeps, discuss } from "./discuss.ts";
import type { TracePlanner } from "./trace-call.ts";

/** What planning needs; the same for plans and for applies. */
export interface PlannerDeps extends DiscussDeps {
  readonly plans: PlanStore;
  readonly trace: TracePlanner;
  readonly clock: Clock;
}

/** A stored plan, or why there is none. */
export type PlanOutcome = {
  readonly requestsServed: number;
  readonly protocolVersion: 2;
  readonly traceId: string;
} & (
  | { readonly ok: true; readonly planId: string; readonly summary: string }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string }
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
  signal: AbortSignal,
): Promise<PlanOutcome> {
  assertGoal(goal);
  const traceId = newId("trace");
  const startedAt = deps.clock.now();
  const record = createCallRecord();
  const discussion = await discuss(deps, workspace, goal, record, signal);
  const { verdict, requestsServed } = discussion;
  deps.trace(workspace, { ...discussion, traceId, mode: "plan", startedAt, record });
  const common = { requestsServed, protocolVersion: 2, traceId } as const;
  if (!verdict.ok) return { ok: false, code: verdict.code, message: verdict.message, ...common };

  const summary = verdict.value.summary?.trim() ?? "";
  if (summary === "") {
    const message = "The model gave no plan: its last answer has no summary; ask again or say more";
    return { ok: false, code: "ERR_SCHEMA_VALIDATION", message, ...common };
  }
  const planId = newId("plan");
  deps.plans.savePlan({
    planId,
    workspaceRoot: workspace.root,
    workspaceName: workspace.name,
    goal,
    summary,
    protocolVersion: 2,
    messages: discussion.messages,
    files: filesSeen(discussion.blocks),
    traceId,
    createdAt: startedAt,
  });
  return { ok: true, planId, summary, ...common };
}

function assertGoal(goal: string): void {
  if (goal.trim() === "") {
    throw new AppError("ERR_USAGE", "Cannot plan without a goal; say what shall change");
  }
  if (goal.length <= MOST_GOAL_CHARS) return;
  const message = `Cannot plan for a goal of ${goal.length} characters: at most ${MOST_GOAL_CHARS} are taken; put the text into a file of the workspace and name it`;
  throw new AppError("ERR_USAGE", message);
}
