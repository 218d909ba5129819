export { type OnlineDeps, planOnline, type ResearchOperationsDeps } from "./plan-online.ts";
export { createResearchOperations, type ResearchOperations } from "./research-operations.ts";
