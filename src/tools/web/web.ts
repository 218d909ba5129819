export { createHttpRequestTool, toRequest } from "./http-request.ts";
export { createResearchTool } from "./research.ts";
export { createWebSearchTool } from "./web-search.ts";
