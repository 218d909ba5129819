import type { StoredResearch } from "../../store/online/online.ts";
import { isAutoUseOn, setAutoUse } from "../../store/online/online.ts";
import { Refusal, type Say } from "../../texts/texts.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { FolderOf } from "../open-folder.ts";
import type { PlanOutcome } from "../plan.ts";
import {
  needOnline,
  planWithFindings,
  type ResearchOperationsDeps,
  type ResearchOutcome,
  researchGoal,
  type Wanted,
} from "./plan-online.ts";

/** Whether findings go into plans of a folder unasked; the configuration may forbid it. */
export type AutoUse = "on" | "off" | "forbidden";

/** The use cases around what the web knows. */
export interface ResearchOperations {
  /** Looks for what a plan failed for, and keeps it for one use. */
  research(wanted: Wanted, signal: AbortSignal): Promise<ResearchOutcome>;
  /**
   * Plans the goal of a research once more, with what was found: once, and for who asked. One
   * that is cancelled does not count, nor one that a crash cut off and that comes again.
   * @throws AppError APPROVAL_INVALID for anybody else, and for a second time
   */
  planWithResearch(
    researchId: string,
    userId: string,
    signal: AbortSignal,
    isAgain?: boolean,
  ): Promise<{ readonly workspace: Workspace; readonly plan: PlanOutcome }>;
  /** @throws AppError APPROVAL_INVALID for anybody but who asked for the findings */
  checkResearch(researchId: string, userId: string): Promise<void>;
  /**
   * Lets findings go into plans of that research's folder no more without asking.
   * @throws AppError APPROVAL_INVALID for anybody but who asked
   */
  stopAutoUse(researchId: string, userId: string): Promise<void>;
  /** What holds in a folder, after setting it where `isOn` is given. */
  autoUse(workspace: Workspace, isOn?: boolean): Promise<AutoUse>;
}

/** Binds the use cases to their parts; `openFolder` gives the rules that hold in a folder now. */
export function createResearchOperations(
  deps: ResearchOperationsDeps,
  openFolder: (bound: FolderOf) => Workspace,
): ResearchOperations {
  return {
    research: async (wanted, signal) => researchGoal(needOnline(deps), wanted, signal),

    async planWithResearch(researchId, userId, signal, isAgain = false) {
      const online = needOnline(deps);
      const { researches } = online.online;
      const stored = own(researches.load(researchId), userId);
      const workspace = openFolder(stored);
      if (isAgain) researches.giveBack(researchId);
      const found = researches.take(researchId);
      if (!found) throw new Refusal("APPROVAL_INVALID", ({ findingsUsed }) => findingsUsed);
      let plan: PlanOutcome | undefined;
      try {
        plan = await planWithFindings(online, workspace, found, { signal });
        return { workspace, plan };
      } finally {
        if (!plan?.ok && signal.aborted) researches.giveBack(researchId);
      }
    },

    async checkResearch(researchId, userId) {
      const { researches } = needOnline(deps).online;
      own(researches.load(researchId), userId);
    },

    async stopAutoUse(researchId, userId) {
      const { researches, settings } = needOnline(deps).online;
      const gone: Say = ({ findingsGoneOff }) => findingsGoneOff;
      const found = own(researches.load(researchId), userId, gone);
      setAutoUse(settings, found.workspaceRoot, false);
    },

    async autoUse({ root }, isOn) {
      const { online } = deps;
      if (!online) return "forbidden";
      if (isOn !== undefined) setAutoUse(online.settings, root, isOn);
      if (!online.autoUse) return "forbidden";
      return isAutoUseOn(online.settings, root) ? "on" : "off";
    },
  };
}

/** A button works for the person whose goal it was. */
function own(
  found: StoredResearch | undefined,
  userId: string,
  gone: Say = ({ findingsGone }) => findingsGone,
): StoredResearch {
  if (!found) throw new Refusal("APPROVAL_INVALID", gone);
  if (found.userId === userId) return found;
  throw new Refusal("APPROVAL_INVALID", ({ notYourPlan }) => notYourPlan);
}
