import type { ErrorCode } from "../core/error-codes.ts";
import type { Log } from "../core/log.ts";
import type { Problem } from "../protocol/problem.ts";
import type { Author, AuthorRequest } from "./author.ts";
import { repairMessages } from "./prompts.ts";

/** What a judge says of an answer. */
export type Verdict<T> = { readonly ok: true; readonly value: T } | Rejection;

/** Why an answer cannot be used; without `instruction` a repair would be useless. */
export interface Rejection {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
  readonly instruction?: string;
  /** The single faults, where the answer got as far as having actions. */
  readonly problems?: readonly Problem[];
  /** Paths whose right sha256 the instruction gives. */
  readonly injectedPaths?: readonly string[];
}

/** What one planner call used so far; shared by its rounds, so that it repairs once at most. */
export interface CallRecord {
  repairs: number;
  inputTokens: number;
  outputTokens: number;
  injectedPaths: readonly string[];
  lastText: string;
}

/** A fresh record. */
export function createCallRecord(): CallRecord {
  return {
    repairs: 0,
    inputTokens: 0,
    outputTokens: 0,
    injectedPaths: [],
    lastText: "",
  };
}

/**
 * Asks the author and judges the answer; a bad one is sent back once per call with what is
 * wrong with it. Whatever is still bad then is returned as the failure it is.
 */
export async function answerWithRepair<T>(
  author: Author,
  request: AuthorRequest,
  judge: (text: string) => Promise<Verdict<T>>,
  record: CallRecord,
  log: Log,
): Promise<Verdict<T>> {
  const first = await answerOnce(author, request, judge, record, log);
  if (first.ok || first.instruction === undefined || record.repairs > 0) return first;
  record.repairs += 1;
  record.injectedPaths = first.injectedPaths ?? [];
  log("LLM_RESPONSE_REPAIR", { code: first.code });
  const messages = repairMessages(request.messages, record.lastText, first.instruction);
  return answerOnce(author, { ...request, messages }, judge, record, log);
}

async function answerOnce<T>(
  author: Author,
  request: AuthorRequest,
  judge: (text: string) => Promise<Verdict<T>>,
  record: CallRecord,
  log: Log,
): Promise<Verdict<T>> {
  const answer = await author.answer(request);
  if (!answer.ok) return { ok: false, code: answer.code, message: answer.message };
  record.inputTokens += answer.usage.inputTokens;
  record.outputTokens += answer.usage.outputTokens;
  record.lastText = answer.text;
  const verdict = await judge(answer.text);
  if (!verdict.ok) log("VALIDATION_FAILED", { code: verdict.code, reason: verdict.message });
  return verdict;
}
