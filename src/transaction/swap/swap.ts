export { emptySlots } from "./empty-slots.ts";
export { type OnStep, rollBack } from "./roll-back.ts";
export { isWrittenSince, makeChange, type TakenFile } from "./swap-change.ts";
export { isFilledSince } from "./swap-folder.ts";
