export { type OnlineDeps, planOnline } from "./plan-online.ts";
export {
  createResearchOperations,
  type ResearchOperations,
  type ResearchOperationsDeps,
} from "./research-operations.ts";
