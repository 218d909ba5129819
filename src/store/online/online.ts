export { isAutoUseOn, setAutoUse } from "./auto-use.ts";
export { createOnlineChains, type OnlineChains, toChainKey } from "./online-chains.ts";
export { createResearchStore, type ResearchStore, type StoredResearch } from "./researches.ts";
export { createSearchCache } from "./search-cache.ts";
