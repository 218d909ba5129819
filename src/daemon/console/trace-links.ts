import { isObject, parseJsonAs } from "../../core/guards.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { findTraced, type PlanStore } from "../../store/plans/plans.ts";
import { createVerificationStore } from "../../store/verifications.ts";
import { isCheckResult } from "../../transaction/change.ts";
import { contentIdOf } from "../../transaction/change-set.ts";
import { readOlder } from "../../transaction/journal/journal.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { App } from "../app/app.ts";
import { toCheck } from "./documents.ts";
import { createTimeline, toEntry } from "./timeline.ts";

/** The change of a trace is looked for among so many, the newest ones. */
const MOST_CHANGES = 200;

/** What is known beside a trace: its plan, the other request for that, its checks and its change. */
export interface TraceLinks {
  of(workspace: Workspace, traceId: string): Readonly<Record<string, unknown>>;
}

/** Links of traces, from plans as long as they are kept. */
export function createTraceLinks(
  app: Pick<App, "current" | "state">,
  plans: PlanStore,
): TraceLinks {
  const verifications = createVerificationStore(app.state.store);
  return {
    of(workspace, traceId) {
      const plan = findTraced(app.state.store, workspace.root, traceId);
      if (!plan) return {};
      const { planId, goal, traceId: planTrace, actionsTraceId } = plan;
      const stored = verifications.load(planId);
      const check =
        stored && parseJsonAs(stored.resultJson, isObject({ check: isCheckResult }))?.check;
      const made = plans.ofFolder(workspace.root).find((each) => each.planId === planId);
      const change =
        made &&
        readOlder(workspace, undefined, MOST_CHANGES).find(({ kind, changes }) => {
          if (kind !== "apply") return false;
          const id = contentIdOf(changes);
          return id === made.contentId || id === made.checkedId;
        });
      const behind = change && createTimeline(app, plans, workspace).facts([change]);
      return {
        goal: toVisibleText(goal),
        ...(planTrace !== "" && { plan_trace_id: planTrace }),
        ...(actionsTraceId !== "" && { actions_trace_id: actionsTraceId }),
        ...(check && { check: toCheck(check) }),
        ...(change && { transaction: toEntry(change, behind?.get(change.txId)) }),
      };
    },
  };
}
