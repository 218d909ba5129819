export { type OnStep, rollBack } from "./roll-back.ts";
export { isWrittenSince, makeChange } from "./swap-change.ts";
