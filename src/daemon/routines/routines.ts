export {
  createRoutines,
  createWork,
  keepUp,
  openRoutineService,
  type Work,
} from "./create-routines.ts";
export { createOneHome, type Holder, type OneHome } from "./one-home.ts";
export { createTrigger } from "./routine-triggers.ts";
