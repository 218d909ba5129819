export {
  createRoutines,
  createWork,
  keepUp,
  openRoutineService,
  type Work,
} from "./create-routines.ts";
export { createRoutineDeps, toPayer } from "./routine-deps.ts";
export { createTrigger } from "./routine-triggers.ts";
