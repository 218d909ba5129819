import type { Failure } from "../core/app-error.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { newId } from "../core/ids.ts";
import { renderUrl } from "../http/fetch-result.ts";
import type { Researcher } from "../research/research.ts";
import { isAutoUseOn } from "../store/auto-use.ts";
import { type OnlineChains, toChainKey } from "../store/online-chains.ts";
import type { ResearchStore, StoredResearch } from "../store/researches.ts";
import type { Settings } from "../store/settings.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type OnlineLimits, renderOnlineBlock } from "./context/online-block.ts";
import type { OnlineContext } from "./online-context.ts";
import { makePlan, type PlannerDeps, type PlanOptions, type PlanOutcome } from "./plan.ts";

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

/** What to research, what for, and for whom; a routine is nobody. */
export interface Wanted {
  readonly workspace: Workspace;
  readonly goal: string;
  readonly query: string;
  readonly userId?: string;
}

/** What research found for a goal, kept for one use, or why there is nothing. */
export type ResearchOutcome = { readonly ok: true; readonly found: StoredResearch } | Failure;

/** Failures that facts from the web may mend. */
const MENDABLE: ReadonlySet<ErrorCode> = new Set([
  "LLM_REQUEST_TIMEOUT",
  "ERR_JSON_PARSE",
  "ERR_JSON_EXTRACT",
  "ERR_SCHEMA_VALIDATION",
  "NEEDS_ONLINE_RESEARCH",
]);

/**
 * Plans, and where the plan fails in a way that facts may mend, suggests research or, where the
 * owner lets it, researches and plans once more. That happens once a day for a goal, so that
 * goals which fail in turns cannot go round in a circle.
 */
export async function planOnline(
  deps: PlannerDeps & { readonly online?: OnlineDeps },
  workspace: Workspace,
  goal: string,
  options: PlanOptions,
): Promise<PlanOutcome> {
  const first = await makePlan(deps, workspace, goal, options);
  const { online } = deps;
  if (first.ok || !online || options.online || !MENDABLE.has(first.code)) return first;
  const { userId } = options;
  const query = first.query ?? goal;
  const wanted = { workspace, goal, query, ...(userId !== undefined && { userId }) };
  if (online.autoUse && isAutoUseOn(online.settings, workspace.root)) {
    return chain({ ...deps, online }, first, wanted, options);
  }
  deps.log("ONLINE_FALLBACK_SUGGESTED", { reason: first.code, query });
  return { ...first, onlineSuggested: query };
}

/** Researches and plans again, unless that was done for this goal already. */
async function chain(
  deps: PlannerDeps & { readonly online: OnlineDeps },
  first: Extract<PlanOutcome, { ok: false }>,
  wanted: Wanted,
  options: PlanOptions,
): Promise<PlanOutcome> {
  const { online, clock } = deps;
  const { workspace, goal } = wanted;
  const key = toChainKey(workspace.root, goal);
  if (!online.chains.claim(key, clock.now())) return first;
  const researched = await researchGoal(deps, online, wanted, options.signal);
  if (!researched.ok) {
    online.chains.release(key);
    return { ...first, message: `${first.message}\n${researched.message}` };
  }
  const { found } = researched;
  const context = toOnlineContext(online.limits, found, first.code);
  const second = await makePlan(deps, workspace, goal, { ...options, online: context });
  return { ...second, autoUsed: found };
}

/** Researches for a goal and keeps what is found for one use. */
export async function researchGoal(
  { clock }: Pick<PlannerDeps, "clock">,
  { research, researches }: OnlineDeps,
  { workspace, goal, query, userId }: Wanted,
  signal: AbortSignal,
): Promise<ResearchOutcome> {
  const result = await research(query, signal);
  if (!result.ok) return result;
  const { usage: _, ...findings } = result.research;
  const found = {
    researchId: newId("res"),
    workspaceRoot: workspace.root,
    ...(userId !== undefined && { userId }),
    goal,
    query,
    findings,
    createdAt: clock.now(),
  };
  researches.save(found);
  return { ok: true, found };
}

/** Findings as context for one plan; `reason` is the failure that led to them. */
export function toOnlineContext(
  limits: OnlineLimits,
  { findings }: StoredResearch,
  reason?: ErrorCode,
): OnlineContext {
  const sources = findings.sources.slice(0, limits.maxSources).map(({ url }) => renderUrl(url));
  return { ...renderOnlineBlock(findings, limits), sources, ...(reason && { reason }) };
}
