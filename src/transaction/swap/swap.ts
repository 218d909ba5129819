export { type OnStep, rollBack } from "./roll-back.ts";
export { makeChange } from "./swap-change.ts";
