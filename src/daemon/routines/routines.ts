export { createRoutines, keepUp, openRoutineService } from "./create-routines.ts";
export { createRoutineDeps, toPayer } from "./routine-deps.ts";
export { createTrigger } from "./routine-triggers.ts";
export { createWork, type Work } from "./work.ts";
