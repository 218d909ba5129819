/** One anchored replacement: near `anchor`, `before` becomes `after`. */
export interface Edit {
  readonly op: "replace";
  /** A piece of the file that says where: unique, or numbered by `occurrence`. */
  readonly anchor: string;
  /** What is replaced: part of the anchor, around it, or behind it within its block. */
  readonly before: string;
  readonly after: string;
  /** Which of several equal anchors it is, from 1. */
  readonly occurrence?: number | undefined;
  /** A hint of the protocol for showing edits; finding does without. */
  readonly context_lines?: number | undefined;
}
