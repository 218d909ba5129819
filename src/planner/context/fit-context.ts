import { type Block, cutMiddle, frameChars } from "./block.ts";
import { cutOnline } from "./online-block.ts";

/** The `[context]` limits, in characters (UTF-16 units) and files. */
export interface ContextLimits {
  readonly maxFiles: number;
  readonly maxFileChars: number;
  readonly maxTotalChars: number;
  /** Of all logs together. */
  readonly maxLogChars: number;
}

const CHARS_OF_FILE = 4000;

/**
 * The most files that `context.max_files` means. 0: as many as there is room for, when each keeps
 * what a file keeps at least.
 */
export function toMaxFiles(maxFiles: number, maxTotalChars: number): number {
  return maxFiles || Math.max(1, Math.floor(maxTotalChars / CHARS_OF_FILE));
}

/** What an answer gets of a window where nobody says how long it may be. */
const ANSWER = { share: 1 / 4, mostTokens: 16_000 };
/** The prompt around the context, and the goal. */
const FIXED_TOKENS = 2500;
/** Of code; prose has more, other alphabets have fewer. */
const CHARS_PER_TOKEN = 3;
const FEWEST_CHARS = 4000;

/**
 * Characters of context that a model's window has room for beside prompt and answer, in UTF-16
 * units; never under 4,000.
 */
export function charsInWindow(
  windowTokens: number,
  answerTokens = Math.min(ANSWER.mostTokens, windowTokens * ANSWER.share),
): number {
  const room = windowTokens - answerTokens - FIXED_TOKENS;
  return Math.max(FEWEST_CHARS, Math.floor(room * CHARS_PER_TOKEN));
}

/** What was cut to fit the limits; names are those of the trace. */
export interface ContextStats {
  readonly context_files_count: number;
  readonly context_files_dropped_count: number;
  readonly context_total_chars: number;
  readonly context_logs_chars: number;
  readonly context_truncated_files_count: number;
}

/** Both together, for a plan whose context came in rounds. */
export function addStats(a: ContextStats, b: ContextStats): ContextStats {
  return {
    context_files_count: a.context_files_count + b.context_files_count,
    context_files_dropped_count: a.context_files_dropped_count + b.context_files_dropped_count,
    context_total_chars: a.context_total_chars + b.context_total_chars,
    context_logs_chars: a.context_logs_chars + b.context_logs_chars,
    context_truncated_files_count:
      a.context_truncated_files_count + b.context_truncated_files_count,
  };
}

/** What a file keeps, whatever the total says: 4,000 characters and the line about the rest. */
const MIN_FILE_CHARS = 4100;
/** With less room than this, what research found is not worth showing. */
const MIN_ONLINE_CHARS = 512;

/**
 * Brings context under its limits. First what is over its own: too many files, lowest priority
 * first; over-long files and logs are cut. Then, while all together are over the total: what
 * research found shrinks or goes, search results go, logs go, the folder's guides go, files of low
 * priority go, and the longest of what is left are cut.
 *
 * Headers and notes stay whole, and a file of priority 0 keeps at least 4,000 characters: where
 * these minimums alone are over the total they are kept, so the total may be exceeded by at most
 * `maxFiles` times that.
 */
export function fitContext(
  blocks: readonly Block[],
  limits: ContextLimits,
): { readonly blocks: readonly Block[]; readonly stats: ContextStats } {
  const { maxTotalChars } = limits;
  let kept: readonly Block[] = dropExtraFiles(blocks, limits.maxFiles);
  kept = cutToOwnLimits(kept, limits);
  kept = shrinkOnline(kept, maxTotalChars);
  kept = dropByRank(kept, maxTotalChars);
  kept = cutLongest(kept, maxTotalChars);
  return { blocks: kept, stats: countStats(blocks, kept) };
}

function dropExtraFiles(blocks: readonly Block[], maxFiles: number): readonly Block[] {
  const ranked = blocks.filter(isFile).toSorted((a, b) => a.priority - b.priority);
  const extra = new Set(ranked.slice(Math.max(0, maxFiles)));
  return blocks.filter((block) => !extra.has(block));
}

function cutToOwnLimits(blocks: readonly Block[], limits: ContextLimits): readonly Block[] {
  const logs = blocks.filter(({ kind }) => kind === "logs").map(({ body }) => body.length);
  const logChars = levelFor(logs, limits.maxLogChars);
  return blocks.map((block) => {
    if (block.kind === "online") return block; // its limit is another, and holds already
    return cutTo(block, block.kind === "logs" ? logChars : limits.maxFileChars);
  });
}

function cutTo(block: Block, maxChars: number): Block {
  if (block.body.length <= maxChars) return block;
  return { ...block, body: cutMiddle(block.body, maxChars), isWhole: false };
}

function shrinkOnline(blocks: readonly Block[], maxTotalChars: number): readonly Block[] {
  const others = totalChars(blocks.filter(({ kind }) => kind !== "online"));
  return blocks.flatMap((block) => {
    if (block.kind !== "online") return [block];
    const room = maxTotalChars - others - (charsOf(block) - block.body.length);
    if (block.body.length <= room) return [block];
    return room < MIN_ONLINE_CHARS ? [] : [{ ...block, body: cutOnline(block.body, room) }];
  });
}

/** One by one until the rest fits; of one rank the last goes first. */
function dropByRank(blocks: readonly Block[], maxTotalChars: number): readonly Block[] {
  let excess = totalChars(blocks) - maxTotalChars;
  const dropped = new Set<Block>();
  const droppable = blocks.filter((block) => rankOf(block) !== undefined).toReversed();
  for (const block of droppable.toSorted((a, b) => (rankOf(a) ?? 0) - (rankOf(b) ?? 0))) {
    if (excess <= 0) break;
    dropped.add(block);
    excess -= charsOf(block);
  }
  return blocks.filter((block) => !dropped.has(block));
}

/** Lower goes first; what is never dropped has none. */
function rankOf({ kind, priority }: Block): number | undefined {
  if (kind === "search") return 0;
  if (kind === "logs") return 1;
  if (kind === "guide") return 2;
  return kind === "file" && priority > 0 ? 3 + 1 / priority : undefined;
}

/** Lowers the longest bodies to one length, so that no file pays for all. */
function cutLongest(blocks: readonly Block[], maxTotalChars: number): readonly Block[] {
  const isCuttable = ({ kind }: Block) => kind === "file" || kind === "tree";
  const bodies = blocks.filter(isCuttable).map(({ body }) => body.length);
  const fixed = totalChars(blocks) - bodies.reduce((sum, chars) => sum + chars, 0);
  const level = Math.max(MIN_FILE_CHARS, levelFor(bodies, maxTotalChars - fixed));
  return blocks.map((block) => (isCuttable(block) ? cutTo(block, level) : block));
}

/** The greatest length to which all can be lowered so that they fit into `room` together. */
function levelFor(lengths: readonly number[], room: number): number {
  let left = room;
  for (const [index, length] of lengths.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Infinity;
}

function countStats(all: readonly Block[], kept: readonly Block[]): ContextStats {
  const whole = new Set(all);
  const files = kept.filter(isFile);
  return {
    context_files_count: files.length,
    context_files_dropped_count: all.filter(isFile).length - files.length,
    context_total_chars: totalChars(kept),
    context_logs_chars: totalChars(kept.filter(({ kind }) => kind === "logs")),
    context_truncated_files_count: files.filter((block) => !whole.has(block)).length,
  };
}

function isFile({ kind }: Block): boolean {
  return kind === "file";
}

/** Characters of blocks with the separators between them. */
export function totalChars(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + charsOf(block), 0);
}

/** With the line break after the header, the lines around the body and the blank line after the block. */
function charsOf(block: Block): number {
  return block.header.length + block.body.length + frameChars(block) + 3;
}
