import { normalisePath } from "../core/relative-path.ts";
import type { Problem } from "./problem.ts";
import type { Action } from "./response.ts";

/** An action with the path that it really means. */
interface Target {
  readonly action: Action;
  readonly index: number;
  readonly path: string;
}

/**
 * Actions that cannot all be carried out: two on one path, however it is spelled, and one below
 * a path that another deletes or makes a file. The later action is the one that is named.
 * The same directory may be made twice, and a directory deleted along with what is in it.
 */
export function findConflicts(actions: readonly Action[]): readonly Problem[] {
  const targets = actions.flatMap((action, index): Target[] => {
    const normal = normalisePath(action.path);
    return normal.ok ? [{ action, index, path: normal.path }] : [];
  });
  const first = new Map<string, Target>();
  const problems: Problem[] = [];
  for (const target of targets) {
    const other = first.get(target.path);
    if (other === undefined) first.set(target.path, target);
    else if (!areSameDirectory(other, target)) problems.push(conflict(target, other, "is"));
  }
  for (const target of targets) {
    const parent = ancestors(target.path).map((path) => first.get(path));
    const other = parent.find((one) => one !== undefined && excludesChild(one, target));
    if (other !== undefined) problems.push(conflict(target, other, "lies below"));
  }
  return problems;
}

function areSameDirectory(a: Target, b: Target): boolean {
  return a.action.kind === "CREATE_DIR" && b.action.kind === "CREATE_DIR";
}

function ancestors(path: string): readonly string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, i) => segments.slice(0, i + 1).join("/"));
}

function excludesChild(parent: Target, child: Target): boolean {
  if (parent.action.kind === "CREATE_DIR") return false;
  const { kind } = child.action;
  const leaves = kind === "DELETE_FILE" || kind === "DELETE_DIR";
  return !(parent.action.kind === "DELETE_DIR" && leaves);
}

function conflict(target: Target, other: Target, relation: "is" | "lies below"): Problem {
  const { kind, path } = target.action;
  return {
    code: "ERR_ACTION_CONFLICT",
    actionIndex: target.index,
    path,
    message: `Cannot ${kind} "${path}": it ${relation} the path of actions[${other.index}], ${other.action.kind} "${other.action.path}"; one action for a path`,
  };
}
