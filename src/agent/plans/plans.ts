export { requireTry, requireWay, showWay, tryAnotherWay } from "./another-way.ts";
export {
  applyApproved,
  applyGoal,
  applyMessage,
  applyPlan,
  askWith,
  assertGranted,
  proposePlan,
  tellEnded,
  unlessNamedIn,
} from "./apply-flow.ts";
export { askApproval } from "./ask-approval.ts";
export { noteAttempt } from "./attempt.ts";
export {
  applyOffered,
  applySidePlan,
  forgetSidePlan,
  isSidePlan,
  offerPlan,
} from "./offer-plan.ts";
export {
  changePlan,
  fixable,
  type NoPlan,
  planAgain,
  planFix,
  planRevision,
  planWithResearch,
  showOutput,
  takeRevisionRequest,
} from "./plan-goal.ts";
export type { SessionPlan } from "./show-plan.ts";
