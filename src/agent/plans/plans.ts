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
export {
  applyOffered,
  applySidePlan,
  forgetSidePlan,
  isSidePlan,
  offerPlan,
} from "./offer-plan.ts";
export {
  askForRevision,
  planFix,
  planRevision,
  showOutput,
  takeRevisionRequest,
} from "./plan-again.ts";
export { type NoPlan, planWithResearch, type SessionPlan, whyNothing } from "./plan-goal.ts";
