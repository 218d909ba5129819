export {
  createRoutines,
  createWork,
  keepUp,
  openRoutineService,
  type Work,
} from "./create-routines.ts";
export { createTrigger } from "./routine-triggers.ts";
