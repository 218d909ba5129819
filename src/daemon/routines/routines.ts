export { createRoutines, keepUp, runCharged } from "./create-routines.ts";
export { createRoutineDeps, toPayer, toWorkId } from "./routine-deps.ts";
export { createRoutineService } from "./routine-service.ts";
export { createTrigger } from "./routine-triggers.ts";
export { createWork, type Work } from "./work.ts";
