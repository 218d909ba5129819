import type { Clock } from "../core/clock.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { newId } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import type { ModelResponse } from "../protocol/schema-v2.ts";
import type { ChatMessage } from "../providers/provider.ts";
import type { PlanStore } from "../store/plans.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { answerWithRepair, type CallRecord, createCallRecord, type Verdict } from "./answer.ts";
import type { Author } from "./author.ts";
import { type Block, renderBlocks } from "./block.ts";
import { filesSeen, gatherContext } from "./context.ts";
import {
  addStats,
  type ContextLimits,
  type ContextStats,
  fitContext,
  NO_CONTEXT,
} from "./fit-context.ts";
import { judgePlan } from "./judge.ts";
import { contextMessages, planMessages } from "./prompts.ts";
import { serveRequests } from "./serve-requests.ts";
import type { TracePlanner } from "./trace-call.ts";

/** What planning needs; the same for plans and for applies. */
export interface PlannerDeps {
  readonly author: Author;
  readonly plans: PlanStore;
  readonly limits: ContextLimits;
  readonly trace: TracePlanner;
  readonly log: Log;
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

/** Rounds in which a model may ask for more context. */
const CONTEXT_ROUNDS = 2;

/** Makes and stores a plan: gathers context, asks, serves what is asked for, asks again. */
export async function makePlan(
  deps: PlannerDeps,
  workspace: Workspace,
  goal: string,
  signal: AbortSignal,
): Promise<PlanOutcome> {
  const traceId = newId("trace");
  const startedAt = deps.clock.now();
  const record = createCallRecord();
  const dialogue = await discuss(deps, workspace, goal, record, signal);
  const { verdict, messages, blocks, requestsServed, stats } = dialogue;
  const common = { requestsServed, protocolVersion: 2, traceId } as const;
  deps.trace(workspace, { traceId, mode: "plan", startedAt, record, stats, verdict });
  if (!verdict.ok) return { ok: false, code: verdict.code, message: verdict.message, ...common };

  const summary = verdict.value.summary?.trim() || goal;
  const planId = newId("plan");
  deps.plans.savePlan({
    planId,
    workspaceRoot: workspace.root,
    workspaceName: workspace.name,
    goal,
    summary,
    protocolVersion: 2,
    messages,
    files: filesSeen(blocks),
    traceId,
    createdAt: startedAt,
  });
  return { ok: true, planId, summary, ...common };
}

interface Dialogue {
  readonly verdict: Verdict<ModelResponse>;
  readonly messages: readonly ChatMessage[];
  readonly blocks: readonly Block[];
  readonly requestsServed: number;
  readonly stats: ContextStats;
}

async function discuss(
  deps: PlannerDeps,
  workspace: Workspace,
  goal: string,
  record: CallRecord,
  signal: AbortSignal,
): Promise<Dialogue> {
  const first = fit(await gatherContext(workspace, goal, signal), deps);
  let { blocks, stats } = first;
  let messages = planMessages(goal, renderBlocks(blocks));
  let requestsServed = 0;
  const cache = { blocks: new Map<string, Block>(), counts: record.cache };
  for (let round = 0; ; round++) {
    const request = { mode: "plan", goal, workspace, messages, signal } as const;
    const verdict = await answerWithRepair(deps.author, request, judgePlan, record, deps.log);
    const wanted = verdict.ok ? (verdict.value.context_requests ?? []) : [];
    if (wanted.length === 0 || round === CONTEXT_ROUNDS) {
      return { verdict, messages, blocks, requestsServed, stats };
    }
    const served = await serveRequests(workspace, wanted, { cache, log: deps.log, signal });
    const fresh = fit(
      served.filter((block) => !blocks.includes(block)),
      deps,
      stats,
    );
    requestsServed += wanted.length;
    blocks = blocks.concat(fresh.blocks);
    stats = addStats(stats, fresh.stats);
    messages = contextMessages(messages, record.lastText, renderBlocks(fresh.blocks));
  }
}

/** Fits blocks into what the limits leave after `used`. */
function fit(
  blocks: readonly Block[],
  deps: PlannerDeps,
  used: ContextStats = NO_CONTEXT,
): { readonly blocks: readonly Block[]; readonly stats: ContextStats } {
  const fitted = fitContext(blocks, {
    ...deps.limits,
    maxFiles: deps.limits.maxFiles - used.context_files_count,
    maxTotalChars: deps.limits.maxTotalChars - used.context_total_chars,
  });
  const { stats } = fitted;
  if (stats.context_files_dropped_count > 0 || stats.context_truncated_files_count > 0) {
    deps.log("CONTEXT_DIET_APPLIED", {
      files: stats.context_files_count,
      dropped: stats.context_files_dropped_count,
      truncated: stats.context_truncated_files_count,
      total_chars: stats.context_total_chars,
    });
  }
  return fitted;
}
