export {
  applyApproved,
  applyGoal,
  applyMessage,
  applyPlan,
  askApproval,
  proposePlan,
  tellEnded,
  unlessNamedIn,
} from "./apply-flow.ts";
export { applyBeside, applyOffered, forgetBeside, isBeside, offerPlan } from "./offer-plan.ts";
export { askForWish, planFix, planWithWish, showOutput, takeAwaitedWish } from "./plan-again.ts";
export { type NoPlan, planWithResearch, type SessionPlan, whyNothing } from "./plan-goal.ts";
