import { shorten } from "../core/cut-text.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { firstOf } from "../core/few.ts";
import type { ModelResponse } from "../protocol/response.ts";
import type { ProtocolVersion } from "../protocol/version.ts";
import type { ChatMessage } from "../providers/provider.ts";
import { mostActionsIn } from "../workspace/profile.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type AnswerDeps, answerWithRepair, type CallRecord, type Verdict } from "./answer.ts";
import {
  addStats,
  type Block,
  type CacheStats,
  type ContextLimits,
  type ContextSources,
  type ContextStats,
  createContextCache,
  findWideGoal,
  fitContext,
  fitsOnePart,
  gatherContext,
  partLimits,
  renderBlocks,
  renderNote,
  renderWideGoal,
  serveRequests,
  totalChars,
  type WideGoal,
  wantedIn,
} from "./context/context.ts";
import { evaluatePlan } from "./evaluate/evaluate.ts";
import { contextMessages, type Offers, planInstruction, planMessages } from "./prompts/prompts.ts";

/** What a discussion needs. */
export interface DiscussDeps {
  readonly answers: AnswerDeps;
  readonly limits: ContextLimits;
  readonly sources: ContextSources;
  readonly offers: Offers;
}

/** What research on the web gives one plan, and how it came there. */
export interface OnlineContext {
  readonly block: Block;
  /** Origin and path of each page; what follows a "?" may be private. */
  readonly sources: readonly string[];
  /** The block was shortened to its limits before the plan. */
  readonly truncated: boolean;
  /** The failure that caused it; absent when a person asked for it. */
  readonly reason?: ErrorCode;
}

/** The subject of a discussion: the goal and its context. */
export interface Topic {
  readonly workspace: Workspace;
  readonly goal: string;
  readonly version: ProtocolVersion;
  /** What no file says: what research found, what was planned before. */
  readonly beside: readonly Block[];
}

/** A plan's answer and the conversation that produced it. */
export interface Discussion {
  readonly verdict: Verdict<ModelResponse>;
  /** The last request, with everything that was said before it. */
  readonly messages: readonly ChatMessage[];
  /** Everything that was shown. */
  readonly blocks: readonly Block[];
  readonly requestsServed: number;
  readonly contextStats: ContextStats;
  readonly cacheStats: CacheStats;
  /** The files that the plan is about, where they are more than one request can show. */
  readonly beyond?: readonly string[];
}

/** Rounds in which a model may ask for more context. */
const CONTEXT_ROUNDS = 2;

/** Shows the author the context, serves what it asks for, and asks again until it has a plan. */
export async function discuss(
  deps: DiscussDeps,
  { workspace, goal, version, beside }: Topic,
  record: CallRecord,
  signal: AbortSignal,
): Promise<Discussion> {
  const instruction = planInstruction(deps.offers);
  const cache = createContextCache(deps.answers.log);
  const served = new Set<Block>();
  const gathered = await gatherContext(workspace, goal, signal, deps.sources);
  const wide = await findTooWide(deps, workspace, goal, signal);
  const notes = wide ? [renderWideGoal(wide)] : [];
  const first = fit(deps, [...gathered, ...notes, ...beside], []);
  const about = new Set([...(wide?.files.map(({ path }) => path) ?? []), ...wantedIn(gathered)]);
  const blocks = [...first.blocks];
  let contextStats = first.stats;
  let messages = planMessages(
    { version, goal, context: renderBlocks(blocks, deps.answers) },
    instruction,
  );
  const evaluate = (text: string) => evaluatePlan(text, version);
  let requestsServed = 0;
  for (let round = 1; ; round++) {
    const request = { mode: "plan", goal, version, workspace, messages, signal } as const;
    const verdict = await answerWithRepair(deps.answers, request, evaluate, record);
    const wanted = verdict.ok ? (verdict.value.context_requests ?? []) : [];
    if (wanted.length === 0 || round > CONTEXT_ROUNDS) {
      const cacheStats = cache.stats();
      const told = { verdict, messages, blocks, requestsServed, contextStats, cacheStats };
      return (await isBeyond(workspace, about, blocks)) ? { ...told, beyond: [...about] } : told;
    }
    const found = await serveRequests(workspace, wanted, cache, signal, deps.sources);
    const fresh = fit(deps, subtract(found, served), blocks);
    for (const block of found) served.add(block);
    for (const path of wantedIn(found)) about.add(path);
    blocks.push(...fresh.blocks);
    requestsServed += wanted.length;
    contextStats = addStats(contextStats, fresh.stats);
    const context = renderBlocks(
      fresh.blocks.length > 0 ? fresh.blocks : [SHOWN_ALREADY],
      deps.answers,
    );
    const isLastRound = round === CONTEXT_ROUNDS;
    const next = { answer: record.last.text, context, isLastRound };
    messages = contextMessages(messages, next, instruction);
  }
}

/** What a goal is about by a name in it, where that is more than one request can show. */
async function findTooWide(
  { limits }: DiscussDeps,
  workspace: Workspace,
  goal: string,
  signal: AbortSignal,
): Promise<WideGoal | undefined> {
  const wide = await findWideGoal(workspace, goal, signal);
  if (!wide) return undefined;
  const most = partLimits(limits, await mostActionsIn(workspace));
  return fitsOnePart(wide.files, most) ? undefined : wide;
}

/** Whether one of the files was not shown, or they are more than one answer may change. */
async function isBeyond(
  workspace: Workspace,
  wanted: ReadonlySet<string>,
  blocks: readonly Block[],
): Promise<boolean> {
  const shown = new Set(wantedIn(blocks));
  if (!wanted.isSubsetOf(shown)) return true;
  return wanted.size > 1 && wanted.size > (await mostActionsIn(workspace));
}

const SHOWN_ALREADY = renderNote("All that you asked for is shown above.");

function subtract(blocks: readonly Block[], known: ReadonlySet<Block>): readonly Block[] {
  return blocks.filter((block) => !known.has(block));
}

function isNamedFile({ kind, priority }: Block): boolean {
  return kind === "file" && priority === 0;
}

/**
 * Fits blocks into what the limits leave after those already shown, and says what had no room.
 * Files that nobody named take no place from those that the model asks for later.
 */
function fit(
  { limits, answers }: DiscussDeps,
  blocks: readonly Block[],
  shown: readonly Block[],
): { readonly blocks: readonly Block[]; readonly stats: ContextStats } {
  const fitted = fitContext(blocks, {
    ...limits,
    maxFiles: limits.maxFiles - shown.filter(isNamedFile).length,
    maxTotalChars: limits.maxTotalChars - totalChars(shown),
  });
  if (subtract(blocks, new Set(fitted.blocks)).length === 0) return fitted;
  const { stats } = fitted;
  answers.log("CONTEXT_DIET_APPLIED", {
    files: stats.context_files_count,
    dropped: stats.context_files_dropped_count,
    truncated: stats.context_truncated_files_count,
    total_chars: stats.context_total_chars,
  });
  const headers = new Set(fitted.blocks.map(({ header }) => header));
  const left = blocks.filter(({ header }) => !headers.has(header));
  if (left.length === 0) return fitted;
  const names = left.map(({ path, header }) => path ?? shorten(header, 100));
  return { stats, blocks: [...fitted.blocks, renderNote(`NO ROOM for: ${listNames(names)}`)] };
}

/** Most names of what had no room that are told. */
const MOST_NAMES = 300;

function listNames(names: readonly string[]): string {
  return firstOf(names, MOST_NAMES)
    .lines(String, (left) => `… and ${left} more`)
    .join(", ");
}
