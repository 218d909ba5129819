import type { Step } from "../../../src/transaction/views.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { viewSandbox } from "../../support/overlay.ts";
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

/** A scene whose checks run in a view; the author adds docs/new.md. */
export function viewScene(
  rules: Partial<Workspace>,
  options: SceneOptions = {},
  answer: Line = CREATE,
): Scene {
  const files = { "a.txt": "one\ntwo\n", counter: "", ".gitignore": "cache/\n" };
  return createScene(files, [PLAN, answer, PLAN, answer], {
    rules,
    sandbox: viewSandbox,
    ...options,
  });
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

/** What was begun while something ran, by its name; not what that printed, which comes as it likes. */
export function listen() {
  const begun: Step[] = [];
  const onProgress = (step: Step) => {
    if (typeof step === "string" || "part" in step) begun.push(step);
    else if ("check" in step) begun.push(step.check);
  };
  return { begun, onProgress };
}
