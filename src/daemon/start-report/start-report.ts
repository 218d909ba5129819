export { renderStartReport, type StartFacts } from "./render-start-report.ts";
export { clearLeftOver, gatherStartFacts } from "./start-facts.ts";
