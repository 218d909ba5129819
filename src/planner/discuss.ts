import type { Log } from "../core/log.ts";
import type { ModelResponse } from "../protocol/schema-v2.ts";
import type { ChatMessage } from "../providers/provider.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { answerWithRepair, type CallRecord, type Verdict } from "./answer.ts";
import type { Author } from "./author.ts";
import { type Block, renderBlocks, renderNote } from "./block.ts";
import { gatherContext } from "./context.ts";
import { type CacheStats, createContextCache } from "./context-cache.ts";
import {
  addStats,
  type ContextLimits,
  type ContextStats,
  fitContext,
  NO_CONTEXT,
} from "./fit-context.ts";
import { judgePlan } from "./judge.ts";
import { contextMessages, planMessages } from "./prompts.ts";
import { serveRequests } from "./serve-requests.ts";

/** What a discussion is led with. */
export interface DiscussDeps {
  readonly author: Author;
  readonly limits: ContextLimits;
  readonly log: Log;
}

/** A plan's answer and all that led to it. */
export interface Discussion {
  readonly verdict: Verdict<ModelResponse>;
  /** The last request, with everything that was said before it. */
  readonly messages: readonly ChatMessage[];
  /** Everything that was shown. */
  readonly blocks: readonly Block[];
  readonly requestsServed: number;
  readonly contextStats: ContextStats;
  readonly cacheStats: CacheStats;
}

/** Rounds in which a model may ask for more context. */
const CONTEXT_ROUNDS = 2;

/** Shows the author the context, serves what it asks for, and asks again until it has a plan. */
export async function discuss(
  deps: DiscussDeps,
  workspace: Workspace,
  goal: string,
  record: CallRecord,
  signal: AbortSignal,
): Promise<Discussion> {
  const cache = createContextCache(deps.log);
  const served = new Set<Block>();
  const first = fit(deps, await gatherContext(workspace, goal, signal), NO_CONTEXT);
  const blocks = [...first.blocks];
  let contextStats = first.stats;
  let messages = planMessages(goal, renderBlocks(blocks));
  let requestsServed = 0;
  for (let round = 1; ; round++) {
    const request = { mode: "plan", goal, workspace, messages, signal } as const;
    const verdict = await answerWithRepair(deps.author, request, judgePlan, record, deps.log);
    const wanted = verdict.ok ? (verdict.value.context_requests ?? []) : [];
    if (wanted.length === 0 || round > CONTEXT_ROUNDS) {
      const cacheStats = cache.stats();
      return { verdict, messages, blocks, requestsServed, contextStats, cacheStats };
    }
    const found = await serveRequests(workspace, wanted, cache, signal);
    const fresh = fit(deps, subtract(found, served), contextStats);
    for (const block of found) served.add(block);
    blocks.push(...fresh.blocks);
    requestsServed += wanted.length;
    contextStats = addStats(contextStats, fresh.stats);
    const shown = renderBlocks(fresh.blocks.length > 0 ? fresh.blocks : [SHOWN_ALREADY]);
    messages = contextMessages(messages, record.lastText, shown, round === CONTEXT_ROUNDS);
  }
}

const SHOWN_ALREADY = renderNote("All that you asked for is shown above.");

function subtract(blocks: readonly Block[], known: ReadonlySet<Block>): readonly Block[] {
  return blocks.filter((block) => !known.has(block));
}

/** Fits blocks into what the limits leave after `used`, and says what had no room. */
function fit(
  { limits, log }: DiscussDeps,
  blocks: readonly Block[],
  used: ContextStats,
): { readonly blocks: readonly Block[]; readonly stats: ContextStats } {
  const fitted = fitContext(blocks, {
    ...limits,
    maxFiles: limits.maxFiles - used.context_files_count,
    maxTotalChars: limits.maxTotalChars - used.context_total_chars,
  });
  if (subtract(blocks, new Set(fitted.blocks)).length === 0) return fitted;
  const { stats } = fitted;
  log("CONTEXT_DIET_APPLIED", {
    files: stats.context_files_count,
    dropped: stats.context_files_dropped_count,
    truncated: stats.context_truncated_files_count,
    total_chars: stats.context_total_chars,
  });
  const headers = new Set(fitted.blocks.map(({ header }) => header));
  const left = blocks.filter(({ header }) => !headers.has(header));
  if (left.length === 0) return fitted;
  const names = left.map(({ path, header }) => path ?? header.slice(0, 100));
  return { stats, blocks: [...fitted.blocks, renderNote(`NO ROOM for: ${names.join(", ")}`)] };
}
