import { AppError } from "../core/app-error.ts";
import { setAutoUse } from "../store/auto-use.ts";
import type { StoredResearch } from "../store/researches.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { makePlan, type PlannerDeps, type PlanOutcome } from "./plan.ts";
import {
  type OnlineDeps,
  type ResearchOutcome,
  researchGoal,
  toOnlineContext,
  type Wanted,
} from "./plan-online.ts";

/** The use cases around what the web knows. */
export interface ResearchOperations {
  /** Looks for what a plan failed for, and keeps it for one use. */
  research(wanted: Wanted, signal: AbortSignal): Promise<ResearchOutcome>;
  /**
   * Plans the goal of a research once more, with what was found: once, and for who asked.
   * @throws AppError APPROVAL_INVALID for anybody else, and for a second time
   */
  planWithResearch(
    researchId: string,
    userId: string,
    signal: AbortSignal,
  ): Promise<{ readonly workspace: Workspace; readonly plan: PlanOutcome }>;
  /** Lets findings go into plans of that folder no more without asking. */
  stopAutoUse(researchId: string, userId: string): Promise<Workspace>;
}

/** What research needs beside the planner. */
export interface ResearchOperationsDeps extends PlannerDeps {
  readonly online?: OnlineDeps;
  /** The rules that hold in the folder of a stored plan. */
  readonly workspaceAt: (root: string) => Workspace;
}

/** Binds the use cases to their parts. */
export function createResearchOperations(deps: ResearchOperationsDeps): ResearchOperations {
  return {
    research: async (wanted, signal) => researchGoal(deps, needOnline(deps), wanted, signal),

    async planWithResearch(researchId, userId, signal) {
      const { researches, limits } = needOnline(deps);
      const { workspaceRoot } = own(researches.load(researchId), userId);
      const workspace = deps.workspaceAt(workspaceRoot);
      const found = researches.take(researchId);
      if (!found) throw invalid("These findings were used already; send the goal again");
      const online = toOnlineContext(limits, found);
      return { workspace, plan: await makePlan(deps, workspace, found.goal, { signal, online }) };
    },

    async stopAutoUse(researchId, userId) {
      const { researches, settings } = needOnline(deps);
      const { workspaceRoot } = own(researches.load(researchId), userId);
      setAutoUse(settings, workspaceRoot, false);
      return deps.workspaceAt(workspaceRoot);
    },
  };
}

function needOnline({ online }: ResearchOperationsDeps): OnlineDeps {
  if (online) return online;
  throw new AppError("unavailable", "Cannot research: set online_research.enabled = true");
}

/** A button works for the person whose goal it was. */
function own(found: StoredResearch | undefined, userId: string): StoredResearch {
  if (!found) throw invalid("These findings are gone; send the goal again");
  if (found.userId === userId) return found;
  throw invalid("Only the person who asked for this plan can press this");
}

function invalid(message: string): AppError {
  return new AppError("APPROVAL_INVALID", message);
}
