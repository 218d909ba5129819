import type { Log } from "../core/log.ts";
import type { ContextRequest } from "../protocol/schema-v2.ts";
import { resolvePath } from "../workspace/path-guard.ts";
import { readProfile } from "../workspace/profile.ts";
import { searchFiles } from "../workspace/search.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Block } from "./block.ts";
import { envBlock, fileBlock } from "./context.ts";

/** Lines shown when a read_file request names no end. */
const DEFAULT_READ_LINES = 200;
/** Most hits of one search. */
const SEARCH_HITS = 50;

/** Blocks by request, kept for one planning cycle, with its counters. */
export interface RequestCache {
  readonly blocks: Map<string, Block>;
  readonly counts: { hits: number; misses: number };
}

/** Answers context requests; what may not be seen becomes a refusal, never an error. */
export async function serveRequests(
  workspace: Workspace,
  requests: readonly ContextRequest[],
  options: { readonly cache: RequestCache; readonly log: Log; readonly signal: AbortSignal },
): Promise<readonly Block[]> {
  const blocks: Block[] = [];
  for (const request of requests) {
    const key = cacheKey(request);
    const known = options.cache.blocks.get(key);
    options.cache.counts[known ? "hits" : "misses"] += 1;
    options.log(known ? "CONTEXT_CACHE_HIT" : "CONTEXT_CACHE_MISS", { key });
    const block = known ?? (await serve(workspace, request, options.signal));
    options.cache.blocks.set(key, block);
    if (!blocks.includes(block)) blocks.push(block);
  }
  return blocks;
}

function cacheKey(request: ContextRequest): string {
  switch (request.type) {
    case "read_file":
      return `read:${request.path}:${request.start_line ?? ""}:${request.end_line ?? ""}`;
    case "search":
      return `search:${request.query}:${request.glob ?? ""}`;
    case "logs":
      return `logs:${request.source}:${request.last_n ?? ""}`;
    case "env":
      return "env";
    default:
      return request satisfies never;
  }
}

async function serve(
  workspace: Workspace,
  request: ContextRequest,
  signal: AbortSignal,
): Promise<Block> {
  switch (request.type) {
    case "read_file": {
      const startLine = request.start_line ?? 1;
      const endLine = request.end_line ?? startLine + DEFAULT_READ_LINES;
      return fileBlock(workspace, request.path, 0, { startLine, endLine });
    }
    case "search":
      return searchBlock(workspace, request.query, request.glob, signal);
    case "logs":
      return logsBlock(request.source);
    case "env":
      return envBlock(workspace, await readProfile(workspace.root));
    default:
      return request satisfies never;
  }
}

async function searchBlock(
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
  return {
    kind: "search",
    priority: 1,
    header: `SEARCH["${query}"${glob ? ` in ${glob}` : ""}]: ${hits.length === 0 ? "no" : hits.length} hits${hits.length === SEARCH_HITS ? " (first ones)" : ""}`,
    body: hits.map((hit) => `${hit.path}:${hit.line}|${hit.text.slice(0, 300)}`).join("\n"),
  };
}

/** Said plainly, so that a model does not wait for logs that nobody keeps. */
function logsBlock(source: string): Block {
  return {
    kind: "logs",
    priority: 2,
    header: `LOGS[${source}]: none are kept under this name`,
    body: "",
  };
}
