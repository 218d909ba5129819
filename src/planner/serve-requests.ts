import type { ContextRequest } from "../protocol/schema-v2.ts";
import { resolvePath } from "../workspace/path-guard.ts";
import { readProfile } from "../workspace/profile.ts";
import { searchFiles } from "../workspace/search.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Block, toOneLine } from "./block.ts";
import { readFileBlock, renderEnvBlock } from "./context.ts";
import type { ContextCache } from "./context-cache.ts";

/** Lines after the first that are shown when a read_file request names no end. */
const DEFAULT_READ_LINES = 200;
/** Most hits of one search. */
const SEARCH_HITS = 50;

/**
 * Answers context requests, each distinct one with one block; what may not be seen becomes a
 * refusal, never an error.
 */
export async function serveRequests(
  workspace: Workspace,
  requests: readonly ContextRequest[],
  cache: ContextCache,
  signal: AbortSignal,
): Promise<readonly Block[]> {
  const blocks = new Set<Block>();
  for (const request of requests) {
    signal.throwIfAborted();
    blocks.add(await serve(workspace, request, cache, signal));
  }
  return [...blocks];
}

function serve(
  workspace: Workspace,
  request: ContextRequest,
  cache: ContextCache,
  signal: AbortSignal,
): Promise<Block> {
  switch (request.type) {
    case "read_file": {
      const { path, start_line: startLine = 1 } = request;
      const { end_line: endLine = startLine + DEFAULT_READ_LINES } = request;
      return cache.lookUp("read", { path, start: startLine, end: endLine }, () =>
        readFileBlock(workspace, path, 0, { startLine, endLine }),
      );
    }
    case "search": {
      const { query, glob } = request;
      return cache.lookUp("search", { query, glob }, () => search(workspace, query, glob, signal));
    }
    case "logs": {
      const { source, last_n } = request;
      return cache.lookUp("logs", { source, last_n }, async () => renderLogsBlock(source));
    }
    case "env":
      return cache.lookUp("env", {}, async () =>
        renderEnvBlock(workspace, await readProfile(workspace.root)),
      );
    default:
      return request satisfies never;
  }
}

async function search(
  workspace: Workspace,
  query: string,
  glob: string | undefined,
  signal: AbortSignal,
): Promise<Block> {
  const hits = await searchFiles(workspace.root, {
    query,
    ...(glob && { glob }),
    limit: SEARCH_HITS,
    skip: (path) => !resolvePath(workspace, path, "read").ok,
    signal,
  });
  const where = glob ? ` in ${glob}` : "";
  const count = hits.length === SEARCH_HITS ? `the first ${SEARCH_HITS}` : hits.length;
  return {
    kind: "search",
    priority: 1,
    header: toOneLine(`SEARCH[${JSON.stringify(query)}${where}]: ${count} hits`),
    body: hits.map(({ path, line, text }) => `${toOneLine(path)}:${line}|${text}`).join("\n"),
  };
}

/** Said plainly, so that a model does not wait for logs that nobody keeps. */
function renderLogsBlock(source: string): Block {
  const header = toOneLine(`LOGS[${source}]: none are kept under this name`);
  return { kind: "logs", priority: 2, header, body: "" };
}
