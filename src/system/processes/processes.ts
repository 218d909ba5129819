export { ignoresHangUp } from "./hang-up.ts";
export { hideMemory } from "./hide-memory.ts";
export { findTree, huntAfter, killLeftovers, killMarked, killTree, stopTree } from "./kill-tree.ts";
export { markRun } from "./list-processes.ts";
export { loadC } from "./load-c.ts";
export { isNamedRunning, nameProcess } from "./process-name.ts";
