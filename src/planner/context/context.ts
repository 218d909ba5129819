export {
  type Block,
  cutMiddle,
  filesSeen,
  filesSeenWhole,
  quoteHeaders,
  renderBlocks,
  renderNote,
  toOneLine,
} from "./block.ts";
export { type CacheStats, createContextCache, NO_LOOKUPS } from "./context-cache.ts";
export type { ContextSources } from "./context-sources.ts";
export { createToolVersions } from "./context-sources.ts";
export { cutIntoParts } from "./cut-parts.ts";
export { readFileBlock, renderFileBlock } from "./file-block.ts";
export {
  addStats,
  type ContextLimits,
  type ContextStats,
  charsInWindow,
  fitContext,
  toMaxFiles,
  totalChars,
} from "./fit-context.ts";
export { gatherContext, readStyle } from "./gather-context.ts";
export { originOfCheck, type ReadLogs } from "./logs-block.ts";
export { type OnlineLimits, renderOnlineBlock } from "./online-block.ts";
export { serveRequests } from "./serve-requests.ts";
export { renderTriedBlock } from "./tried-block.ts";
export { fitsOnePart, measureFiles, partLimits, wantedIn } from "./wanted-files.ts";
export { findWideGoal, renderWideGoal, type WideGoal } from "./wide-goal.ts";
