import type { ErrorCode } from "../../core/error-codes.ts";
import { newId } from "../../core/ids.ts";
import type { PatchRefusal } from "../../patch/patch-result.ts";
import type { Problem } from "../../protocol/problem.ts";
import { contentIdOf } from "../../transaction/change-set.ts";
import { mostActionsIn } from "../../workspace/profile.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type ApplyContext, evaluateActions } from "../evaluate/evaluate.ts";
import { toPatchActions } from "./patch-actions.ts";
import type { ChangeDeps } from "./prepare.ts";

/** A unified diff of a person or a tool, about any number of files. */
export interface NamedPatch {
  readonly text: string;
  /** Where it is from, for the history: a file's name, or "-". */
  readonly name: string;
}

/** The stored plan of a patch, or why there is none. */
export type PatchPlan =
  | {
      readonly ok: true;
      readonly planId: string;
      /** Modes that the patch names and that are not set. */
      readonly modes: readonly { readonly path: string; readonly mode: string }[];
    }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
      readonly problems: readonly Problem[];
    };

/** Patches are actions of this version. */
const VERSION = 2;

/**
 * Stores a patch as a plan whose actions are known: what shows, checks, applies and undoes it is the
 * same as for the plans of models. It goes through the gates of their actions now, and again with each
 * use.
 */
export async function planPatch(
  { normalizeEol, records }: Pick<ChangeDeps, "normalizeEol" | "records">,
  workspace: Workspace,
  { text, name }: NamedPatch,
): Promise<PatchPlan> {
  const made = toPatchActions(workspace, text);
  if (!made.ok) return { ok: false, code: made.code, message: advise(made), problems: [] };
  const { actions, seen, modes } = made;
  const maxActions = await mostActionsIn(workspace);
  if (actions.length > maxActions) return tooMany(actions.length, maxActions);
  const context = {
    workspace,
    version: VERSION,
    normalizeEol,
    seen,
    whole: [],
    maxActions,
  } as const;
  const evaluated = evaluateActions(actions, context satisfies ApplyContext);
  if (!evaluated.ok) {
    const { code, problems = [] } = evaluated;
    return { ok: false, code, message: advise(evaluated), problems };
  }
  const planId = newId("plan");
  const goal = `patch ${name}`;
  const createdAt = records.clock.now();
  // Traces are about what authors were asked: here none was.
  const common = { planId, summary: goal, wholeFiles: [], traceId: "", createdAt };
  records.plans.savePlan({
    ...common,
    workspaceRoot: workspace.root,
    workspaceName: workspace.name,
    ...(workspace.entry !== undefined && { workspaceEntry: workspace.entry }),
    goal,
    protocolVersion: VERSION,
    messages: [],
    files: seen,
    contextStats: {},
  });
  const contentId = contentIdOf(evaluated.value.changes);
  records.plans.addChangeSet({ ...common, contentId, actions, attempts: [VERSION] });
  return { ok: true, planId, modes };
}

/** Who gave a patch can give less of it, which is no way out for a model. */
function advise({ code, message }: Pick<PatchRefusal, "code" | "message">): string {
  return code === "ERR_PROTECTED_PATH" ? `${message}; take its part out of the patch` : message;
}

/** What is the most important part of a patch its author does not leave to others. */
function tooMany(count: number, most: number): PatchPlan {
  const message = `Cannot apply the patch: it changes ${count} files, and at most ${most} may be changed here; split it, or raise max_actions of the workspace`;
  return { ok: false, code: "ERR_TOO_MANY_ACTIONS", message, problems: [] };
}
