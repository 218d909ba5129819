import { createSandbox } from "../../../src/system/sandbox/sandbox.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import {
  CREATE,
  createScene,
  type Line,
  never,
  PLAN,
  planIn,
  type Scene,
  type SceneOptions,
} from "../planner-scene.ts";

/** Rules by which one script of a shell is the check. */
export const sh = (script: string): Partial<Workspace> => ({ check: [["sh", "-c", script]] });

/** Of all scenes of a test file, as a daemon has one: it is tried out at its first use. */
export const sandbox = createSandbox({ mode: "bwrap", env: process.env, hidden: [] });

/** A scene whose checks run in a view; the author adds docs/new.md. */
export function viewScene(
  rules: Partial<Workspace>,
  options: SceneOptions = {},
  answer: Line = CREATE,
): Scene {
  const files = { "a.txt": "one\ntwo\n", counter: "", ".gitignore": "cache/\n" };
  return createScene(files, [PLAN, answer, PLAN, answer], { rules, sandbox, ...options });
}

/** Plans, and looks at the change set. */
export async function show(scene: Scene) {
  const planId = await planIn(scene);
  const outcome = await scene.operations.preview(planId, never);
  if (!outcome.ok) throw new Error(outcome.message);
  const { preview } = outcome;
  return { planId, preview, approved: preview.changeSetId };
}

/** The same after its owner has seen what was found in the folder. */
export async function showSeen(scene: Scene) {
  await scene.operations.seeChecks((await show(scene)).planId);
  return show(scene);
}
