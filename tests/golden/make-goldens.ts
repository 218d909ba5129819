import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "../../src/security/redact/redact.ts";
import { toGolden } from "../../src/trace/golden.ts";
import type { Trace } from "../../src/trace/trace.ts";
import { writeGolden } from "../../src/trace/write-golden.ts";
import { createScene, never, planIn, type Scene } from "../planner/planner-scene.ts";
import { CASES, type GoldenCase } from "./golden-cases.ts";

/**
 * The goldens of this repository: scripted authors, the real planner, its traces. They are made
 * anew with `UPDATE_GOLDEN=1 bun test tests/trace/golden.test.ts`; without it the test makes them
 * in a temporary folder and compares. A case that was renamed or dropped leaves its old files:
 * delete them by hand. Goldens of `papayu trace golden` stand beside these and are left alone.
 *
 * Gives the traces of all scenes.
 */
export async function makeGoldens(dir: string): Promise<readonly Trace[]> {
  const traces: Trace[] = [];
  for (const golden of CASES) traces.push(...(await makeGolden(dir, golden)));
  return traces;
}

async function makeGolden(dir: string, golden: GoldenCase): Promise<readonly Trace[]> {
  const { files, lines, goal, options, change } = golden;
  using scene = createScene(files, lines, options);
  const planId = await planIn(scene, goal);
  if (golden.mode === "apply") {
    for (const [path, text] of Object.entries(change)) writeFileSync(join(scene.root, path), text);
    await scene.operations.preview(planId, never);
  }
  const { workspace } = scene;
  const { redact } = createRedactor();
  const trace = toFixed(scene);
  writeGolden(dir, toGolden(trace, { workspace, maxActions: 15, redact }), golden.name);
  return scene.traces;
}

/** The last trace, without what depends on the machine: the context names its system. */
function toFixed({ traces }: Scene): Readonly<Record<string, unknown>> {
  const trace = traces.at(-1);
  if (trace?.mode !== "plan" && trace?.mode !== "apply") throw new Error("no trace of a planner");
  return {
    ...trace,
    context_stats: { ...trace.context_stats, context_total_chars: 4000 },
    input_chars: 8000,
  };
}
