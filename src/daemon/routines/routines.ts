export {
  createRoutines,
  createWork,
  keepUp,
  openRoutineService,
  type Work,
} from "./create-routines.ts";
export { dryRun } from "./dry-run.ts";
export { createTrigger } from "./routine-triggers.ts";
