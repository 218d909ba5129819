import type { LogSources } from "./logs-block.ts";
import type { ToolVersions } from "./tool-versions.ts";

/** What context is made of beside the folder itself. */
export interface ContextSources extends LogSources {
  readonly toolVersions: ToolVersions;
}

/** The folder and nothing else, for library use and tests. */
export const NO_SOURCES: ContextSources = {
  toolVersions: async () => [`bun ${process.versions.bun}`],
  readLogs: async () => undefined,
  redact: (text) => text,
};
