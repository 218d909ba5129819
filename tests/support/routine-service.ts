import { systemClock } from "../../src/core/clock.ts";
import { createCatalog } from "../../src/routines/catalog.ts";
import type { RoutineJob } from "../../src/routines/routine.ts";
import {
  createRoutineService,
  type RoutineServiceDeps,
} from "../../src/routines/routine-service.ts";
import { createRoutineRuns, createRoutineTable } from "../../src/store/routines/routines.ts";
import { silentLog } from "../support/silent-log.ts";
import { memoryStore } from "./fresh-store.ts";

/** The routines of a configuration with these jobs; what they come to is "done" unless a test says. */
export function routineService(
  jobs: readonly RoutineJob[],
  change: Partial<Omit<RoutineServiceDeps, "catalog">> = {},
) {
  const store = memoryStore();
  const { clock = systemClock } = change;
  const named = jobs.map(({ timezone = "", workspace = "", ...job }) => {
    return { ...job, timezone, workspace };
  });
  const config = () => ({ routines: { jobs: named }, workspaces: [] });
  const table = createRoutineTable(store);
  return createRoutineService({
    catalog: createCatalog({ config, table, now: () => clock.now() }),
    runs: createRoutineRuns(store),
    perform: async () => ({ state: "ok", output: "done" }),
    clock,
    log: silentLog,
    ...change,
  });
}
