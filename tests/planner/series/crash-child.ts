import { openStore } from "../../../src/store/open/open-database.ts";
import { createPlanStore } from "../../../src/store/plans/plans.ts";
import { createVerificationStore } from "../../../src/store/verifications.ts";
import {
  bindOperations,
  createScene,
  never,
  type SceneParts,
  toWorkspace,
} from "../planner-scene.ts";
import { lookAgain } from "./series-scene.ts";

/** Applies a plan of the store, and is killed when so many of its parts are committed. */
const [root = "", database = "", planId = "", killAt = ""] = process.argv.slice(2);

using scene = createScene({}, []);
const store = openStore(database);
let commits = 0;
const parts: SceneParts = {
  ...scene.deps,
  plans: createPlanStore(store),
  verifications: createVerificationStore(store),
  workspaceAt: () => toWorkspace(root, { maxActions: 10 }),
  log: (event) => {
    if (event !== "APPLY_SUCCESS") return;
    commits += 1;
    if (commits === Number(killAt)) process.kill(process.pid, "SIGKILL");
  },
};
const operations = bindOperations(parts);
const { approved } = await lookAgain(planId, operations);
await operations.apply(planId, { approved, signal: never, work: "work-1" });
