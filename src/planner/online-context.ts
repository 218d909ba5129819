import type { ErrorCode } from "../core/error-codes.ts";
import type { Block } from "./context/context.ts";

/** What research on the web gives one plan, and how it came there. */
export interface OnlineContext {
  readonly block: Block;
  /** Origin and path of each page; what follows a "?" may be private. */
  readonly sources: readonly string[];
  /** The block was shortened to its limits before the plan. */
  readonly truncated: boolean;
  /** The failure that led to it; absent when a person asked for it. */
  readonly reason?: ErrorCode;
}

/** The query of an answer that asks for research instead of planning; "" where it names none. */
export function researchQuery(summary: string): string | undefined {
  return /^\s*NEEDS_ONLINE_RESEARCH:\s*(.*)/u.exec(summary)?.[1]?.slice(0, MOST_QUERY_CHARS);
}

const MOST_QUERY_CHARS = 400;
