import type { ErrorCode } from "../core/error-codes.ts";
import type { Log } from "../core/log.ts";
import { mayRepair } from "../protocol/fallback.ts";
import type { Problem } from "../protocol/problem.ts";
import type { ModelResponse } from "../protocol/response.ts";
import type { ProtocolVersion } from "../protocol/version.ts";
import type { ServedBy } from "../providers/provider.ts";
import type { InjectionCheck } from "../security/injection.ts";
import { CUT_EN, type Cut, tellCut } from "../texts/failures/failures.ts";
import type { Author, AuthorRequest } from "./author.ts";
import { repairMessages } from "./prompts/prompts.ts";

/** What an answer evaluates to: its value or a failure. */
export type Verdict<T> = { readonly ok: true; readonly value: T } | Rejection;

/** What an answer failed on: its form, the static rules, the files on disk. */
export type Stage = "schema" | "validate" | "preview";

/** Why an answer cannot be used; without `instruction` a repair would be useless. */
export interface Rejection {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
  /** Trying again does not help: as with a wrong key, a model that is not there. */
  readonly isLasting?: true;
  /** Absent where there was no answer to look at. */
  readonly stage?: Stage;
  readonly instruction?: string;
  /** The answer, where it got past its schema. */
  readonly response?: ModelResponse;
  /** The single faults, where the answer got as far as having actions. */
  readonly problems?: readonly Problem[];
  /** Paths whose right sha256 the instruction gives. */
  readonly injectedPaths?: readonly string[];
}

/** What one planner call did so far; shared by its rounds and by the versions it falls back to. */
export interface CallRecord {
  /** Versions of the protocol in the order they were tried. */
  readonly attempts: ProtocolVersion[];
  /** Why another version was asked. */
  fallback: { readonly reason: ErrorCode; readonly stage: Stage } | undefined;
  readonly repair: RepairRecord;
  /** Requests to the author. */
  requests: number;
  /** Characters of the last request. */
  inputChars: number;
  readonly usage: { inputTokens: number; outputTokens: number };
  last: LastAnswer;
  /** The requests in their order, for the trace. */
  readonly calls: AnsweredCall[];
  readonly now: () => number;
}

/** One request: when, and what came of it. */
export interface AnsweredCall {
  readonly kind: "ask" | "repair" | "fallback";
  readonly version: ProtocolVersion;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly tookMs: number;
  readonly inputChars: number;
  readonly outputChars: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Why the answer cannot be used. */
  readonly code?: ErrorCode;
}

/** What a call sent back for repair. */
export interface RepairRecord {
  /** What the repair under the present version was asked for; a version repairs once. */
  now: ErrorCode | undefined;
  /** What the first repair of the call was asked for. */
  first: ErrorCode | undefined;
  /** Paths of what the repair under the present version was asked for. */
  paths: readonly string[];
  injectedPaths: readonly string[];
}

/** The newest answer of a call, and who wrote it where that differs from answer to answer. */
export interface LastAnswer {
  readonly text: string;
  readonly servedBy?: ServedBy | undefined;
}

/** The record of a call that begins under `version`; `now` tells the times of its requests. */
export function createCallRecord(version: ProtocolVersion, now = Date.now): CallRecord {
  return {
    attempts: [version],
    fallback: undefined,
    repair: { now: undefined, first: undefined, paths: [], injectedPaths: [] },
    requests: 0,
    inputChars: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    last: { text: "" },
    calls: [],
    now,
  };
}

/** What an answer is asked with. */
export interface AnswerDeps {
  readonly author: Author;
  /** What is done about orders in texts of others. */
  readonly check: InjectionCheck;
  /** `protocol.fallback_to_v1`. */
  readonly fallback: boolean;
  readonly log: Log;
}

/**
 * Asks the author and evaluates the answer; a bad one is sent back once with what is wrong with it.
 * Whatever is still bad then is returned as the failure it is.
 */
export async function answerWithRepair<T>(
  deps: AnswerDeps,
  request: AuthorRequest,
  evaluate: (text: string) => Promise<Verdict<T>>,
  record: CallRecord,
): Promise<Verdict<T>> {
  const { repair } = record;
  const first = await answerOnce(deps, request, evaluate, record);
  if (first.ok || first.instruction === undefined || repair.now) return first;
  const { version } = request;
  const state = { version, requests: record.requests, fallback: deps.fallback };
  if (request.mode === "apply" && !mayRepair(first.code, state)) return first;
  repair.now = first.code;
  repair.first ??= first.code;
  repair.paths = (first.problems ?? []).map(({ path }) => path);
  repair.injectedPaths = [...repair.injectedPaths, ...(first.injectedPaths ?? [])];
  deps.log("LLM_RESPONSE_REPAIR", { code: first.code });
  const messages = repairMessages(request.messages, record.last.text, first.instruction);
  return answerOnce(deps, { ...request, messages }, evaluate, record, "repair");
}

async function answerOnce<T>(
  { author, log }: AnswerDeps,
  request: AuthorRequest,
  evaluate: (text: string) => Promise<Verdict<T>>,
  record: CallRecord,
  kind: AnsweredCall["kind"] = record.attempts.length > 1 ? "fallback" : "ask",
): Promise<Verdict<T>> {
  const { version } = request;
  record.requests += 1;
  record.inputChars = request.messages.reduce((sum, { content }) => sum + content.length, 0);
  const at = record.now();
  const answer = await author.answer(request);
  const { inputTokens, outputTokens } = answer.ok ? answer.usage : NO_TOKENS;
  const call = {
    kind,
    version,
    at,
    tookMs: record.now() - at,
    inputChars: record.inputChars,
    outputChars: answer.ok ? answer.text.length : 0,
    inputTokens,
    outputTokens,
  };
  if (!answer.ok) {
    record.calls.push({ ...call, code: answer.code });
    const { code, message, isLasting } = answer;
    return { ok: false, code, message, ...(isLasting && { isLasting }) };
  }
  record.usage.inputTokens += answer.usage.inputTokens;
  record.usage.outputTokens += answer.usage.outputTokens;
  record.last = { text: answer.text, servedBy: answer.servedBy };
  const evaluated = await evaluate(answer.text);
  const { cut } = answer;
  const isBroken = !evaluated.ok && evaluated.stage === "schema";
  const verdict = cut && isBroken ? rejectCut(cut) : evaluated;
  record.calls.push({ ...call, ...(!verdict.ok && { code: verdict.code }) });
  if (!verdict.ok) log("VALIDATION_FAILED", { code: verdict.code, reason: verdict.message });
  return verdict;
}

/** Without an instruction: under the same bound a repair would be cut as well, and cost as much. */
function rejectCut(cut: Cut): Rejection {
  const message = `Cannot use the model's answer: ${tellCut(CUT_EN, cut)}`;
  return { ok: false, code: "LLM_ANSWER_CUT", message, stage: "schema" };
}

const NO_TOKENS = { inputTokens: 0, outputTokens: 0 };
