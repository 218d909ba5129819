export { renderStartReport, type StartFacts } from "./render-start-report.ts";
export { clearLeftOver, findUnanswered, gatherStartFacts } from "./start-facts.ts";
