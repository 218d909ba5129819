import { AppError, type Failure } from "../../core/app-error.ts";
import type { ErrorCode } from "../../core/error-codes.ts";
import { newId } from "../../core/ids.ts";
import { renderUrl } from "../../http/fetch-result.ts";
import { cleanQuery } from "../../research/clean-query.ts";
import { joinFailures } from "../../research/join-failures.ts";
import type { Researcher } from "../../research/research.ts";
import type { ResearchStore, StoredResearch } from "../../store/online/online.ts";
import { isAutoUseOn, type OnlineChains, toChainKey } from "../../store/online/online.ts";
import type { Settings } from "../../store/settings/settings.ts";
import { Refusal } from "../../texts/texts.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type OnlineLimits, renderOnlineBlock } from "../context/context.ts";
import { makePlan, type PlannerDeps, type PlanOptions, type PlanOutcome } from "../plan.ts";

/** Research for plans; absent while `online_research.enabled` is off. */
export interface OnlineDeps {
  readonly research: Researcher;
  readonly limits: OnlineLimits;
  /** `online_research.auto_use_as_context`. */
  readonly autoUse: boolean;
  readonly chains: OnlineChains;
  readonly researches: ResearchStore;
  readonly settings: Settings;
}

/** The planner's parts where research is allowed. */
export interface OnlinePlannerDeps {
  readonly planner: PlannerDeps;
  readonly online: OnlineDeps;
}

/** What research needs; it may be switched off. */
export interface ResearchOperationsDeps extends Omit<OnlinePlannerDeps, "online"> {
  readonly online?: OnlineDeps;
}

/** What to research, what for, and for whom; a routine is nobody. */
export interface Wanted {
  readonly workspace: Workspace;
  readonly goal: string;
  readonly query: string;
  readonly userId?: string;
}

/** What research found for a goal, kept for one use, or why there is nothing. */
export type ResearchOutcome = { readonly ok: true; readonly found: StoredResearch } | Failure;

type FailedPlan = Extract<PlanOutcome, { readonly ok: false }>;

/** Failures that facts from the web may help to avoid; in all of them a model was at work. */
const RESEARCHABLE: ReadonlySet<ErrorCode> = new Set([
  "LLM_REQUEST_TIMEOUT",
  "ERR_JSON_PARSE",
  "ERR_JSON_EXTRACT",
  "ERR_SCHEMA_VALIDATION",
  "NEEDS_ONLINE_RESEARCH",
]);

/**
 * Plans, and where the plan fails in a way that facts may help to avoid, suggests research or, where the
 * owner lets it, researches and plans once more. That happens once a day for a goal, so that
 * goals which fail in turns cannot go round in a circle.
 */
export async function planOnline(
  deps: ResearchOperationsDeps,
  workspace: Workspace,
  goal: string,
  options: PlanOptions,
): Promise<PlanOutcome> {
  const { planner, online } = deps;
  if (options.isResearched) return planResearched(needOnline(deps), workspace, goal, options);
  const first = await makePlan(planner, workspace, goal, options);
  if (first.ok || !online || options.online || !RESEARCHABLE.has(first.code)) return first;
  const { userId } = options;
  const { sources, answers } = planner.discussion;
  const query = cleanQuery(first.query || goal, sources.redact);
  const wanted = { workspace, goal, query, ...(userId !== undefined && { userId }) };
  if (online.autoUse && isAutoUseOn(online.settings, workspace.root)) {
    const chained = await chain({ planner, online }, first, wanted, options);
    if (chained !== "spent") return chained;
  }
  answers.log("ONLINE_FALLBACK_SUGGESTED", { reason: first.code, query });
  return { ...first, onlineSuggested: query };
}

/** Researches and plans again; "spent": that was done for this goal already, a person may ask for more. */
async function chain(
  deps: OnlinePlannerDeps,
  first: FailedPlan,
  wanted: Wanted,
  options: PlanOptions,
): Promise<PlanOutcome | "spent"> {
  const { chains } = deps.online;
  const key = toChainKey(wanted.workspace.root, wanted.goal);
  if (!chains.claim(key, deps.planner.records.clock.now())) return "spent";
  try {
    const researched = await researchGoal(deps, wanted, options.signal);
    if (researched.ok) {
      return await useAtOnce(deps, wanted.workspace, researched.found, first, options);
    }
    // Free of charge so far: the goal may try again once the search works again.
    if (!RESEARCHABLE.has(researched.code)) chains.release(key);
    return { ...first, ...joinFailures(first, researched) };
  } finally {
    if (options.signal.aborted) chains.release(key);
  }
}

async function useAtOnce(
  deps: OnlinePlannerDeps,
  workspace: Workspace,
  found: StoredResearch,
  { code: reason }: FailedPlan,
  options: PlanOptions,
): Promise<PlanOutcome> {
  deps.online.researches.take(found.researchId);
  const second = await planWithFindings(deps, workspace, found, { ...options, reason });
  return { ...second, autoUsed: found };
}

/** The same parts, with research. @throws AppError unavailable where it is switched off */
export function needOnline({ planner, online }: ResearchOperationsDeps): OnlinePlannerDeps {
  if (online) return { planner, online };
  throw new Refusal("unavailable", ({ researchOff }) => researchOff);
}

async function planResearched(
  deps: OnlinePlannerDeps,
  workspace: Workspace,
  goal: string,
  options: PlanOptions,
): Promise<PlanOutcome> {
  const { discussion } = deps.planner;
  const query = cleanQuery(goal, discussion.sources.redact);
  const researched = await researchGoal(deps, { workspace, goal, query }, options.signal);
  if (!researched.ok) throw new AppError(researched.code, researched.message);
  const { found } = researched;
  deps.online.researches.take(found.researchId);
  return { ...(await planWithFindings(deps, workspace, found, options)), autoUsed: found };
}

/** Researches for a goal and keeps what is found for one use. */
export async function researchGoal(
  { planner, online }: OnlinePlannerDeps,
  { workspace, goal, query, userId }: Wanted,
  signal: AbortSignal,
): Promise<ResearchOutcome> {
  const result = await online.research(query, signal);
  if (!result.ok) return result;
  const { usage: _, ...findings } = result.research;
  const found = {
    researchId: newId("res"),
    workspaceRoot: workspace.root,
    ...(workspace.entry !== undefined && { workspaceEntry: workspace.entry }),
    ...(userId !== undefined && { userId }),
    goal,
    query,
    findings,
    createdAt: planner.records.clock.now(),
  };
  online.researches.save(found);
  return { ok: true, found };
}

/** Plans a goal with what was found for it; `reason` is the failure that caused it, if nobody asked for it. */
export function planWithFindings(
  { planner, online: { limits } }: OnlinePlannerDeps,
  workspace: Workspace,
  { goal, findings }: StoredResearch,
  options: PlanOptions & { readonly reason?: ErrorCode },
): Promise<PlanOutcome> {
  const { reason, ...rest } = options;
  const sources = findings.sources.slice(0, limits.maxSources).map(({ url }) => renderUrl(url));
  const online = { ...renderOnlineBlock(findings, limits), sources, ...(reason && { reason }) };
  // Research was done once; a second request for it would lead nowhere.
  const { discussion } = planner;
  const offers = { ...discussion.offers, research: false };
  return makePlan({ ...planner, discussion: { ...discussion, offers } }, workspace, goal, {
    ...rest,
    online,
  });
}
