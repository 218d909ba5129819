import { normalisePath } from "../../core/relative-path.ts";
import type { ContextRequest } from "../../protocol/response.ts";
import { renderLeftOut } from "../../workspace/part.ts";
import { MOST_COUNTED, searchFiles } from "../../workspace/search.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Block, toOneLine } from "./block.ts";
import type { ContextCache } from "./context-cache.ts";
import { type ContextSources, NO_SOURCES } from "./context-sources.ts";
import { readFileBlock } from "./file-block.ts";
import { readEnvBlock } from "./gather-context.ts";
import { readLogsBlock } from "./logs-block.ts";

/** Lines after the first that are shown when a read_file request names no end. */
const DEFAULT_READ_LINES = 200;
/** Lines of a log that are shown when a request names no number. */
const DEFAULT_LOG_LINES = 200;

/**
 * Answers context requests, each distinct one with one block; what may not be seen becomes a
 * refusal, never an error.
 */
export async function serveRequests(
  workspace: Workspace,
  requests: readonly ContextRequest[],
  cache: ContextCache,
  signal: AbortSignal,
  sources: ContextSources = NO_SOURCES,
): Promise<readonly Block[]> {
  const blocks = new Set<Block>();
  for (const request of requests) {
    signal.throwIfAborted();
    blocks.add(await serve(workspace, request, cache, signal, sources));
  }
  return [...blocks];
}

function serve(
  workspace: Workspace,
  request: ContextRequest,
  cache: ContextCache,
  signal: AbortSignal,
  sources: ContextSources,
): Promise<Block> {
  switch (request.type) {
    case "read_file": {
      const { start_line: startLine = 1 } = request;
      const { end_line: endLine = startLine + DEFAULT_READ_LINES } = request;
      const path = toOneSpelling(request.path);
      return cache.lookUp("read", { path, start: startLine, end: endLine }, () =>
        readFileBlock(workspace, path, 0, [{ startLine, endLine }]),
      );
    }
    case "search": {
      const { query, glob } = request;
      return cache.lookUp("search", { query, glob }, () =>
        searchBlock(workspace, { query, glob }, signal),
      );
    }
    case "logs": {
      const { source, last_n: lastN = DEFAULT_LOG_LINES } = request;
      return cache.lookUp("logs", { source, last_n: lastN }, () =>
        readLogsBlock(workspace, { source, lastN }, sources),
      );
    }
    case "env":
      return cache.lookUp("env", {}, () => readEnvBlock(workspace, sources));
    default:
      return request satisfies never;
  }
}

/** A path that may not be used keeps its own, for the refusal. */
function toOneSpelling(path: string): string {
  const normal = normalisePath(path);
  return normal.ok ? normal.path : path;
}

/** Most hits of one search. */
const MOST_HITS = 50;

/** Lines that hold a literal text; ignored and protected files are not looked into. */
async function searchBlock(
  workspace: Workspace,
  { query, glob }: { readonly query: string; readonly glob: string | undefined },
  signal: AbortSignal,
): Promise<Block> {
  const { items: hits, leftOut } = await searchFiles(workspace, {
    query,
    ...(glob !== undefined && { glob }),
    limit: MOST_HITS,
    isCounted: true,
    signal,
  });
  const where = glob === undefined ? "" : ` in ${glob}`;
  const more = leftOut.find(({ what }) => what === "hits");
  const all = more?.count === undefined ? `more than ${MOST_COUNTED}` : hits.length + more.count;
  const count = more ? `the first ${hits.length} of ${all}` : hits.length;
  const missing = renderLeftOut(leftOut.filter(({ what }) => what !== "hits"));
  const lines = hits.map(({ path, line, text }) => `${toOneLine(path)}:${line}|${text}`);
  return {
    kind: "search",
    priority: 1,
    header: toOneLine(`SEARCH[${JSON.stringify(query)}${where}]: ${count} hits`),
    body: [...lines, ...(missing === undefined ? [] : [`… ${toOneLine(missing)}`])].join("\n"),
  };
}
