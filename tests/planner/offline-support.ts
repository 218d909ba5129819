import { join } from "node:path";
import { applyPatch } from "diff";
import { type OfflineInput, planOffline } from "../../src/planner/offline/plan-offline.ts";
import type { Action } from "../../src/protocol/response.ts";
import { readProfile } from "../../src/workspace/profile.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

/** A goal that names no rule. */
export const GENERAL = "Add what a newcomer would miss";

type Options = Partial<Workspace> & Pick<OfflineInput, "language" | "year">;

/** Plans in an existing folder. */
export async function planIn(root: string, goal: string, options: Options = {}) {
  const { language, year, ...rules } = options;
  const limits = { checkTimeoutMs: 1000, maxActions: 0, protectedPaths: [] };
  const workspace: Workspace = { name: "w", root, check: "detect", ...limits, ...rules };
  const profile = await readProfile(root);
  return await planOffline({
    workspace,
    goal,
    profile,
    ...(language && { language }),
    ...(year && { year }),
  });
}

/** Plans in a fresh folder with these files. */
export async function plan(
  files: Readonly<Record<string, string>>,
  goal = GENERAL,
  options: Options = {},
) {
  using dir = tempDir();
  writeTree(dir.path, files);
  return await planIn(dir.path, goal, options);
}

/** Paths of all actions. */
export function paths(answer: { readonly actions: readonly Action[] }): readonly string[] {
  return answer.actions.map(({ path }) => path);
}

/** What an action writes to a path, or "". */
export function contentOf(answer: { readonly actions: readonly Action[] }, path: string): string {
  const action = answer.actions.find((each) => each.path === path);
  return action !== undefined && "content" in action ? action.content : "";
}

/** A project of JavaScript modules. */
export const NODE = { "package.json": JSON.stringify({ name: "shelf", type: "module" }) };
/** A module with the bug that the rules know. */
export const BUG =
  "export function sum(xs) {\n  let n = 0;\n  for (let i = 0; i <= xs.length; i++) n += xs[i].n;\n  return n;\n}\n";

/** Carries the actions out, simply. */
export async function perform(root: string, actions: readonly Action[]): Promise<void> {
  for (const action of actions) {
    const target = join(root, action.path);
    if (action.kind === "CREATE_FILE") writeTree(root, { [action.path]: action.content });
    if (action.kind !== "PATCH_FILE") continue;
    const patched = applyPatch(await Bun.file(target).text(), action.patch);
    if (patched === false) throw new Error("the patch does not apply");
    writeTree(root, { [action.path]: patched });
  }
}
