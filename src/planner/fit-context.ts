import { type Block, cutMiddle } from "./block.ts";

/** The `[context]` limits, in characters (UTF-16 units) and files. */
export interface ContextLimits {
  readonly maxFiles: number;
  readonly maxFileChars: number;
  readonly maxTotalChars: number;
  readonly maxLogChars: number;
}

/** What the diet did; names are those of the trace. */
export interface ContextStats {
  readonly context_files_count: number;
  readonly context_files_dropped_count: number;
  readonly context_total_chars: number;
  readonly context_logs_chars: number;
  readonly context_truncated_files_count: number;
}

/** Nothing gathered yet. */
export const NO_CONTEXT: ContextStats = {
  context_files_count: 0,
  context_files_dropped_count: 0,
  context_total_chars: 0,
  context_logs_chars: 0,
  context_truncated_files_count: 0,
};

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

/** A file of priority 0 keeps at least this much, whatever the total says. */
const MIN_PRIORITY_CHARS = 4000;

/**
 * Brings context under its limits in a fixed order: too many files, over-long files and logs,
 * then search results, then logs, then files of low priority, then cuts what is left.
 */
export function fitContext(
  blocks: readonly Block[],
  limits: ContextLimits,
): { readonly blocks: readonly Block[]; readonly stats: ContextStats } {
  const files = blocks.filter((block) => block.kind === "file");
  let kept: readonly Block[] = dropExtraFiles(blocks, limits.maxFiles).map((block) =>
    cutToOwnLimit(block, limits),
  );
  for (const kind of ["search", "logs"] as const) {
    if (totalChars(kept) > limits.maxTotalChars) kept = kept.filter((block) => block.kind !== kind);
  }
  kept = dropLowPriority(kept, limits.maxTotalChars);
  kept = cutRest(kept, limits.maxTotalChars);
  return { blocks: kept, stats: countStats(files, kept) };
}

function dropExtraFiles(blocks: readonly Block[], maxFiles: number): readonly Block[] {
  const ranked = blocks
    .filter((block) => block.kind === "file")
    .toSorted((a, b) => a.priority - b.priority);
  const extra = new Set(ranked.slice(Math.max(0, maxFiles)));
  return blocks.filter((block) => !extra.has(block));
}

function cutToOwnLimit(block: Block, limits: ContextLimits): Block {
  const limit = block.kind === "logs" ? limits.maxLogChars : limits.maxFileChars;
  return block.kind === "tree" || block.body.length <= limit
    ? block
    : { ...block, body: cutMiddle(block.body, limit) };
}

function dropLowPriority(blocks: readonly Block[], maxTotalChars: number): readonly Block[] {
  let kept = blocks;
  const candidates = blocks
    .filter((block) => block.kind === "file" && block.priority > 0)
    .toSorted((a, b) => b.priority - a.priority);
  for (const candidate of candidates) {
    if (totalChars(kept) <= maxTotalChars) break;
    kept = kept.filter((block) => block !== candidate);
  }
  return kept;
}

function cutRest(blocks: readonly Block[], maxTotalChars: number): readonly Block[] {
  let excess = totalChars(blocks) - maxTotalChars;
  if (excess <= 0) return blocks;
  return blocks.map((block) => {
    const spare = block.body.length - MIN_PRIORITY_CHARS;
    if (block.kind !== "file" || excess <= 0 || spare <= 0) return block;
    const body = cutMiddle(block.body, block.body.length - Math.min(excess, spare));
    excess -= block.body.length - body.length;
    return { ...block, body };
  });
}

function totalChars(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + block.header.length + block.body.length + 2, 0);
}

function countStats(files: readonly Block[], kept: readonly Block[]): ContextStats {
  const keptFiles = kept.filter((block) => block.kind === "file");
  const bodies = new Set(files.map((block) => block.body));
  return {
    context_files_count: keptFiles.length,
    context_files_dropped_count: files.length - keptFiles.length,
    context_total_chars: totalChars(kept),
    context_logs_chars: totalChars(kept.filter((block) => block.kind === "logs")),
    context_truncated_files_count: keptFiles.filter((block) => !bodies.has(block.body)).length,
  };
}
